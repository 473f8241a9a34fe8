"""Reads formulas and the columns that they make: 利润=收入-成本, add a column total as price times quantity."""

from __future__ import annotations

from typing import cast

from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import DeriveAsk
from mindatlas.nodes.atlassplit.parts.planner.column_match import scale_in_name
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import (
    Arithmetic,
    Column,
    Expression,
    Number,
    Operator,
)
from mindatlas.nodes.text import fold

_LONGEST_NAME = 40
_MOST_DEFINED = 8
_FORBIDDEN = set("[]{}()\\\n\t=")


@attempt
def read_derived(cursor: Cursor, draft: Draft) -> DeriveAsk | None:
    """Return the new column of a phrase that names it and gives its formula.

    Raises:
        Refused: A column has that name already.
    """
    start = cursor.at
    opened = _opened(cursor)
    for reader in (_name_then_formula, _formula_then_name):
        at = cursor.at
        found = reader(cursor, draft, opened)
        if found is not None:
            _check_name(draft, found.name)
            return found
        cursor.at = at
    cursor.at = start
    return None


def _opened(cursor: Cursor) -> bool:
    """Skip 计算, 新增一列 and the like; return whether such words stood here."""
    cursor.skip("filler")
    opened = cursor.skip("verb") > 0
    opened = cursor.take("new_column") is not None or opened
    cursor.skip("filler")
    return opened


def _name_then_formula(cursor: Cursor, draft: Draft, opened: bool) -> DeriveAsk | None:
    del opened
    cursor.skip("called", "filler")
    while cursor.token.separator == ":":
        cursor.next()
    start = cursor.at
    for stop in range(start + 1, min(start + _MOST_DEFINED, len(cursor.tokens))):
        if "defined" not in cursor.tokens[stop].classes and cursor.tokens[stop].separator != ",":
            continue
        cursor.at = stop
        name = "" if _says_which_rows(cursor, start) else _name(cursor, start)
        while cursor.sees("defined") or cursor.token.separator in (",", ":"):
            cursor.next()
        formula = read_formula(cursor, draft)
        if name and isinstance(formula, Arithmetic):
            return DeriveAsk(name=name, expression=formula)
        cursor.at = start
    return None


def _formula_then_name(cursor: Cursor, draft: Draft, opened: bool) -> DeriveAsk | None:
    """Read 单价*数量叫金额, 收入减成本得到利润; without a name the formula as written is the name."""
    start = cursor.at
    if cursor.token.folded in ("用", "以", "将"):
        cursor.next()
        start = cursor.at
    formula = read_formula(cursor, draft)
    if not isinstance(formula, Arithmetic):
        return None
    written = cursor.written(start)
    at = cursor.at
    while cursor.token.separator == ",":
        cursor.next()
    if cursor.sees("called", "defined"):
        cursor.next()
        cursor.skip("called", "filler")
        begin = cursor.at
        while not cursor.done and not cursor.token.separator and not cursor.sees("then", "also"):
            cursor.next()
        name = _name(cursor, begin)
        return DeriveAsk(name=name, expression=formula) if name else None
    cursor.at = at
    return DeriveAsk(name=written, expression=formula) if opened and cursor.done else None


def _says_which_rows(cursor: Cursor, start: int) -> bool:
    """Return whether what looks like the name of a column begins with groups, rows or time (各门店的利润).

    A value with no more than one character behind it is a name: 合格数, 退款率.
    """
    token = cursor.tokens[start]
    if token.quoted or token.fields or (token.values and len(cursor.written(start)) <= len(token.text) + 1):
        return False
    marked = token.classes.keys() & {"each", "by", "keep", "exclude"}
    return bool(marked or token.dates or token.values)


def _name(cursor: Cursor, start: int) -> str:
    name = cursor.written(start).strip("“”\"'‘’「」《》` ")
    return name if 0 < len(name) <= _LONGEST_NAME and not _FORBIDDEN & set(name) else ""


def _check_name(draft: Draft, name: str) -> None:
    taken = {fold(str(item.name)) for item in draft.fields} | {fold(item.title) for item in draft.fields}
    if fold(name) in taken:
        draft.refuse("ambiguous", "name_taken", name)


@attempt
def read_formula(cursor: Cursor, draft: Draft) -> Expression | None:
    """Return a formula of columns and numbers; 收入和成本的差 is one, too."""
    pair = _pair(cursor, draft)
    formula = pair if pair is not None else _sum(cursor, draft)
    return formula if formula is not None and _has_column(formula) else None


def _has_column(formula: Expression) -> bool:
    if isinstance(formula, Arithmetic):
        return _has_column(formula.left) or _has_column(formula.right)
    return isinstance(formula, Column)


def _sum(cursor: Cursor, draft: Draft) -> Expression | None:
    left = _product(cursor, draft)
    while left is not None and cursor.token.classes.get("math") in ("+", "-"):
        at = cursor.at
        operator = cast(Operator, cursor.take("math"))
        right = _product(cursor, draft)
        if right is None:
            cursor.at = at
            break
        _check_scales(draft, left, right)
        left = Arithmetic(operator=operator, left=left, right=right)
    return left


def _check_scales(draft: Draft, left: Expression, right: Expression) -> None:
    """Refuse to add columns in units as different as 元 and 万元."""
    if isinstance(left, Column) and isinstance(right, Column):
        scales = [scale_in_name(str(column.name)) for column in (left, right)]
        if scales[0] != scales[1]:
            draft.refuse("ambiguous", "unit_scale", str(right.name), column=str(left.name))


def _product(cursor: Cursor, draft: Draft) -> Expression | None:
    left = _operand(cursor, draft)
    while left is not None and cursor.token.classes.get("math") in ("*", "/"):
        at = cursor.at
        operator = cast(Operator, cursor.take("math"))
        right = _operand(cursor, draft)
        if right is None:
            cursor.at = at
            break
        left = Arithmetic(operator=operator, left=left, right=right)
    return left


@attempt
def _operand(cursor: Cursor, draft: Draft) -> Expression | None:
    cursor.skip("filler")
    token = cursor.token
    if token.classes.get("paren") == "open":
        cursor.next()
        inner = _sum(cursor, draft)
        return inner if inner is not None and cursor.take("paren") == "close" else None
    if token.fields:
        if not any(item.is_number and not item.is_code for item in token.fields):
            return None
        cursor.next()
        return draft.number(token).column
    if token.number is not None and not token.number.scaled:
        cursor.next()
        return Number(value=token.number.value)
    return None


@attempt
def _pair(cursor: Cursor, draft: Draft) -> Expression | None:
    """Read 收入和成本的差, 单价与数量的乘积."""
    cursor.skip("filler")
    first = cursor.next()
    if not any(item.is_number for item in first.fields) or not cursor.take("join"):
        return None
    second = cursor.next()
    operator = cursor.take("pair")
    if not any(item.is_number for item in second.fields) or operator is None:
        return None
    return Arithmetic(
        operator=cast(Operator, operator),
        left=draft.number(first).column,
        right=draft.number(second).column,
    )
