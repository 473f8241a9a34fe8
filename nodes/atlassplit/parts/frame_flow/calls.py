"""Calls: the arguments as they were given, and who answers for which kind of receiver."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels, read_labels
from mindatlas.nodes.atlassplit.parts.frame_flow.inlining import call_function
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE
from mindatlas.nodes.atlassplit.parts.frame_flow.state import join_tables
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    NONE,
    UNKNOWN,
    Const,
    DictObject,
    Expression,
    Function,
    HeapObject,
    Ref,
    Table,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of method `name` of `base`; `spread`: more arguments may have been given than are known."""

    flow: Flow
    node: ast.Call
    base: Value
    name: str
    args: Sequence[Value]
    keywords: Mapping[str, Value]
    spread: bool = False

    @property
    def heap(self) -> Mapping[int, HeapObject]:
        """The heap at this point."""
        return self.flow.state.heap

    @property
    def owner(self) -> ast.expr:
        """The expression of the receiver, which names the frame in messages."""
        return self.node.func.value if isinstance(self.node.func, ast.Attribute) else self.node

    @property
    def table(self) -> Table:
        """The receiver's table, an open one if it is none."""
        return self.flow.table(self.base) or OPEN_TABLE

    def arg(self, position: int | None, name: str) -> Value | None:
        """Return the argument at `position` or called `name`, None when it was not given."""
        if position is not None and position < len(self.args):
            return self.args[position]
        if name in self.keywords:
            return self.keywords[name]
        return UNKNOWN if self.spread else None

    def constant(self, position: int | None, name: str, default: Hashable) -> Hashable:
        """Return the constant given for an argument, `default` when none is, HIDDEN when it is not known."""
        value = self.arg(position, name)
        if value is None:
            return default
        return value.value if isinstance(value, Const) else HIDDEN

    def flag(self, position: int | None, name: str, *, default: bool = False) -> bool | None:
        """Return a yes/no argument, None when it is not known."""
        value = self.constant(position, name, default)
        return None if value is HIDDEN else bool(value)

    def by_columns(self, position: int | None, name: str = "axis") -> bool | None:
        """Return whether the axis argument means the columns, None when it is not known."""
        value = self.constant(position, name, 0)
        return None if value is HIDDEN else value in {1, "columns"}

    def labels(self, value: Value | None, table: Table | None = None) -> Labels | None:
        """Return the column labels that an argument holds, None when it holds none that are known.

        A tuple is a list of labels unless `table` (the receiver's) has a column of that name.
        """
        if isinstance(value, Const) and isinstance(value.value, tuple):
            known = (self.table if table is None else table).lookup(value.value) == "present"
            return Labels((value.value,), scalar=True) if known else Labels(value.value)
        return None if value is None else read_labels(value, self.heap)

    def require(
        self,
        value: Value | None,
        table: Table | None = None,
        *,
        levels: bool = False,
        node: ast.expr | None = None,
    ) -> Labels | None:
        """Log the labels of an argument as columns of `table` (the receiver's), and return them."""
        table = self.table if table is None else table
        labels = self.labels(value, table)
        if labels is not None:
            self.flow.log.refer_all(labels, table, node or self.owner, levels=levels)
        return labels

    def give(self, table: Table, slot: Hashable = 0) -> Ref:
        """Return a new frame or row."""
        return self.flow.allocate(table, self.node, slot)

    def finish(self, table: Table) -> Value:
        """Return the changed frame, or change the receiver where `inplace` was asked for."""
        inplace = self.flag(None, "inplace")
        if inplace is not False and isinstance(self.base, Ref):
            self.flow.update(self.base, lambda old: table if inplace else join_tables(old, table))
        return NONE if inplace else self.give(table)

    def apply_expression(self, value: Value | None) -> None:
        """Log the columns that a `pd.col` expression takes from the receiver."""
        for name in value.names if isinstance(value, Expression) else ():
            self.flow.log.refer(name, self.table, self.owner)

    def run(self, function: Value | None, *values: Value, **keywords: Value) -> Value:
        """Return what a function given as an argument returns for `values`; unknown for any other value."""
        if not isinstance(function, Function):
            return UNKNOWN
        return call_function(self.flow, function, values, keywords, self.node)

    def run_all(self) -> None:
        """Follow the functions among the arguments with arguments that are not known."""
        for value in (*self.args, *self.keywords.values()):
            if isinstance(value, Function):
                self.run(value, *[UNKNOWN] * len(value.node.args.args))

    def dict_argument(self, value: Value | None) -> DictObject | None:
        """Return the dict behind an argument, None when it is none."""
        if isinstance(value, Ref) and len(value.ids) == 1:
            item = self.heap[value.ids[0]]
            return item if isinstance(item, DictObject) else None
        return None


Method = Callable[[Call], Value]


def read_arguments(flow: Flow, node: ast.Call) -> tuple[list[Value], dict[str, Value], bool]:
    """Return the positional and keyword arguments, and whether some are not known."""
    args: list[Value] = []
    spread = False
    for argument in node.args:
        if not isinstance(argument, ast.Starred):
            args.append(flow.evaluate(argument))
            continue
        items = known_items(flow.evaluate(argument.value), flow.state.heap)
        if items is None:
            spread = True
            break
        args.extend(items)
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        value = flow.evaluate(keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            continue
        pairs = _text_items(value, flow.state.heap)
        spread |= pairs is None
        keywords.update(pairs or ())
    return args, keywords, spread


def _text_items(value: Value, heap: Mapping[int, HeapObject]) -> Iterator[tuple[str, Value]] | None:
    item = heap[value.ids[0]] if isinstance(value, Ref) and len(value.ids) == 1 else None
    if not isinstance(item, DictObject) or item.open:
        return None
    return ((key, inner) for key, inner in item.items if isinstance(key, str))
