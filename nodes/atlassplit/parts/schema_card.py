"""The schema card of all tables of a run: their keys, and which of them programs see as `df`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from mindatlas.nodes.atlassplit.parts.workbook_model import SchemaCard, TableCard
from mindatlas.nodes.errors import FileReadError
from mindatlas.nodes.text import fold

# Sheet names that are also what requests ask for ("生成汇总表"); these must be quoted or called a sheet.
_REQUEST_WORDS = frozenset(
    {
        *(
            "汇总",
            "统计",
            "分析",
            "合计",
            "总计",
            "排序",
            "透视",
            "对比",
            "比较",
            "同比",
            "环比",
            "增长",
            "趋势",
        ),
        *("图表", "结果", "数据", "明细", "平均", "sum", "total", "average", "summary", "data", "result"),
        *("chart", "report", "analysis", "pivot"),
    }
)
_SHEET_WORD = "(?:工作表|页签|worksheet|sheet|tab)"
_QUOTES = "[\"'“”‘’《》「」『』【】\\[\\]`]"


def make_card(tables: Sequence[TableCard], *, request: str = "", notices: Iterable[str] = ()) -> SchemaCard:
    """Return the card of `tables`, with unique keys and the active table chosen.

    A table's key is its sheet's name, with the file's stem and a slash before it where an earlier file has
    such a sheet, and a number after it for further tables of the sheet (`Sheet1.2`). The active table is the
    one whose sheet (or file) the request names, the longest name when several are; else the first visible one
    with at least one row and two columns; else the first.

    Args:
        tables: At least one table, in the order of files and sheets.
        request: What the user asks for; it may name a sheet or a file.
        notices: What reading had to decide.

    Raises:
        FileReadError: There is no table.
    """
    if not tables:
        raise FileReadError("no sheet holds a table; check that the file is the right one and not empty")
    keyed = _with_keys(tables)
    named = _named_table(keyed, request)
    active = named or _first_table(keyed)
    reason = "named in the request" if named else "the first visible sheet with a table"
    choice = f"df is sheet {active.sheet!r} of {active.book!r} ({reason})"
    return SchemaCard(tables=keyed, active=active.key, notices=(*notices, choice))


def _with_keys(tables: Sequence[TableCard]) -> tuple[TableCard, ...]:
    keyed: list[TableCard] = []
    owners: dict[str, str] = {}
    for table in tables:
        stem = table.sheet
        if owners.get(stem, table.book) != table.book:
            stem = f"{PurePath(table.book).stem}/{table.sheet}"
        key, count = stem, 1
        while key in owners:
            count += 1
            key = f"{stem}.{count}"
        owners[key] = table.book
        keyed.append(replace(table, key=key))
    return tuple(keyed)


def _first_table(tables: Sequence[TableCard]) -> TableCard:
    visible = [table for table in tables if not table.hidden] or list(tables)
    with_rows = [table for table in visible if table.rows] or visible
    return next((table for table in with_rows if len(table.columns) > 1), with_rows[0])


def _named_table(tables: Sequence[TableCard], request: str) -> TableCard | None:
    asked = fold(request)
    books = _named(asked, {table.book: fold(table.book) for table in tables})
    books = books or _named(asked, {table.book: fold(PurePath(table.book).stem) for table in tables})
    inside = [table for table in tables if table.book == books] if books else list(tables)
    sheets = {table.key: fold(table.sheet) for table in inside}
    key = _named(asked, sheets, as_sheet=True) or _named(_without_columns(asked, inside), sheets)
    if key:
        return next(table for table in inside if table.key == key)
    several = len({table.book for table in tables}) > 1
    return _first_table(inside) if books and several else None


def _named(asked: str, names: dict[str, str], *, as_sheet: bool = False) -> str | None:
    """Return the key of the longest folded name that `asked` mentions, the earlier on a tie.

    With `as_sheet` only a mention as a sheet counts: in quotes, or beside a word such as 表 or sheet.
    """
    mentions = _mentions_as_sheet if as_sheet else _mentions
    found = [key for key, name in names.items() if name in asked and mentions(asked, name)]
    return max(found, key=lambda key: len(names[key]), default=None)


def _mentions(asked: str, name: str) -> bool:
    return len(name) > 1 and name not in _REQUEST_WORDS and re.search(_as_word(name), asked) is not None


def _mentions_as_sheet(asked: str, name: str) -> bool:
    word = _as_word(name)
    marked = [rf"{_QUOTES}{word}{_QUOTES}", rf"{word}\s*{_SHEET_WORD}", rf"{_SHEET_WORD}\s*{word}"]
    if name not in _REQUEST_WORDS:
        marked.append(f"{word}表")
    return bool(name) and re.search("|".join(marked), asked) is not None


def _as_word(name: str) -> str:
    """Return a pattern that finds a name, but no part of a longer Latin word or number."""
    before = r"(?<![a-z0-9_])" if re.match(r"[a-z0-9_]", name) else ""
    after = r"(?![a-z0-9_])" if re.search(r"[a-z0-9_]$", name) else ""
    return before + re.escape(name) + after


def _without_columns(asked: str, tables: Sequence[TableCard]) -> str:
    """Return `asked` with the column names cut out, the longest first: 销售 in 销售额 names no sheet."""
    names = {fold(column.original) for table in tables for column in table.columns}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        if len(name) > 1:
            asked = asked.replace(name, "\n")
    return asked
