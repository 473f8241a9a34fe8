"""What a check may look at: the inputs, the result, and where in them a name stands."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Json
from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.text import fold

_MOST_NAMES_TOLD = 30


class CannotCheckError(Exception):
    """The assertion cannot be evaluated, and so fails; the message says why. Never leaves this package."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What one check found; the fields are those of `Checked`, the difference still exact."""

    passed: bool
    expected: Json = None
    actual: Json = None
    difference: Decimal | None = None
    reason: str = ""
    quoted: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The inputs and the outcome of a run; `active` is the key of the input that the code saw as `df`."""

    inputs: Mapping[str, pd.DataFrame]
    active: str
    result: Result
    input_intact: bool

    def tables(self, table: str | None = None) -> dict[str, pd.DataFrame]:
        """Return the tables of the result by name, only `table` when it is given.

        Raises:
            CannotCheckError: There is no such table, or the result is none.
        """
        if self.result is None:
            raise CannotCheckError("there is no result")
        if isinstance(self.result, pd.DataFrame):
            return {"": self.result}
        if not isinstance(self.result, dict):
            raise CannotCheckError("the result is a single value, not a table")
        if table is None:
            return self.result
        found = [name for name in self.result if name == table] or [
            name for name in self.result if fold(name) == fold(table)
        ]
        if len(found) != 1:
            raise CannotCheckError(f"the result has no table {table!r}; it has {quoted_names(self.result)}")
        return {found[0]: self.result[found[0]]}

    def input_with(self, names: Sequence[str]) -> pd.DataFrame:
        """Return the active input if it has all these columns, else the one other input that has.

        Raises:
            CannotCheckError: None has, or several others have.
        """
        active = self.inputs.get(self.active)
        if active is not None and all(has_column(active, name) for name in names):
            return active
        others = [frame for frame in self.inputs.values() if all(has_column(frame, name) for name in names)]
        if len(others) == 1:
            return others[0]
        asked = ", ".join(map(repr, names))
        if others:
            raise CannotCheckError(f"several inputs have {asked}, and the active one has not")
        real = quoted_names(() if active is None else active.columns)
        raise CannotCheckError(f"no input has {asked}; the active one has {real}")


def has_column(frame: pd.DataFrame, name: str) -> bool:
    """Return whether exactly one column answers to `name`."""
    return len(_positions(frame, name)) == 1


def column_of(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return the column that is called `name`, exactly or else folded (case, width, spaces).

    Raises:
        CannotCheckError: No column is called so, or several are; the message lists the real names.
    """
    found = _positions(frame, name)
    if len(found) > 1:
        raise CannotCheckError(f"{len(found)} columns are called {name!r}")
    if not found:
        raise CannotCheckError(f"there is no column {name!r}; there are {quoted_names(frame.columns)}")
    return frame.iloc[:, found[0]]


def label_text(label: object) -> str:
    """Return a column's label as it is written in assertions: dates as ISO 8601, levels joined by `/`."""
    if isinstance(label, tuple):
        return "/".join(text for text in map(label_text, label) if text)
    if isinstance(label, dt.datetime):
        return label.date().isoformat() if label.time() == dt.time() else label.isoformat(" ")
    return str(label)


def quoted_names(names: Iterable[object]) -> str:
    """Return names for a message, the first thirty of them."""
    texts = [repr(label_text(name)) for name in names]
    more = f" and {len(texts) - _MOST_NAMES_TOLD} more" if len(texts) > _MOST_NAMES_TOLD else ""
    return ", ".join(texts[:_MOST_NAMES_TOLD]) + more if texts else "none"


def _positions(frame: pd.DataFrame, name: str) -> list[int]:
    labels = [label_text(label) for label in frame.columns]
    exact = [at for at, label in enumerate(labels) if label == name]
    return exact or [at for at, label in enumerate(labels) if fold(label) == fold(name)]
