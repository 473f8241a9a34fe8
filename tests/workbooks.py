"""Workbooks that a test writes cell by cell, and what the reader makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
from openpyxl.worksheet.worksheet import Worksheet

from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.atlassplit.parts.workbook_model import Books, ColumnCard

Fill = Callable[[Worksheet], None]


def save(path: Path, *fills: Fill, names: tuple[str, ...] = ("数据", "第二", "第三")) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, fill in zip(names, fills, strict=False):
        fill(book.create_sheet(name))
    book.save(path)
    return path


def rows(*rows: tuple[object, ...]) -> Fill:
    def fill(sheet: Worksheet) -> None:
        for row in rows:
            sheet.append(list(row))

    return fill


def read(path: Path, request: str = "", *, include_hidden: bool = False) -> Books:
    cache = path.parent / "cache"
    return read_workbooks([path], request=request, cache=cache, include_hidden=include_hidden)


def frame(books: Books, key: str = "") -> pd.DataFrame:
    table = next(table for table in books.card.tables if table.key == (key or books.card.active))
    return read_frame(Path(table.parquet))


def column(books: Books, name: object) -> ColumnCard:
    return next(column for column in books.card.active_table.columns if column.name == name)
