from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pytest

from mindatlas.nodes.atlassplit.parts.cell_values import typed_column
from mindatlas.nodes.atlassplit.parts.column_profile import profile_column, show
from mindatlas.nodes.atlassplit.parts.column_warnings import ColumnFacts
from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnCard


def _card(cells: list[Cell], name: str = "列", *, repeats: bool = False, hidden: bool = False) -> ColumnCard:
    facts = ColumnFacts(name=name, original=name, position=0, repeats=repeats, hidden=hidden)
    return profile_column(typed_column(cells), facts)


def _warnings(cells: Sequence[Cell], name: str = "列") -> tuple[str, ...]:
    return _card(list(cells), name).warnings


def test_facts_of_a_number_column() -> None:
    card = _card([3.0, 1.0, "", 3.0])
    assert (card.type, card.samples, card.distinct, card.values) == ("integer", ("3", "1"), 2, ("3", "1"))
    assert (card.null_rate, card.minimum, card.maximum) == (0.25, "1", "3")


def test_facts_of_dates_and_durations() -> None:
    dates = _card([dt.date(2024, 3, 1), dt.date(2023, 1, 5)])
    assert (dates.minimum, dates.maximum, dates.samples[0]) == ("2023-01-05", "2024-03-01", "2024-03-01")
    hours = _card([dt.time(8, 30), dt.timedelta(hours=30, seconds=5)])
    assert hours.samples == ("8:30:00", "30:00:05")


def test_texts_have_no_range_and_long_samples_are_cut() -> None:
    card = _card(["b" * 100, "a"])
    assert (card.minimum, card.maximum) == (None, None)
    assert len(card.samples[0]) == 40
    assert card.values[0] == "b" * 100


def test_values_are_listed_up_to_fifty() -> None:
    assert len(_card([f"v{i}" for i in range(50)]).values) == 50
    assert _card([f"v{i}" for i in range(51)]).values == ()


def test_column_without_rows() -> None:
    card = _card([])
    assert (card.type, card.null_rate, card.distinct, card.warnings) == ("empty", 0.0, 0, ())


@pytest.mark.parametrize(
    ("cells", "warning"),
    [
        (["1,200.00", "980", "15,300"], "number_as_text:千分位"),
        (["￥1,200", "￥980"], "number_as_text:￥+千分位"),
        (["12.5%", "8%"], "number_as_text:%"),
        (["(300)", "1,050", "２００"], "number_as_text:全角+括号负数+千分位"),
        (["1.2万", "800元"], "number_as_text:元+万"),
        (["12", "7", "120"], "number_as_text:普通"),
        ([100.0, "1,200", 80.0], "number_as_text:千分位"),
        (["2024年1月5日", "2024年2月18日"], "date_as_text:YYYY年M月D日"),
        (["20240105", "20240218"], "date_as_text:YYYYMMDD"),
        ([dt.date(2024, 1, 5), "2024/2/18"], "date_as_text:YYYY/MM/DD"),
    ],
)
def test_numbers_and_dates_stored_as_text(cells: list[Cell], warning: str) -> None:
    assert warning in _warnings(cells)


def test_share_of_matching_values_must_exceed_four_fifths() -> None:
    assert not any("as_text" in code for code in _warnings(["1,000"] * 8 + ["缺货", "无"]))
    assert "number_as_text:千分位" in _warnings(["1,000"] * 9 + ["缺货", "无"])
    assert "number_as_text:千分位" in _warnings(["1,000", "", ""]), "blanks do not count"


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        (["007", "008", "100"], "列"),
        (["440101199001011234", "440101199001011235"], "列"),
        (["13800000001", "13800000002"], "联系电话"),
        ([1001.0, 1002.0], "客户编号"),
        ([1.0, 2.0], "order_id"),
        ([1.0, 2.0], "userId"),
        ([440101199001011234, 440101199001011235], "列"),
        ([f"SO{i:06d}" for i in range(12)], "列"),
    ],
)
def test_codes_are_identifiers_and_no_numbers(cells: list[Cell], name: str) -> None:
    warnings = _warnings(cells, name)
    assert not any(code.startswith("number_as_text") for code in warnings)
    assert "id_like" in warnings


@pytest.mark.parametrize("name", ["销售额", "paid", "valid", "node", "人数"])
def test_amounts_are_no_identifiers(name: str) -> None:
    assert "id_like" not in _warnings([float(123_456 + 7 * i) for i in range(12)], name)


def test_constant_null_and_cardinality() -> None:
    assert "constant" in _warnings(["a", "a"])
    assert "constant" not in _warnings(["a"])
    assert "mostly_null" in _warnings(["a", "", ""])
    assert "mostly_null" not in _warnings(["a", ""])
    assert "high_cardinality" in _warnings([f"说明{'x' * i}" for i in range(60)])
    assert "high_cardinality" not in _warnings([f"店{i % 5}" for i in range(60)])


@pytest.mark.parametrize("name", ["金额 ", " a", "金额\n(元)", "a\u00a0b", "销售 额", "a  b"])
def test_spaces_in_names(name: str) -> None:
    assert "spaces_in_name" in _warnings(["x"], name)
    assert "spaces_in_name" not in _warnings(["x"], "Unit Price")


def test_lost_cells_hidden_and_repeated_columns() -> None:
    card = _card([1.0, Lost.ERROR, Lost.UNCACHED, Lost.ERROR], repeats=True, hidden=True)
    assert (card.errors, card.uncached) == (2, 1)
    assert {"error_cells", "uncached_formulas", "duplicate_name", "hidden", "mostly_null"} == set(
        card.warnings
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12.0, "12"),
        (0.1, "0.1"),
        (1e300, "1e+300"),
        (dt.timedelta(hours=-1), "-1:00:00"),
        (True, "True"),
        ("007", "007"),
        (dt.datetime.combine(dt.date(2024, 1, 5), dt.time(9, 5)), "2024-01-05 09:05:00"),
    ],
)
def test_shown_values(value: object, text: str) -> None:
    assert show(value) == text
