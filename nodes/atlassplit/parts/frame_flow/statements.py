"""What each simple statement does to the state, and the table of all statements."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindatlas.nodes.atlassplit.parts.frame_flow import blocks
from mindatlas.nodes.atlassplit.parts.frame_flow.access import delete_subscript
from mindatlas.nodes.atlassplit.parts.frame_flow.assignment import assign
from mindatlas.nodes.atlassplit.parts.frame_flow.operators import binary
from mindatlas.nodes.atlassplit.parts.frame_flow.values import UNKNOWN, Const, Function, Member, Module

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow


def _expression(flow: Flow, node: ast.Expr) -> None:
    flow.evaluate(node.value)


def _assign(flow: Flow, node: ast.Assign) -> None:
    value = flow.evaluate(node.value)
    for target in node.targets:
        assign(flow, target, value)


def _annotated(flow: Flow, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(flow, node.target, flow.evaluate(node.value))


def _augmented(flow: Flow, node: ast.AugAssign) -> None:
    old = flow.evaluate(node.target)
    assign(flow, node.target, binary(flow, node.op, old, flow.evaluate(node.value), node))


def _delete(flow: Flow, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            delete_subscript(flow, target)
        elif isinstance(target, ast.Name):
            flow.bind(target.id, UNKNOWN)


def _raise(flow: Flow, node: ast.Raise) -> None:
    if node.exc is not None:
        flow.evaluate(node.exc)
    flow.resume(None)


def _define(flow: Flow, node: ast.FunctionDef) -> None:
    flow.bind(node.name, UNKNOWN if node.decorator_list else Function(node, flow.scope))


def _define_class(flow: Flow, node: ast.ClassDef) -> None:
    flow.bind(node.name, UNKNOWN)


def _import(flow: Flow, node: ast.Import) -> None:
    for alias in node.names:
        name = alias.asname or alias.name.split(".")[0]
        flow.bind(name, Module(alias.name if alias.asname else name))


def _import_from(flow: Flow, node: ast.ImportFrom) -> None:
    for alias in node.names:
        flow.bind(alias.asname or alias.name, Member(Module(node.module or ""), alias.name))


def _global(flow: Flow, node: ast.Global) -> None:
    flow.homes.update({(flow.scope, name): 0 for name in node.names})


def _nonlocal(flow: Flow, node: ast.Nonlocal) -> None:
    flow.homes.update({(flow.scope, name): flow.parents[flow.scope] or 0 for name in node.names})


def _assert(flow: Flow, node: ast.Assert) -> None:
    test = flow.evaluate(node.test)
    if isinstance(test, Const) and not test.value:
        flow.resume(None)


Handler = Callable[["Flow", Any], None]
STATEMENTS: dict[type[ast.stmt], Handler] = {
    ast.AnnAssign: _annotated,
    ast.Assert: _assert,
    ast.Assign: _assign,
    ast.AugAssign: _augmented,
    ast.Break: blocks.follow_break,
    ast.ClassDef: _define_class,
    ast.Continue: blocks.follow_continue,
    ast.Delete: _delete,
    ast.Expr: _expression,
    ast.For: blocks.follow_for,
    ast.FunctionDef: _define,
    ast.Global: _global,
    ast.If: blocks.follow_if,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Match: blocks.follow_match,
    ast.Nonlocal: _nonlocal,
    ast.Raise: _raise,
    ast.Return: blocks.follow_return,
    ast.Try: blocks.follow_try,
    ast.While: blocks.follow_while,
    ast.With: blocks.follow_with,
}
