from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.result_view import MOST_ROWS, plain, view_of


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.int64(3), 3),
        (np.float64("nan"), None),
        (pd.NaT, None),
        (pd.NA, None),
        (float("inf"), "inf"),
        (pd.Timestamp("2024-01-02"), "2024-01-02"),
        (pd.Timestamp("2024-01-02 03:04"), "2024-01-02T03:04:00"),
        (dt.date(2024, 1, 2), "2024-01-02"),
        (pd.Timedelta(hours=1), "0 days 01:00:00"),
        (Decimal("1.5"), 1.5),
        (np.bool_(True), True),
        ("文", "文"),
    ],
)
def test_a_cell_is_plain_json(value: Any, shown: object) -> None:
    assert plain(value) == shown
    assert type(plain(value)) is type(shown)


def test_a_table_is_capped_and_counted() -> None:
    view = view_of(pd.DataFrame({"n": range(MOST_ROWS + 5)}))
    assert view is not None
    assert (view["kind"], len(view["rows"]), view["n_rows"]) == ("table", MOST_ROWS, MOST_ROWS + 5)
    json.dumps(view, allow_nan=False)


def test_names_of_columns_are_text() -> None:
    frame = pd.DataFrame(
        [[1, 2, 3]], columns=pd.Index([2024, pd.Timestamp("2024-01-01"), ("Q1", "收入")], dtype=object)
    )
    view = view_of(frame)
    assert view is not None
    assert view["columns"] == ["2024", "2024-01-01", "Q1/收入"]


def test_tables_and_values_have_their_kind() -> None:
    frame = pd.DataFrame({"a": [1]})
    assert view_of({"x": frame}) == {
        "kind": "tables",
        "tables": {"x": {"columns": ["a"], "rows": [[1]], "n_rows": 1}},
    }
    assert view_of(2.5) == {"kind": "scalar", "value": 2.5}
    assert view_of(None) is None
    assert view_of(pd.DataFrame()) == {"kind": "table", "columns": [], "rows": [], "n_rows": 0}
