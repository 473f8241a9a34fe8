"""Named faults for right programs, one a class of error, and what a writer must be told to mend each."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from mindatlas.nodes.atlassplit.parts.workbook_model import Books, ColumnName

_WRONG_LAST: Final = "项值"

Spoil = Callable[[str, Books], str]
Told = Callable[[str, str, Books], bool]


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A way to break a program.

    Attributes:
        name: What the notices call it.
        spoil: Returns the broken program; the same one where the fault has nothing to work on.
        told: Returns whether the findings hold what is needed to mend the program.
    """

    name: str
    spoil: Spoil
    told: Told


def _before(statement: str) -> Spoil:
    def spoil(code: str, _: Books) -> str:
        return f"{statement}\n{code}"

    return spoil


def _behind(statements: str) -> Spoil:
    def spoil(code: str, _: Books) -> str:
        return code + statements

    return spoil


def _tells(pattern: str) -> Told:
    """Return whether the findings hold what the pattern matches: the exact difference, the name of an import."""

    def told(_: str, findings: str, __: Books) -> bool:
        return re.search(pattern, findings) is not None

    return told


def _wrong_column(code: str, books: Books) -> str:
    name = _first_column(code, books)
    return code if name is None else "".join(_renamed(code, name, _misread(name)))


def _right_name_told(code: str, findings: str, books: Books) -> bool:
    name = _first_column(code, books)
    return name is None or name in findings


def _first_column(code: str, books: Books) -> str | None:
    """Return the first text in the program that is the name of a column."""
    names = {column.name for table in books.card.tables for column in table.columns}
    return next((text for _, text in _texts(code) if text in names and len(text) > 1), None)


def _misread(name: str) -> str:
    wrong = _WRONG_LAST[0] if name[-1] != _WRONG_LAST[0] else _WRONG_LAST[1]
    return name[:-1] + wrong


def _texts(code: str) -> Iterator[tuple[tokenize.TokenInfo, str]]:
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.STRING and token.string[0] in "'\"":
            yield token, str(ast.literal_eval(token.string))


def _renamed(code: str, name: str, wrong: str) -> list[str]:
    lines = code.splitlines(keepends=True)
    found = [token for token, text in _texts(code) if text == name]
    for token in reversed(found):
        row, line = token.start[0] - 1, lines[token.start[0] - 1]
        lines[row] = line[: token.start[1]] + repr(wrong) + line[token.end[1] :]
    return lines


def _text_as_number(code: str, books: Books) -> str:
    column = _text_column(books)
    return code if column is None else f"scale = df[{column!r}].astype(float)\n{code}"


def _text_column(books: Books) -> ColumnName | None:
    columns = books.card.active_table.columns
    plain = (column for column in columns if column.type == "text" and not column.warnings)
    return next((column.name for column in plain if column.distinct), None)


_MORE_THAN_ASKED: Final = """
if isinstance(result, pd.DataFrame):
    result = pd.concat([result, result.head(1)], ignore_index=True)
elif isinstance(result, dict):
    result = dict(list(result.items())[1:])
else:
    result = result + result
"""

FAULTS: Final[dict[str, Fault]] = {
    "E1": Fault(name="a column misnamed", spoil=_wrong_column, told=_right_name_told),
    "E2": Fault(name="text taken for numbers", spoil=_text_as_number, told=_tells("could not convert")),
    "E3": Fault(
        name="a row counted twice", spoil=_behind(_MORE_THAN_ASKED), told=_tells(r"difference [+-]?\d")
    ),
    "E4": Fault(
        name="a row past the end", spoil=_before("last = df.iloc[len(df)]"), told=_tells("out-of-bounds")
    ),
    "E5": Fault(name="no result left", spoil=_behind("\nresult = None\n"), told=_tells("`result`")),
    "E6": Fault(
        name="an import that is not allowed", spoil=_before("import requests"), told=_tells("requests")
    ),
    "E7": Fault(
        name="more memory than allowed", spoil=_before("padding = [0] * 10**11"), told=_tells("(?i)memory")
    ),
}
