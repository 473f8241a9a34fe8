"""Follows functions of the program where they are called, with the values they are called with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.state import OutOfStepsError, join_all, join_values
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    NONE,
    UNKNOWN,
    DictObject,
    Function,
    Stream,
    TupleValue,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

DEEPEST_CALL = 6  # calls within calls that are followed


def call_function(
    flow: Flow,
    function: Function,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    node: ast.AST,
) -> Value:
    """Return what `function` returns for these arguments; a recursive call gives an unknown value."""
    if function.node in flow.calls or len(flow.calls) >= DEEPEST_CALL:
        flow.expose([*values, *keywords.values()])
        return UNKNOWN
    with flow.called(function, node):
        _bind_parameters(flow, function.node.args, values, keywords)
        if isinstance(function.node, ast.Lambda):
            return flow.evaluate(function.node.body)
        return _follow_body(flow, function.node.body)


def _follow_body(flow: Flow, body: Sequence[ast.stmt]) -> Value:
    exits, left = flow.enter_function(), flow.log.left
    flow.execute(body)
    flow.exits.pop()
    flow.log.left = left  # a return leaves the function, not the loop around the call
    ends = [*exits.returns, *([(flow.state, NONE)] if flow.live else [])]
    flow.resume(join_all(state for state, _ in ends))
    if exits.yields:
        return Stream(join_values(exits.yields))
    return join_values(value for _, value in ends)


def _bind_parameters(
    flow: Flow, parameters: ast.arguments, values: Sequence[Value], keywords: Mapping[str, Value]
) -> None:
    positional = [*parameters.posonlyargs, *parameters.args]
    required = len(positional) - len(parameters.defaults)
    for position, parameter in enumerate(positional):
        given = values[position] if position < len(values) else keywords.get(parameter.arg)
        default = parameters.defaults[position - required] if position >= required else None
        flow.bind(parameter.arg, _given_or_default(flow, given, default))
    for parameter, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
        flow.bind(parameter.arg, _given_or_default(flow, keywords.get(parameter.arg), default))
    if parameters.vararg:
        flow.bind(parameters.vararg.arg, TupleValue(tuple(values[len(positional) :])))
    if parameters.kwarg:
        named = {parameter.arg for parameter in (*positional, *parameters.kwonlyargs)}
        _bind_rest(flow, parameters.kwarg, ((name, keywords[name]) for name in keywords if name not in named))


def _bind_rest(flow: Flow, parameter: ast.arg, items: Iterable[tuple[str, Value]]) -> None:
    flow.bind(parameter.arg, flow.allocate(DictObject(tuple(items)), parameter))


def _given_or_default(flow: Flow, given: Value | None, default: ast.expr | None) -> Value:
    if given is not None:
        return given
    return flow.evaluate(default) if default is not None else UNKNOWN


def follow_uncalled(flow: Flow, tree: ast.Module) -> None:
    """Follow each function of the program as if it were called with the variables its parameters name."""
    for node in (statement for statement in tree.body if isinstance(statement, ast.FunctionDef)):
        names = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
        values = [flow.look_up(name) or UNKNOWN for name in names]
        try:
            call_function(flow, Function(node, 0), values, {}, node)
        except (OutOfStepsError, RecursionError):
            return
