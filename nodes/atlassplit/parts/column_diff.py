"""Whether a repaired program differs from the one before in the names of columns only."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow
from mindatlas.nodes.atlassplit.parts.frame_flow.inlining import follow_uncalled
from mindatlas.nodes.atlassplit.parts.frame_flow.queries import parse_query
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE
from mindatlas.nodes.atlassplit.parts.frame_flow.values import DictObject

_LONGEST_TEXT = 80  # characters of a piece of program in a message


@dataclass(frozen=True, kw_only=True)
class ColumnDiff:
    """The difference between two programs.

    Attributes:
        ok: Nothing but names of columns has changed; programs that say the same are ok too.
        columns: Each changed column, before and after, once and in the order of the program.
        other: What else has changed, one line each; empty if ok.
    """

    ok: bool
    columns: tuple[tuple[Hashable, Hashable], ...] = ()
    other: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Change:
    """Two pieces of program that differ; `names` if they may be columns, else None."""

    before: ast.AST
    after: ast.AST
    names: tuple[Hashable, Hashable] | None = None


def only_columns_changed(before: str, after: str) -> ColumnDiff:
    """Return whether `after` is `before` with other column names, and what has changed.

    A changed text, attribute or keyword counts as a column where the data flow meets it as one in both
    programs; `df.a` may become `df['b']`. Layout and comments do not count.

    Example:
        >>> only_columns_changed("result = df['金额'].sum()", "result = df['销售额'].sum()").columns
        (('金额', '销售额'),)
    """
    trees: list[ast.Module] = []
    for which, code in (("before", before), ("after", after)):
        try:
            trees.append(ast.parse(code))
        except (SyntaxError, ValueError, RecursionError):
            return ColumnDiff(ok=False, other=(f"the program {which} is no valid Python",))
    old, new = (_column_names(tree) for tree in trees)
    columns: dict[tuple[Hashable, Hashable], None] = {}
    other: list[str] = []
    for change in _changes(*trees):
        if change.names is not None and change.names[0] in old and change.names[1] in new:
            columns[change.names] = None
        else:
            other.append(_told(change))
    return ColumnDiff(ok=not other, columns=tuple(columns), other=tuple(other))


def _column_names(tree: ast.Module) -> frozenset[Hashable]:
    """Return the names that a program uses or makes as columns; its frames may have any column."""
    flow = Flow()
    table = flow.allocate(OPEN_TABLE, tree, "df")
    sheets = flow.allocate(DictObject((), open=True, default=table), tree, "sheets")
    books = flow.allocate(DictObject((), open=True, default=sheets), tree, "books")
    for name, value in (("df", table), ("sheets", sheets), ("books", books)):
        flow.bind(name, value)
    flow.run(tree)
    follow_uncalled(flow, tree)
    return frozenset(flow.log.mentioned)


def _changes(before: ast.AST, after: ast.AST) -> Iterator[_Change]:
    """Return the smallest differing pieces of two trees."""
    names = _changed_names(before, after)
    if names is not None:
        yield _Change(before, after, names)
        yield from _changes_below(_owner(before), _owner(after))
    elif isinstance(before, ast.Constant) and isinstance(after, ast.Constant):
        if before.value != after.value or type(before.value) is not type(after.value):
            yield from _text_changes(before, after)
    elif type(before) is type(after):
        yield from _changes_in_fields(before, after)
    else:
        yield _Change(before, after)


def _changed_names(before: ast.AST, after: ast.AST) -> tuple[Hashable, Hashable] | None:
    """Return the names if both pieces pick one part of a value, `df.a` or `df['a']`, under different names."""
    old, new = _picked(before), _picked(after)
    if old is None or new is None or old == new or type(before) is type(after) is ast.Subscript:
        return None
    return old, new


def _picked(node: ast.AST) -> Hashable | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    constant = node.slice if isinstance(node, ast.Subscript) else None
    return constant.value if isinstance(constant, ast.Constant) else None


def _owner(node: ast.AST) -> ast.expr | None:
    return node.value if isinstance(node, ast.Attribute | ast.Subscript) else None


def _changes_below(before: ast.expr | None, after: ast.expr | None) -> Iterator[_Change]:
    if before is not None and after is not None:
        yield from _changes(before, after)


def _text_changes(before: ast.Constant, after: ast.Constant) -> Iterator[_Change]:
    """Return the change of a constant; of a query text the changes inside it."""
    queries = [parse_query(node.value) if isinstance(node.value, str) else None for node in (before, after)]
    old, new = queries
    if old is None or new is None or _is_plain_name(old[0]) or _is_plain_name(new[0]):
        yield _Change(before, after, (before.value, after.value))
        return
    inner = list(_changes(old[0], new[0]))
    if not all(
        isinstance(change.before, ast.Name) and isinstance(change.after, ast.Name) for change in inner
    ):
        yield _Change(before, after, (before.value, after.value))
        return
    for change in inner:
        names = [node.id for node in (change.before, change.after) if isinstance(node, ast.Name)]
        yield _Change(before, after, (old[1].get(names[0], names[0]), new[1].get(names[1], names[1])))


def _is_plain_name(tree: ast.Module) -> bool:
    return (
        len(tree.body) == 1
        and isinstance(tree.body[0], ast.Expr)
        and isinstance(tree.body[0].value, ast.Name)
    )


def _changes_in_fields(before: ast.AST, after: ast.AST) -> Iterator[_Change]:
    if isinstance(before, ast.keyword) and isinstance(after, ast.keyword) and before.arg != after.arg:
        yield _Change(before, after, (before.arg, after.arg))
        yield from _changes(before.value, after.value)
        return
    for field in before._fields:
        old, new = getattr(before, field, None), getattr(after, field, None)
        if isinstance(old, list) and isinstance(new, list):
            yield from _changes_in_lists(old, new, before, after)
        elif isinstance(old, ast.AST) and isinstance(new, ast.AST):
            yield from _changes(old, new)
        elif old != new:
            yield _Change(before, after)


def _changes_in_lists(
    old: Sequence[object], new: Sequence[object], before: ast.AST, after: ast.AST
) -> Iterator[_Change]:
    if len(old) != len(new):
        yield _Change(before, after)
        return
    for first, second in zip(old, new, strict=True):
        if isinstance(first, ast.AST) and isinstance(second, ast.AST):
            yield from _changes(first, second)
        elif first != second:
            yield _Change(before, after)


def _told(change: _Change) -> str:
    line = getattr(change.before, "lineno", None) or getattr(change.after, "lineno", 1)
    return f"line {line}: {_text(change.before)} became {_text(change.after)}"


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"
