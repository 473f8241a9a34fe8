"""Dates in digits, the same in every language: 2025-03-05, 2025/3/5, 2025.3.5, 20250305, 2025-03."""

from __future__ import annotations

import re
from datetime import date

from mindatlas.nodes.date_patterns import Pattern
from mindatlas.nodes.date_ranges import Clock, DateRange, day, month

_YEAR = r"(?P<year>(?:19|20)[0-9]{2})"
_START = r"(?<![0-9A-Za-z_.])"
_ALONE = rf"{_START}(?:(?<![0-9][-/])|(?<=[-/.][0-9]-)|(?<=[-/.][0-9]{{2}}-))"  # 2025-01-01-2025-02-01
_NO_VERSION = (
    r"(?:(?<![A-Za-z] )(?<![=<>^])(?<!版本)(?<!版本 )"
    r"|(?<=\bon )|(?<=\bto )|(?<=\bby )|(?<=\bfrom )|(?<=\bsince )|(?<=\buntil )|(?<=\band )|(?<=\bbetween ))"
)
_PRICE = r"(?![ ]?(?:元|块|万|美元|km|公里|米))"
_NO_ID = r"(?![0-9])(?![-/.][0-9]{1,3}(?![0-9]))"


def _date(match: re.Match[str], clock: Clock) -> DateRange:
    del clock
    return day(date(int(match["year"]), int(match["month"]), int(match["day"])))


def _month(match: re.Match[str], clock: Clock) -> DateRange:
    del clock
    return month(int(match["year"]), int(match["month"]))


PATTERNS = (
    Pattern(
        name="iso_date",
        regex=re.compile(rf"{_ALONE}{_YEAR}([-/])(?P<month>[0-9]{{1,2}})\2(?P<day>[0-9]{{1,2}}){_NO_ID}"),
        resolve=_date,
    ),
    Pattern(
        name="dotted_date",  # 2024.3.1 behind a Latin word or 版本 is a version
        regex=re.compile(
            rf"{_ALONE}{_NO_VERSION}{_YEAR}\.(?P<month>[0-9]{{1,2}})\.(?P<day>[0-9]{{1,2}})"
            rf"(?!\.?[0-9]){_PRICE}"
        ),
        resolve=_date,
    ),
    Pattern(
        name="compact_date",
        regex=re.compile(
            rf"{_START}(?:(?<![-/])|(?<=[0-9]{{8}}-)){_YEAR}(?P<month>[0-9]{{2}})(?P<day>[0-9]{{2}})(?![0-9A-Za-z_]|[.,][0-9]|-[0-9]{{1,4}}(?![0-9])){_PRICE}"
        ),
        resolve=_date,
    ),
    Pattern(
        name="iso_month",
        regex=re.compile(
            rf"{_ALONE}{_YEAR}[-/](?P<month>0[1-9]|1[0-2])(?![0-9A-Za-z/年赛财学]|-[0-9]{{1,3}}(?![0-9]))"
        ),
        resolve=_month,
    ),
)
