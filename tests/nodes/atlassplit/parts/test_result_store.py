from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.atlassplit.parts.result_store import ResultStore
from mindatlas.nodes.errors import StoreError

TABLE = pd.DataFrame({"门店": ["朝阳店", None], "数量": [1, 2]})


@pytest.mark.parametrize("result", [3, "文", True, 1.5])
def test_a_single_value_comes_back(tmp_path: Path, result: Result) -> None:
    store = ResultStore(tmp_path)
    assert store.load(store.save(result)) == result


def test_no_result_stays_none(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    assert store.load(store.save(None)) is None


def test_a_table_comes_back(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    loaded = store.load(store.save(TABLE))
    assert isinstance(loaded, pd.DataFrame)
    pd.testing.assert_frame_equal(loaded, TABLE)


def test_tables_come_back_in_order_under_any_name(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    loaded = store.load(store.save({"b/../x": TABLE, "": TABLE.head(1)}))
    assert isinstance(loaded, dict)
    assert [(name, len(frame)) for name, frame in loaded.items()] == [("b/../x", 2), ("", 1)]


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    stored = store.save(TABLE)
    assert stored is not None
    Path(stored["tables"][0]["path"]).write_bytes(b"other")
    with pytest.raises(StoreError, match="was changed"):
        store.load(stored)


def test_dropping_deletes_and_may_be_done_twice(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    stored = store.save(TABLE)
    store.drop(stored)
    store.drop(stored)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StoreError, match="is gone"):
        store.load(stored)
