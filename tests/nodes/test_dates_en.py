from __future__ import annotations

from datetime import date

import pytest

from mindatlas.nodes.dates import Grain, find_dates

TODAY = date(2025, 6, 11)
"""A Wednesday in the middle of a month, a quarter and a year."""

ONE: list[tuple[str, str, str, Grain]] = [
    ("today", "2025-06-11", "2025-06-11", "day"),
    ("Today", "2025-06-11", "2025-06-11", "day"),
    ("this morning", "2025-06-11", "2025-06-11", "day"),
    ("yesterday", "2025-06-10", "2025-06-10", "day"),
    ("tomorrow", "2025-06-12", "2025-06-12", "day"),
    ("day before yesterday", "2025-06-09", "2025-06-09", "day"),
    ("day after tomorrow", "2025-06-13", "2025-06-13", "day"),
    ("this week", "2025-06-09", "2025-06-15", "week"),
    ("last week", "2025-06-02", "2025-06-08", "week"),
    ("next week", "2025-06-16", "2025-06-22", "week"),
    ("week before last", "2025-05-26", "2025-06-01", "week"),
    ("end of last month", "2025-05-31", "2025-05-31", "day"),
    ("start of the year", "2025-01-01", "2025-01-01", "day"),
    ("since the beginning of the quarter", "2025-04-01", "2025-06-11", "day"),
    ("last weekend", "2025-06-07", "2025-06-08", "day"),
    ("this month", "2025-06-01", "2025-06-30", "month"),
    ("current month", "2025-06-01", "2025-06-30", "month"),
    ("last month", "2025-05-01", "2025-05-31", "month"),
    ("next month", "2025-07-01", "2025-07-31", "month"),
    ("this quarter", "2025-04-01", "2025-06-30", "quarter"),
    ("last quarter", "2025-01-01", "2025-03-31", "quarter"),
    ("previous quarter", "2025-01-01", "2025-03-31", "quarter"),
    ("this year", "2025-01-01", "2025-12-31", "year"),
    ("last year", "2024-01-01", "2024-12-31", "year"),
    ("next year", "2026-01-01", "2026-12-31", "year"),
    ("last 7 days", "2025-06-05", "2025-06-11", "day"),
    ("past 2 weeks", "2025-05-29", "2025-06-11", "week"),
    ("last three months", "2025-03-12", "2025-06-11", "month"),
    ("previous 12 months", "2024-06-12", "2025-06-11", "month"),
    ("past year", "2024-06-12", "2025-06-11", "year"),
    ("past week", "2025-06-05", "2025-06-11", "week"),
    ("next 3 days", "2025-06-12", "2025-06-14", "day"),
    ("3 days ago", "2025-06-08", "2025-06-08", "day"),
    ("a week ago", "2025-06-02", "2025-06-08", "week"),
    ("two months ago", "2025-04-01", "2025-04-30", "month"),
    ("a year ago", "2024-01-01", "2024-12-31", "year"),
    ("Friday", "2025-06-06", "2025-06-06", "day"),
    ("wednesday", "2025-06-11", "2025-06-11", "day"),
    ("last Monday", "2025-06-09", "2025-06-09", "day"),
    ("last Wednesday", "2025-06-04", "2025-06-04", "day"),
    ("this Friday", "2025-06-13", "2025-06-13", "day"),
    ("next Wednesday", "2025-06-18", "2025-06-18", "day"),
    ("next Fri", "2025-06-13", "2025-06-13", "day"),
    ("Q1", "2025-01-01", "2025-03-31", "quarter"),
    ("q3", "2024-07-01", "2024-09-30", "quarter"),
    ("Q3 2025", "2025-07-01", "2025-09-30", "quarter"),
    ("Q3 of last year", "2024-07-01", "2024-09-30", "quarter"),
    ("2025 Q3", "2025-07-01", "2025-09-30", "quarter"),
    ("2025-Q3", "2025-07-01", "2025-09-30", "quarter"),
    ("third quarter", "2024-07-01", "2024-09-30", "quarter"),
    ("3rd quarter of 2023", "2023-07-01", "2023-09-30", "quarter"),
    ("third quarter of the year", "2025-07-01", "2025-09-30", "quarter"),
    ("last quarter of 2024", "2024-10-01", "2024-12-31", "quarter"),
    ("H1", "2025-01-01", "2025-06-30", "half"),
    ("H2", "2024-07-01", "2024-12-31", "half"),
    ("H2 2025", "2025-07-01", "2025-12-31", "half"),
    ("2024H1", "2024-01-01", "2024-06-30", "half"),
    ("first half of 2024", "2024-01-01", "2024-06-30", "half"),
    ("second half of last year", "2024-07-01", "2024-12-31", "half"),
    ("first half of the year", "2025-01-01", "2025-06-30", "half"),
    ("January", "2025-01-01", "2025-01-31", "month"),
    ("december", "2024-12-01", "2024-12-31", "month"),
    ("March 2025", "2025-03-01", "2025-03-31", "month"),
    ("march 2025", "2025-03-01", "2025-03-31", "month"),
    ("Mar. 2025", "2025-03-01", "2025-03-31", "month"),
    ("May of 2024", "2024-05-01", "2024-05-31", "month"),
    ("March last year", "2024-03-01", "2024-03-31", "month"),
    ("last March", "2025-03-01", "2025-03-31", "month"),
    ("last July", "2024-07-01", "2024-07-31", "month"),
    ("this May", "2025-05-01", "2025-05-31", "month"),
    ("next January", "2026-01-01", "2026-01-31", "month"),
    ("March 5", "2025-03-05", "2025-03-05", "day"),
    ("March 5th", "2025-03-05", "2025-03-05", "day"),
    ("March 5, 2024", "2024-03-05", "2024-03-05", "day"),
    ("March 5th 2024", "2024-03-05", "2024-03-05", "day"),
    ("mar 5", "2025-03-05", "2025-03-05", "day"),
    ("July 1", "2024-07-01", "2024-07-01", "day"),
    ("5 March 2025", "2025-03-05", "2025-03-05", "day"),
    ("5 march 2025", "2025-03-05", "2025-03-05", "day"),
    ("5th of March", "2025-03-05", "2025-03-05", "day"),
    ("5 Mar", "2025-03-05", "2025-03-05", "day"),
    ("Feb 29", "2024-02-29", "2024-02-29", "day"),
    ("2025-03-05", "2025-03-05", "2025-03-05", "day"),
    ("2025/3/5", "2025-03-05", "2025-03-05", "day"),
    ("20250305", "2025-03-05", "2025-03-05", "day"),
    ("2025-03", "2025-03-01", "2025-03-31", "month"),
    ("from March 1 to March 15", "2025-03-01", "2025-03-15", "day"),
    ("March 1 to 15", "2025-03-01", "2025-03-15", "day"),
    ("March 1-15, 2024", "2024-03-01", "2024-03-15", "day"),
    ("5-12 March 2025", "2025-03-05", "2025-03-12", "day"),
    ("from March to May", "2025-03-01", "2025-05-31", "month"),
    ("from march to may", "2025-03-01", "2025-05-31", "month"),
    ("between March and May", "2025-03-01", "2025-05-31", "month"),
    ("March–May 2024", "2024-03-01", "2024-05-31", "month"),
    ("Nov to Feb 2025", "2024-11-01", "2025-02-28", "month"),
    ("from November to February", "2024-11-01", "2025-02-28", "month"),
    ("from March 1 to May 15, 2024", "2024-03-01", "2024-05-15", "day"),
    ("from 2023 to 2024", "2023-01-01", "2024-12-31", "year"),
    ("between 2025-01-01 and 2025-02-01", "2025-01-01", "2025-02-01", "day"),
    ("2025-01-01 to 2025-02-01", "2025-01-01", "2025-02-01", "day"),
    ("2025-01-01-2025-02-01", "2025-01-01", "2025-02-01", "day"),
    ("from last Monday to yesterday", "2025-06-09", "2025-06-10", "day"),
    ("from Monday to Friday", "2025-06-09", "2025-06-13", "day"),
    ("from Q1 2024 to Q3", "2024-01-01", "2024-09-30", "quarter"),
    ("since March", "2025-03-01", "2025-06-11", "day"),
    ("since last Friday", "2025-06-06", "2025-06-11", "day"),
    ("since 2023", "2023-01-01", "2025-06-11", "day"),
    ("since yesterday", "2025-06-10", "2025-06-11", "day"),
    ("year to date", "2025-01-01", "2025-06-11", "day"),
    ("year-to-date", "2025-01-01", "2025-06-11", "day"),
    ("YTD", "2025-01-01", "2025-06-11", "day"),
    ("QTD", "2025-04-01", "2025-06-11", "day"),
    ("month to date", "2025-06-01", "2025-06-11", "day"),
    ("so far this year", "2025-01-01", "2025-06-11", "day"),
    ("this year so far", "2025-01-01", "2025-06-11", "day"),
]


