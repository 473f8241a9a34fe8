"""Placeholders of a run: the same name gets the same token in all its programs and errors."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from mindatlas.evals.release import vocabulary

NUM: Final = "NUM"
STR: Final = "STR"
PLACEHOLDER: Final = re.compile(r"(?:COL|V)[1-9][0-9]*|STR|NUM")


class Tokens:
    """Gives out COL1.. and V1.., numbered as names are met.

    Args:
        columns: Names that are columns, wherever they stand.
        sheets: Names of sheets and workbooks.
    """

    def __init__(self, columns: Iterable[str] = (), sheets: Iterable[str] = ()) -> None:
        self.columns = frozenset(columns)
        self.sheets = frozenset(sheets)
        self._given: dict[tuple[str, str], str] = {}
        self._count: Counter[str] = Counter()

    def column(self, name: str) -> str:
        """Return the token of a column."""
        return self._token("COL", name, "column")

    def sheet(self, name: str) -> str:
        """Return the token of a sheet or workbook."""
        return self._token("V", name, "sheet")

    def variable(self, name: str) -> str:
        """Return the token of a name of the program, or the name where it is Python's or AtlasSplit's own."""
        if name in vocabulary.BUILTINS or name in vocabulary.GIVEN or name in vocabulary.KEYWORDS:
            return name
        return self._token("V", name, "variable")

    def attribute(self, name: str) -> str:
        """Return the token of an attribute: a column where it is one, the name where a library has it."""
        if name in vocabulary.attributes():
            return name
        return self.column(name) if name in self.columns else self._token("V", name, "variable")

    def keyword(self, name: str, *, makes_column: bool = False) -> str:
        """Return the token of a keyword argument; some calls make columns by them."""
        if makes_column and name in self.columns:
            return self.column(name)
        if name in vocabulary.parameters():
            return name
        return self.column(name) if name in self.columns else self._token("V", name, "variable")

    def module(self, name: str) -> str:
        """Return a dotted path, with a token for each part that no known module has."""
        root, *rest = name.split(".")
        if root not in vocabulary.modules():
            return ".".join(self._token("V", part, "variable") for part in (root, *rest))
        return ".".join((root, *map(self.attribute, rest)))

    def text(self, value: str, *, sheet_first: bool = False) -> str:
        """Return the token of a text: of the column or sheet it names, else STR."""
        if value in self.sheets and (sheet_first or value not in self.columns):
            return self.sheet(value)
        return self.column(value) if value in self.columns else STR

    def type_name(self, name: str) -> str:
        """Return a class's name where a library has it, else its token."""
        plain = name.rsplit(".", 1)[-1]
        return plain if plain in vocabulary.classes() else self._token("V", plain, "variable")

    def named(self, name: str) -> str | None:
        """Return the token that a column has got, None while it has none."""
        return self._given.get(("column", name))

    def named_sheet(self, name: str) -> str | None:
        """Return the token that a sheet or workbook has got, None while it has none."""
        return self._given.get(("sheet", name))

    def key(self, text: str) -> str:
        """Return what an error's text calls a key, rewritten: `'金额'` becomes `'COL1'`, `7` becomes NUM."""
        try:
            return self._written(ast.literal_eval(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return repr(self.text(text))

    def _written(self, value: object) -> str:
        if isinstance(value, str):
            return repr(self.text(value))
        if value is None or isinstance(value, bool):
            return str(value)
        if isinstance(value, tuple | list):
            inner = ", ".join(self._written(item) for item in value)
            comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
            return f"({inner}{comma})" if isinstance(value, tuple) else f"[{inner}]"
        return NUM if isinstance(value, int | float | complex) else repr(STR)

    def _token(self, prefix: str, name: str, kind: str) -> str:
        if (kind, name) not in self._given:
            self._count[prefix] += 1
            self._given[kind, name] = f"{prefix}{self._count[prefix]}"
        return self._given[kind, name]
