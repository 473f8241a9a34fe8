"""A script that makes a result again, for anyone with Python and pandas."""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from pprint import pformat
from types import ModuleType
from typing import Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.publishing import portable_reader, portable_writer
from mindatlas.nodes.atlassplit.parts.publishing.output_files import refuse_inputs, replacing
from mindatlas.nodes.atlassplit.parts.publishing.reading_recipe import Recipe, recipes_of
from mindatlas.nodes.atlassplit.parts.workbook_model import Books

_LONGEST_REQUEST: Final = 300
_WIDTH: Final = 110
# Inline metadata (PEP 723), so that `uv run out.py` installs what it needs.
_HEAD: Final = """\
# /// script
# requires-python = ">=3.11"
# dependencies = {needs}
# ///
#
# Makes the result of this request again: {request}
# Run it as `uv run {name}` or `python {name} [OUTPUT.xlsx]`: it reads the inputs named below and runs the program
# that stands near the end, without a sandbox. {versions}
"""
_MARK_WITHIN: Final = 1000  # bytes
_MARK: Final = b"# Makes the result of this request again: "
_IMPORTS: Final = """
import csv
import datetime as dt
import io
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
"""
_MINDATLAS_IMPORTS: Final = """
from tempfile import TemporaryDirectory

from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
"""
# The program was written for this version's idioms.
_PANDAS: Final = int(pd.__version__.split(".")[0])
_PORTABLE_NEEDS: Final = f'["pandas>={_PANDAS},<{_PANDAS + 1}", "python-calamine>=0.3", "xlsxwriter>=3.2"]'
_END: Final = """
# Its result.
_out = Path(sys.argv[1]) if len(sys.argv) > 1 else _HERE / {name!r}
_write_result(result, _out)
print(f"wrote {{_out}}")
"""


def is_script(path: Path) -> bool:
    """Return whether a file is a script that `write_script` wrote; another one is somebody's own."""
    try:
        with path.open("rb") as file:
            return _MARK in file.read(_MARK_WITHIN)
    except OSError:
        return False


def write_script(
    path: Path,
    *,
    code: str,
    books: Books,
    request: str,
    versions: str = "",
    include_hidden: bool = False,
) -> list[str]:
    """Write a script that reads the inputs, runs `code` and writes the result; return what to tell.

    The script carries rules for reading the inputs that were tried against the tables the code saw, and needs
    pandas, python-calamine and xlsxwriter only. Where no such rules reproduce a table it reads with mindatlas,
    and that is told. It writes values, not looks, to `<name>.rerun.xlsx` or the path it is given, and runs
    the code without a sandbox.

    Args:
        path: Where to write it; inputs are named relative to its folder.
        code: The program as it ran.
        books: The inputs as they were read.
        request: What the user asked for; a comment.
        versions: What the code ran with; a comment.
        include_hidden: Whether hidden sheets and rows were read.

    Raises:
        UsageError: `path` is an input or cannot be written.
    """
    refuse_inputs(path, [Path(file.path) for file in books.files])
    recipes = recipes_of(books)
    reading = _mindatlas_reading(path, books, include_hidden=include_hidden)
    if recipes is not None:
        reading = _portable_reading(path, books, recipes)
    parts = [
        _head(path, request, versions, _PORTABLE_NEEDS if recipes is not None else '["mindatlas"]'),
        _IMPORTS if recipes is not None else _IMPORTS + _MINDATLAS_IMPORTS,
        *reading,
        *_names(books),
        "\n# The program, as it ran.",
        code.replace("\r\n", "\n").strip("\n"),
        _END.format(name=f"{path.stem}.rerun.xlsx"),
    ]
    with replacing(path) as file:
        file.write("\n".join(parts).encode("utf-8", "replace"))
    if recipes is not None:
        return []
    return [f"{path.name!r} needs mindatlas to read its inputs; pandas alone does not read them the same"]


def _head(path: Path, request: str, versions: str, needs: str) -> str:
    asked = " ".join(request.split())[:_LONGEST_REQUEST]
    ran = f"It ran with {' '.join(versions.split())}." if versions else ""
    return _HEAD.format(needs=needs, request=asked, name=path.name, versions=ran)


def _portable_reading(path: Path, books: Books, recipes: dict[str, Recipe]) -> Iterator[str]:
    paths = {file.book: _relative(path, file.path) for file in books.files}
    tables = {table.key: (paths[table.book], recipes[table.key]) for table in books.card.tables}
    yield "_HERE = Path(__file__).resolve().parent"
    yield "# Each table: its file, and where in the sheet its rows and columns are."
    yield f"_TABLES: dict[str, Any] = {pformat(tables, width=_WIDTH, sort_dicts=False, compact=True)}\n\n"
    yield _body(portable_reader)
    yield "\n\n" + _body(portable_writer)
    yield "\n\nsheets = {key: _read_table(_HERE / file, recipe) for key, (file, recipe) in _TABLES.items()}"


def _mindatlas_reading(path: Path, books: Books, *, include_hidden: bool) -> Iterator[str]:
    paths = [_relative(path, file.path) for file in books.files]
    keys = [table.key for table in books.card.tables]
    yield "_HERE = Path(__file__).resolve().parent\n\n"
    yield _body(portable_writer)
    yield "\n\nwith TemporaryDirectory() as _cache:"
    yield f"    _paths = [_HERE / name for name in {paths!r}]"
    yield f"    _read = read_workbooks(_paths, cache=Path(_cache), include_hidden={include_hidden})"
    yield "    _frames = [read_frame(Path(table.parquet)) for table in _read.card.tables]"
    yield f"sheets = dict(zip({keys!r}, _frames, strict=True))"


def _names(books: Books) -> Iterator[str]:
    """Yield the lines that give the program the names it knows."""
    yield f"df = sheets[{books.card.active!r}]"
    if len(books.files) > 1:
        yield "books = {"
        for file in books.files:
            tables = [table for table in books.card.tables if table.book == file.book]
            entries = ", ".join(f"{table.sheet!r}: sheets[{table.key!r}]" for table in tables)
            yield f"    {file.book!r}: {{{entries}}},"
        yield "}"


def _relative(script: Path, file: str) -> str:
    source = Path(file).resolve()
    try:
        return Path(os.path.relpath(source, script.resolve().parent)).as_posix()
    except ValueError:  # on another drive
        return source.as_posix()


def _body(module: ModuleType) -> str:
    """Return a module's functions as they are written, without docstring and imports."""
    source = inspect.getsource(module)
    first = next(node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    return "\n".join(source.splitlines()[first.lineno - 1 :])
