from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mindatlas.nodes.date_ranges import (
    Clock,
    DateRange,
    Unit,
    add_months,
    coming,
    current,
    finer,
    half,
    in_month,
    in_week,
    last,
    quarter,
)
from mindatlas.nodes.dates import find_dates

UNITS = st.sampled_from(["day", "week", "month", "quarter", "year"])
DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))
WORDS = """
今 昨 前 天 日 本 上 下 个 周 星期 一 二 三 十 月 年 号 季度 半 Q 1 3 20 2025 - / . 到 至 从 至今 以来
最近 近 初 底 和 之间
国庆 二〇二五 ２ last past this week days ago since from to between and March May Friday , 5th H
"""
PIECES = st.sampled_from(WORDS.split())


@given(st.lists(PIECES | st.text(max_size=3), max_size=14), st.sampled_from(["", " "]), st.dates())
@example(["99999999999天前"], "", date.max)
@example(["昨天 上周 去年 上个月 last 9999 years"], "", date.min)
@example(["明天 下周 明年 next 9999 weeks"], "", date.max)
def test_mentions_are_slices_in_order_with_ranges_that_run_forward(
    pieces: list[str], glue: str, today: date
) -> None:
    text = glue.join(pieces)
    position = 0
    for found in find_dates(text, today):
        assert position <= found.start < found.end <= len(text)
        assert found.surface == text[found.start : found.end]
        assert found.range.start <= found.range.end
        position = found.end


@given(DAYS)
def test_what_names_no_year_has_begun(today: date) -> None:
    for text in (
        "3月",
        "12月5日",
        "31号",
        "周五",
        "三季度",
        "下半年",
        "国庆",
        "Q3",
        "March 5",
        "Friday",
        "july",
    ):
        (found,) = find_dates(text, today)
        assert found.range.start <= today


@given(DAYS, st.integers(1, 12), st.integers(1, 12))
def test_a_span_of_months_ends_within_a_year_of_its_start(today: date, first: int, final: int) -> None:
    (found,) = find_dates(f"{first}月到{final}月", today)
    assert found.range.start <= today
    assert (found.range.start.month, found.range.end.month) == (first, final)
    assert found.range.end - found.range.start < timedelta(days=366)


def test_a_moment_counts_as_its_day() -> None:
    (found,) = find_dates("昨天", datetime(2025, 3, 1, 9, tzinfo=UTC))
    assert found.range == DateRange(start=date(2025, 2, 28), end=date(2025, 2, 28), grain="day")


def test_long_texts_take_no_time_to_speak_of() -> None:
    text = "0" * 20_000 + " " * 20_000 + "三" * 20_000 + "March " * 5_000 + "2025-" * 5_000 + "1月到" * 5_000
    assert find_dates(text, date(2025, 6, 11))


def test_a_range_never_runs_backwards() -> None:
    with pytest.raises(ValueError, match="after"):
        DateRange(start=date(2025, 1, 2), end=date(2025, 1, 1), grain="day")


@pytest.mark.parametrize(
    ("start", "count", "expected"),
    [
        (date(2025, 1, 31), 1, date(2025, 2, 28)),
        (date(2024, 3, 31), -1, date(2024, 2, 29)),
        (date(2025, 1, 15), -13, date(2023, 12, 15)),
    ],
)
def test_add_months(start: date, count: int, expected: date) -> None:
    assert add_months(start, count) == expected


@given(DAYS, UNITS)
def test_the_current_unit_holds_today_and_touches_its_neighbours(today: date, unit: Unit) -> None:
    before, now, after = (current(unit, offset, today) for offset in (-1, 0, 1))
    assert now.start <= today <= now.end
    assert before.end + timedelta(days=1) == now.start
    assert now.end + timedelta(days=1) == after.start


@given(DAYS, st.integers(1, 40), UNITS)
def test_last_ends_today_and_coming_begins_tomorrow(today: date, count: int, unit: Unit) -> None:
    assert last(count, unit, today).end == today
    assert coming(count, unit, today).start == today + timedelta(days=1)
    if unit == "day":
        assert (today - last(count, unit, today).start).days == count - 1


@given(DAYS, st.integers(0, 6))
def test_a_weekday_is_the_latest_one_and_a_range_ends_at_the_first_one(today: date, weekday: int) -> None:
    latest = in_week(weekday, Clock(today=today))
    first = in_week(weekday, Clock(today=today, since=today))
    assert latest
    assert first
    assert latest.start.weekday() == first.start.weekday() == weekday
    assert 0 <= (today - latest.start).days < 7
    assert 0 <= (first.start - today).days < 7


def test_a_day_that_no_month_has_is_none() -> None:
    assert in_month(32, Clock(today=date(2025, 6, 11))) is None


def test_halves_and_quarters_of_the_year() -> None:
    assert [str(quarter(2025, number).end) for number in (1, 2, 3, 4)] == [
        *("2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31"),
    ]
    assert half(2025, 2) == DateRange(start=date(2025, 7, 1), end=date(2025, 12, 31), grain="half")
    assert finer("month", "day") == "day"