@pytest.mark.parametrize(("surface", "start", "end", "grain"), ONE)
@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("How many orders came ", ", please?"), ("orders, ", " only")]
)
def test_one_expression(surface: str, start: str, end: str, grain: Grain, before: str, after: str) -> None:
    (found,) = find_dates(before + surface + after, TODAY)
    assert found.surface == surface
    assert (found.start, found.end) == (len(before), len(before) + len(surface))
    assert (str(found.range.start), str(found.range.end), found.range.grain) == (start, end, grain)


@pytest.mark.parametrize(
    ("text", "surfaces"),
    [
        ("orders in March", ["March"]),
        ("orders in march?", ["march"]),
        ("orders in May, and since then", ["May"]),
        ("open on Sat", ["Sat"]),
        ("in 2024 we sold more", ["2024"]),
        ("in the last week", ["the last week"]),
        ("in the last three months", ["last three months"]),
        ("compare last year and this year", ["last year", "this year"]),
        ("from today to yesterday", ["today", "yesterday"]),
        ("May I come in May 2025?", ["May 2025"]),
        ("在March的订单", []),
        ("2025年March", ["2025年"]),
        ("orders of 2025-03-05T10:00", ["2025-03-05"]),
        ("2025-03-05 10:00", ["2025-03-05"]),
        ("orders on 2025.03.05", ["2025.03.05"]),
        ("2025.3.5-2025.3.10", ["2025.3.5-2025.3.10"]),
        ("the last week of March", []),
        ("Q1: what is it? Sales in Q1: many", []),
        ("Q1. how do I get there in Q2?", ["Q2"]),
        ("since next week", ["next week"]),
        ("in January and March", ["January", "March"]),
        ("between March 5 and 12", ["between March 5 and 12"]),
        ("on March 5 and 12", ["March 5"]),
        ("between 2023 and 2024", ["between 2023 and 2024"]),
        ("in 2023 and 2024", ["2023"]),
        ("in Mar. and Apr.", ["Mar.", "Apr."]),
    ],
)
def test_expressions_in_a_sentence(text: str, surfaces: list[str]) -> None:
    assert [found.surface for found in find_dates(text, TODAY)] == surfaces


NO_TIME = """
may I; May I come?; you may; march on; March on Rome; the mar; second; a third; sun; sat; half of it
first half
Fridays; every Friday; on a Monday; last Friday of the month; each monday; Black Friday; 3 days; 2 weeks
0 days; room 5; 5 people
third quarter of the game; last week of school; first month of work; last year of college
H1N1; <h1>; <H1>; H2O; H1-B; iPhone Q5; small-q4; xarray>=2025.7.1; IQ1; Q10; Q1:; Q2. How do I pay?
version 1.2.3; 2024.1.0; pandas 2024.3.1; $2025; 2025; 2,025 people; in 2025%; in 20250; 05/03/2025
Feb 30; 31 April 2025; March 32; may 50; 99999999 days ago; last 0 days
"""


@pytest.mark.parametrize("text", NO_TIME.strip().replace("\n", "; ").split("; "))
def test_no_expression(text: str) -> None:
    assert find_dates(text, TODAY) == []
