"""Rows that are no data: totals, repeated headers and notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, MergedRange, is_blank
from mindatlas.nodes.atlassplit.parts.total_rows import find_totals, is_total_label
from mindatlas.nodes.atlassplit.parts.workbook_model import SetAsideKind
from mindatlas.nodes.text import fold

_NOTE = re.compile(
    r"(?:备注|附注|注释|注意|说明|注|数据来源|资料来源|来源|单位|制表|填表|审核|复核|打印|导出"
    r"|notes?|remarks?|sources?|prepared by|printed|generated)"
    r"\s*(?:\d|人|日期|时间|on\b)*\s*[:\d].*"
    r"|[*※].*",
    re.S,
)


@dataclass(frozen=True, kw_only=True)
class RowRoles:
    """What the rows that are no data are, and the rows that look like totals but do not add up."""

    set_aside: dict[int, SetAsideKind]
    doubtful: tuple[int, ...]


def find_roles(
    rows: Sequence[list[Cell]], body: int, levels: Sequence[int], merges: Sequence[MergedRange] = ()
) -> RowRoles:
    """Return the roles of the rows from `body` on, ascending; data and blank rows have none.

    Args:
        rows: All rows of the sheet's used range.
        body: First row below the header.
        levels: The header rows.
        merges: Merged ranges, by places in `rows`.
    """
    set_aside: dict[int, SetAsideKind] = {}
    set_aside |= dict.fromkeys(_notes(rows, body), "note")
    set_aside |= dict.fromkeys(_banners(rows, body, merges), "note")
    set_aside |= dict.fromkeys(_repeated_headers(rows, body, levels), "repeated_header")
    totals, doubtful = find_totals(rows, body, set_aside)
    set_aside |= dict.fromkeys(totals, "total")
    return RowRoles(set_aside=dict(sorted(set_aside.items())), doubtful=tuple(doubtful))


def _notes(rows: Sequence[list[Cell]], body: int) -> set[int]:
    """Return the rows of text below the table.

    Going up from the end, these are lines that begin like a note, single texts parted from the table by a
    blank row, and single texts below either.
    """
    wide = len(rows[0]) > 1
    notes: set[int] = set()
    pending: set[int] = set()  # single texts that are notes only if something above them says so
    for row in range(len(rows) - 1, body - 1, -1):
        texts = [cell for cell in rows[row] if not is_blank(cell)]
        if not texts or all(isinstance(cell, str) and _NOTE.fullmatch(fold(cell)) for cell in texts):
            notes |= pending | ({row} if texts else set())
            pending = set()
        elif wide and len(texts) == 1 and isinstance(texts[0], str) and not is_total_label(texts[0]):
            pending.add(row)
        else:
            break
    return notes


def _banners(rows: Sequence[list[Cell]], body: int, merges: Sequence[MergedRange]) -> set[int]:
    """Return the rows that are one cell merged over the whole width: headings inside the table."""
    width = len(rows[0])
    return {
        top
        for top, left, bottom, right in merges
        if body <= top == bottom < len(rows) and width > 1 and right - left + 1 >= width
        if not (isinstance(rows[top][left], str) and is_total_label(str(rows[top][left])))
    }


def _repeated_headers(rows: Sequence[list[Cell]], body: int, levels: Sequence[int]) -> set[int]:
    """Return the rows that say the same as the header, as printed or exported pages repeat it.

    A header of several levels may come again level by level, or as one row of the lowest names.
    """
    headers = [_texts(rows[level]) for level in levels]
    if len(levels) > 1:
        headers.append([next(filter(None, reversed(column)), "") for column in zip(*headers, strict=True)])
    repeats: set[int] = set()
    for header in headers:
        named = [column for column, text in enumerate(header) if text]
        if len(named) < 2:
            continue  # a single text may be a value like any other
        anchor = named[0]
        same = (row for row in range(body, len(rows)) if str(rows[row][anchor]).strip() == header[anchor])
        repeats |= {row for row in same if _texts(rows[row]) == header}
    return repeats


def _texts(row: Sequence[Cell]) -> list[str]:
    return [str(cell).strip() for cell in row]
