"""Where a row that a case expects stands: among the rows of a call, or in an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

# A figure: digits that are no part of a date, of an identifier, of a decimal, or of a span (3 月, 7 天).
_FIGURE = re.compile(r"(?<![\w.\-:/])\d+(?:,\d{3})*(?![\w\-:/]|[.,]\d)(?!\s*[年月日号季周天点])")
_CODE = re.compile(r"```.*?```", re.DOTALL)


def figures_of(line: str) -> set[int]:
    """Return the whole numbers that a line states; those of dates, identifiers and spans are none."""
    spaced = re.sub(r"(\d)(?=[单条件个张笔份人](?!\w*-))", r"\1 ", line)
    return {int(found.replace(",", "")) for found in _FIGURE.findall(spaced)}


def in_rows(row: Sequence[Any], call: Mapping[str, Any]) -> bool:
    """Return whether one row of a call holds every cell of `row`, or `row` is the number of its rows.

    A cell may also be the name that the call was narrowed to, as the user wrote it.
    """
    if list(row) == [call["n_rows"]] and len(call["rows"]) > 1:
        return True
    names = [name for repair in call["repairs"] if repair["kind"] == "resolve_name" for name in _told(repair)]
    return any(all(cell in [*held.values(), *names] for cell in row) for held in call["rows"])


def _told(repair: Mapping[str, Any]) -> list[Any]:
    before = repair["before"]
    return list(before.values()) if isinstance(before, Mapping) else [before]


def in_answer(row: Sequence[Any], answer: str, scope: str) -> bool:
    """Return whether `answer` states every cell of `row`: on one line, or for `scope` `answer` anywhere.

    What stands in a fenced block, such as a chart, is not looked at.
    """
    text = _CODE.sub("", answer)
    lines = text.splitlines() if scope == "line" else [text]
    return any(all(_stated(cell, line) for cell in row) for line in lines)


def _stated(cell: Any, line: str) -> bool:
    """Return whether a line states a cell; a name in a table fills its column, but for what brackets add to it."""
    if isinstance(cell, int):
        return cell in figures_of(line)
    if not line.lstrip().startswith("|"):
        return str(cell) in line
    columns = [column.strip() for column in line.split("|")]
    return any(column == cell or column.startswith((f"{cell} (", f"{cell}（")) for column in columns)
