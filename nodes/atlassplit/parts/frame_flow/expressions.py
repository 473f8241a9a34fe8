"""What each kind of expression evaluates to."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mindatlas.nodes.atlassplit.parts.frame_flow.access import attribute, subscript
from mindatlas.nodes.atlassplit.parts.frame_flow.comparisons import compare
from mindatlas.nodes.atlassplit.parts.frame_flow.comprehensions import (
    dict_comprehension,
    list_comprehension,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.dispatch import follow_call
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import typical_item
from mindatlas.nodes.atlassplit.parts.frame_flow.literals import (
    dict_literal,
    joined_text,
    list_literal,
    tuple_literal,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.operators import binary, truth
from mindatlas.nodes.atlassplit.parts.frame_flow.state import (
    about_columns,
    join,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    MASK,
    NONE,
    UNKNOWN,
    Const,
    Expression,
    Function,
    Member,
    Module,
    Series,
    SliceValue,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

_USUAL_MODULES = {"pd": Module("pandas"), "np": Module("numpy")}  # names that programs use without an import


def _constant(_: Flow, node: ast.Constant) -> Value:
    return UNKNOWN if node.value is ... else Const(node.value)


def _name(flow: Flow, node: ast.Name) -> Value:
    value = flow.look_up(node.id)
    if value is not None:
        return value
    if hasattr(builtins, node.id):
        return Member(Module("builtins"), node.id)
    return _USUAL_MODULES.get(node.id, UNKNOWN)


def _binary(flow: Flow, node: ast.BinOp) -> Value:
    return binary(flow, node.op, flow.evaluate(node.left), flow.evaluate(node.right), node)


def _unary(flow: Flow, node: ast.UnaryOp) -> Value:
    value = flow.evaluate(node.operand)
    if isinstance(node.op, ast.Not):
        known = truth(value, flow.state.heap)
        return Const(not known) if known is not None else Unknown(about_columns=about_columns(value))
    if isinstance(node.op, ast.USub) and isinstance(value, Const) and isinstance(value.value, int | float):
        return Const(-value.value)
    if isinstance(value, Series):
        return Series(value.name, value.index, mask=True)
    if isinstance(value, Expression) or flow.table(value) is not None:
        return value
    return MASK if isinstance(node.op, ast.Invert) else UNKNOWN


def _boolean(flow: Flow, node: ast.BoolOp) -> Value:
    stops = isinstance(node.op, ast.Or)
    guards = False
    joined: Value | None = None
    for position, operand in enumerate(node.values):
        with flow.log.guarded(guards), flow.log.maybe(joined is not None):
            value = flow.evaluate(operand)
        known = truth(value, flow.state.heap)
        if known is stops or (known is not None and operand is node.values[-1]):
            _follow_aside(flow, node.values[position + 1 :])
            return value if joined is None else join(joined, value)
        if known is None:
            joined = value if joined is None else join(joined, value)
            guards |= about_columns(value)
    return Unknown(about_columns=True) if guards else joined or UNKNOWN


def _follow_aside(flow: Flow, nodes: Sequence[ast.expr]) -> None:
    with flow.aside():
        for node in nodes:
            flow.evaluate(node)


def _compare(flow: Flow, node: ast.Compare) -> Value:
    left = flow.evaluate(node.left)
    verdicts: list[Value] = []
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = flow.evaluate(comparator)
        verdicts.append(compare(flow, op, left, right, comparator))
        left = right
    return verdicts[0] if len(verdicts) == 1 else MASK


def _conditional(flow: Flow, node: ast.IfExp) -> Value:
    test = flow.evaluate(node.test)
    known = truth(test, flow.state.heap)
    if known is None:
        return flow.branch(
            lambda: flow.evaluate(node.body), lambda: flow.evaluate(node.orelse), guard=about_columns(test)
        )
    _follow_aside(flow, [node.orelse if known else node.body])
    return flow.evaluate(node.body if known else node.orelse)


def _lambda(flow: Flow, node: ast.Lambda) -> Value:
    return Function(node, flow.scope)


def _walrus(flow: Flow, node: ast.NamedExpr) -> Value:
    value = flow.evaluate(node.value)
    flow.bind(node.target.id, value)
    return value


def _slice(flow: Flow, node: ast.Slice) -> Value:
    if node.step is not None:
        flow.evaluate(node.step)
    lower = flow.evaluate(node.lower) if node.lower is not None else NONE
    upper = flow.evaluate(node.upper) if node.upper is not None else NONE
    return SliceValue(lower, upper) if node.step is None else SliceValue(UNKNOWN, UNKNOWN)


def _yield(flow: Flow, node: ast.Yield) -> Value:
    flow.exits[-1].yields.append(flow.evaluate(node.value) if node.value is not None else NONE)
    return UNKNOWN


def _yield_from(flow: Flow, node: ast.YieldFrom) -> Value:
    flow.exits[-1].yields.append(typical_item(flow, flow.evaluate(node.value), node))
    return UNKNOWN


def _starred(flow: Flow, node: ast.Starred) -> Value:
    flow.evaluate(node.value)
    return UNKNOWN


EVALUATORS: dict[type[ast.expr], Callable[[Flow, Any], Value]] = {
    ast.Attribute: attribute,
    ast.BinOp: _binary,
    ast.BoolOp: _boolean,
    ast.Call: follow_call,
    ast.Compare: _compare,
    ast.Constant: _constant,
    ast.Dict: dict_literal,
    ast.DictComp: dict_comprehension,
    ast.GeneratorExp: list_comprehension,
    ast.IfExp: _conditional,
    ast.JoinedStr: joined_text,
    ast.Lambda: _lambda,
    ast.List: list_literal,
    ast.ListComp: list_comprehension,
    ast.Name: _name,
    ast.NamedExpr: _walrus,
    ast.Set: list_literal,
    ast.SetComp: list_comprehension,
    ast.Slice: _slice,
    ast.Starred: _starred,
    ast.Subscript: subscript,
    ast.Tuple: tuple_literal,
    ast.UnaryOp: _unary,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
