"""The log of the columns that a program refers to, each with what is known about it."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    Choice,
    ColumnIndex,
    Const,
    DictObject,
    HeapObject,
    ListObject,
    Name,
    Ref,
    Table,
    TupleValue,
    Value,
    Verdict,
)

LabelKind = Literal["rows", "items", "columns"]
LONGEST_FRAME_TEXT = 60  # characters of program text that name a frame in a message


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """One reference: `columns` are those the frame had there, `frame` is its program text."""

    name: Name
    verdict: Verdict
    line: int
    frame: str
    columns: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """Column labels that an argument asks for: all of `required`, some of `possible`, others if `open`.

    A `scalar` asks for one label: for exactly one of `possible` where nothing is required.
    """

    required: tuple[Name, ...] = ()
    possible: tuple[Name, ...] = ()
    open: bool = False
    scalar: bool = False

    @property
    def names(self) -> tuple[Name, ...]:
        """All labels that may be asked for, in order."""
        return self.required + self.possible

    @property
    def exact(self) -> bool:
        """Whether `required` is all there is."""
        return not self.possible and not self.open


@dataclass(slots=True)
class ColumnLog:
    """Collects references.

    Attributes:
        refs: The references to columns of known frames, in the order in which they are met.
        mentioned: Names of columns used or made, also where no frame is known.
        labels: Line, key and what was looked into, for keys that are no columns of a known frame: `rows` of
            a column or frame, `items` of a container, `columns` perhaps of a value that is not known.
    """

    refs: list[ColumnRef] = field(default_factory=list)
    labels: list[tuple[int, Hashable, LabelKind]] = field(default_factory=list)
    mentioned: set[Hashable] = field(default_factory=set)
    _muted: int = 0
    _guarded: int = 0
    _straight: bool = False
    left: bool = False

    @contextmanager
    def muted(self) -> Iterator[None]:
        """Log nothing in this block: it is read only for its effects."""
        self._muted += 1
        yield
        self._muted -= 1

    @contextmanager
    def guarded(self, guards: bool = True) -> Iterator[None]:
        """In this block an absent column does not stop the program, so it is only unknown."""
        self._guarded += guards
        yield
        self._guarded -= guards

    @contextmanager
    def straight(self) -> Iterator[None]:
        """In this block, the first pass of a loop, log only what is reached before any branch.

        What stands in a branch, or after one that may leave the pass (`left`), may wait for columns that
        later passes make.
        """
        straight, left = self._straight, self.left
        self._straight, self.left = True, False
        yield
        self._straight, self.left = straight, left or self.left

    @contextmanager
    def maybe(self, doubt: bool = True) -> Iterator[None]:
        """This block may be skipped if there is doubt: log nothing of it in a first pass."""
        straight = self._straight and doubt
        self._muted += straight
        yield
        self._muted -= straight

    @property
    def silent(self) -> bool:
        """Whether nothing is logged now."""
        return self._muted > 0

    def refer(self, name: Name, table: Table, node: ast.expr, *, levels: bool = False) -> None:
        """Log that `name` must be a column of `table`, which the expression `node` stands for."""
        self.mentioned.add(name)
        verdict = table.lookup(name, levels=levels)
        self._add(name, "unknown" if verdict == "absent" and self._guarded else verdict, table, node)
        if verdict == "absent":
            for new, old in table.renames:
                if new == name:
                    self._add(old, "unknown" if self._guarded else "absent", table, node)

    def refer_all(self, labels: Labels, table: Table, node: ast.expr, *, levels: bool = False) -> None:
        """Log each of `labels`; alternatives are absent only when all of them are."""
        for name in labels.required:
            self.refer(name, table, node, levels=levels)
        verdicts = {table.lookup(name, levels=levels) for name in labels.possible}
        certain = labels.scalar and verdicts == {"absent"} and not labels.open and not labels.required
        with self.guarded(not certain):
            for name in labels.possible:
                self.refer(name, table, node, levels=levels)
        if labels.open:
            self._add(f"{_frame_text(node)}[…]", "unknown", table, node)

    def refer_unread(self, table: Table, node: ast.expr) -> None:
        """Log that the expression `node` chooses a column by a value that the program text does not tell."""
        self._add(ast.unparse(node)[:LONGEST_FRAME_TEXT], "unknown", table, node)

    def _add(self, name: Name, verdict: Verdict, table: Table, node: ast.expr) -> None:
        if self.silent or (self._straight and self.left):
            return
        frame = "" if verdict == "present" else _frame_text(node)
        self.refs.append(ColumnRef(name, verdict, node.lineno, frame, table.columns))


def _frame_text(node: ast.expr) -> str:
    """Return the program text that names a frame, without the grouping of its rows."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "groupby":
        node = node.func.value
    return ast.unparse(node)[:LONGEST_FRAME_TEXT]


def read_labels(value: Value, heap: Mapping[int, HeapObject]) -> Labels | None:
    """Return the column labels that `value` holds, None when it is no label or list of labels."""
    match value:
        case Const(None):
            return None
        case Const(label):
            return Labels((label,), scalar=True)
        case Choice(values):
            return Labels(possible=values, scalar=True)
        case ColumnIndex(names, is_open, exact):
            return Labels(names, open=is_open) if exact else Labels(possible=names, open=is_open)
        case TupleValue(items):
            return _labels_of_items(items)
        case Ref((single,)):
            return _labels_of_object(heap[single])
        case _:
            return None


def _labels_of_object(item: HeapObject) -> Labels | None:
    if isinstance(item, ListObject):
        labels = _labels_of_items(item.items)
        if item.exact:
            return labels
        certain = _labels_of_items(item.certain).required
        possible = tuple(name for name in labels.names if name not in certain)
        return Labels(certain, possible, open=labels.open or item.open)
    if isinstance(item, DictObject):
        keys = tuple(key for key, _ in item.items)
        return Labels(possible=keys, open=True) if item.open else Labels(keys)
    return None


def _labels_of_items(items: tuple[Value, ...]) -> Labels:
    required = tuple(item.value for item in items if isinstance(item, Const))
    possible = tuple(name for item in items if isinstance(item, Choice) for name in item.values)
    return Labels(required, possible, open=any(not isinstance(item, Const | Choice) for item in items))
