from __future__ import annotations

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.planner.code_functions import to_date

DAY = pd.Timestamp(2024, 1, 5)


@pytest.mark.parametrize("text", ["2024-01-05", "2024年1月5日", "2024.1.5", "20240105", "２０２４/1/5"])
@pytest.mark.parametrize("blank", [None, "", "尚未签收"])
def test_a_blank_or_unread_cell_does_not_keep_the_others_from_being_dates(
    text: str, blank: str | None
) -> None:
    read = to_date(pd.Series([text, blank]))
    assert read.iloc[0] == DAY
    assert pd.isna(read.iloc[1])


def test_a_column_of_blanks_has_no_dates() -> None:
    assert to_date(pd.Series([None, None], dtype="object")).isna().all()
