"""Finds who answers a call: a function of the program, a method by the kind of its receiver, a pandas function."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.builtin_functions import BUILTINS
from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method, read_arguments
from mindatlas.nodes.atlassplit.parts.frame_flow.constants import fold_call, format_text, join_texts
from mindatlas.nodes.atlassplit.parts.frame_flow.containers import DICT_METHODS, LIST_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.frame_methods import FRAME_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.groups import group_method
from mindatlas.nodes.atlassplit.parts.frame_flow.inlining import call_function
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration_functions import FUNCTOOLS
from mindatlas.nodes.atlassplit.parts.frame_flow.labels import LABEL_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.pandas_functions import NUMPY_FUNCTIONS, PANDAS_FUNCTIONS
from mindatlas.nodes.atlassplit.parts.frame_flow.rows import ROW_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.series import series_method
from mindatlas.nodes.atlassplit.parts.frame_flow.state import about_columns, join_values, union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    UNKNOWN,
    Choice,
    ColumnIndex,
    Const,
    DictObject,
    Expression,
    Function,
    Groups,
    Member,
    Module,
    Ref,
    Series,
    Table,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

_FUNCTIONS: Mapping[str, Mapping[str, Method]] = {
    "builtins": BUILTINS,
    "functools": FUNCTOOLS,
    "numpy": NUMPY_FUNCTIONS,
    "pandas": PANDAS_FUNCTIONS,
}


def follow_call(flow: Flow, node: ast.Call) -> Value:
    """Return what the call returns; a callee that is not known may change the frames it is given."""
    callee = _callee(flow, node.func)
    args, keywords, spread = read_arguments(flow, node)
    if isinstance(callee, Function):
        return call_function(flow, callee, args, keywords, node)
    if isinstance(callee, Member):
        return _follow_member(
            Call(
                flow=flow, node=node, base=callee.base, name=callee.name, args=args, keywords=keywords,
                spread=spread,
            )
        )  # fmt: skip
    call = Call(flow=flow, node=node, base=callee, name="", args=args, keywords=keywords, spread=spread)
    return _follow_unseen(call)


def _callee(flow: Flow, node: ast.expr) -> Value:
    """Return what is called; the name after a dot is a method here, even where a column has it too."""
    if not isinstance(node, ast.Attribute):
        return flow.evaluate(node)
    return Member(flow.evaluate(node.value), node.attr)


def _follow_unseen(call: Call) -> Value:
    call.run_all()
    call.flow.expose([*call.args, *call.keywords.values()])
    return Unknown(about_columns=any(map(about_columns, (call.base, *call.args))))


def _follow_member(call: Call) -> Value:
    match call.base:
        case Ref(ids):
            return join_values([_follow_object(call, identity) for identity in _distinct_kinds(call, ids)])
        case Module(path):
            return _follow_function(call, path)
        case Series():
            return series_method(call, call.base)
        case Member(Series(_, _) as series, "str" | "dt" | "cat" as accessor):
            return series_method(call, series, accessor)
        case Groups():
            return group_method(call, call.base)
        case ColumnIndex() | Member(ColumnIndex(_, _, _), _):
            return _follow_labels(call)
        case Const() | Choice():
            return _follow_text(call, call.base)
        case Expression(names):
            others = [value.names for value in call.args if isinstance(value, Expression)]
            return Expression(union(names, *others))
        case Member(Module("pandas"), name):
            return _follow_function(replace(call, name=f"{name}.{call.name}"), "pandas")
        case Member():
            return _follow_known_owner(call)
    return _follow_unseen(call)


def _distinct_kinds(call: Call, ids: tuple[int, ...]) -> tuple[int, ...]:
    """Return one id for all tables (a method sees their join) and each id of a container."""
    return ids[:1] if call.flow.table(call.base) is not None else ids


def _follow_object(call: Call, identity: int) -> Value:
    item = call.heap[identity]
    if isinstance(item, Table):
        methods = ROW_METHODS if call.table.row else FRAME_METHODS
    else:
        methods = DICT_METHODS if isinstance(item, DictObject) else LIST_METHODS
    method = methods.get(call.name)
    if method is not None:
        return method(call)
    call.run_all()
    if call.name.startswith("__"):
        call.flow.expose([call.base])
    return UNKNOWN


def _follow_function(call: Call, path: str) -> Value:
    function = _FUNCTIONS.get(path.split(".")[0], {}).get(call.name)
    if function is not None:
        return function(call)
    return _follow_known_owner(call)


def _follow_known_owner(call: Call) -> Value:
    """Follow a function of a library: it changes no frame, and calls the functions it is given."""
    call.run_all()
    return Unknown(about_columns=any(map(about_columns, call.args)))


def _follow_labels(call: Call) -> Value:
    method = LABEL_METHODS.get(call.name)
    if method is not None:
        return method(call)
    call.run_all()
    return Unknown(about_columns=True, mask=True)


def _follow_text(call: Call, text: Const | Choice) -> Value:
    if isinstance(text, Const) and call.name == "join" and call.args:
        items = known_items(call.args[0], call.heap)
        return UNKNOWN if items is None else join_texts(text.value, items)
    if isinstance(text, Const) and call.name == "format" and not call.spread:
        return format_text(text.value, call.args, call.keywords)
    return UNKNOWN if call.keywords or call.spread else fold_call(text, call.name, call.args)
