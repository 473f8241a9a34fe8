"""Compound statements: branches, loops, guarded and `with` blocks, and the ways out of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.assignment import assign
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import MOST_UNROLLED, known_items, typical_item
from mindatlas.nodes.atlassplit.parts.frame_flow.operators import truth
from mindatlas.nodes.atlassplit.parts.frame_flow.state import about_columns, join_all
from mindatlas.nodes.atlassplit.parts.frame_flow.values import NONE, UNKNOWN, Value

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

# An `except` of these alone does not catch what pandas raises for a column that is not there.
_UNRELATED_ERRORS = frozenset(
    {
        "ValueError", "TypeError", "ZeroDivisionError", "OverflowError", "ArithmeticError", "UnicodeError",
        "UnicodeDecodeError", "ImportError", "ModuleNotFoundError", "FileNotFoundError", "OSError", "IOError",
        "PermissionError", "StopIteration", "IndexError", "MemoryError", "RecursionError", "TimeoutError",
        "NotImplementedError", "AssertionError", "KeyboardInterrupt",
    }
)  # fmt: skip


def follow_if(flow: Flow, node: ast.If) -> None:
    """Follow the branch that is taken where that is known, else both."""
    test = flow.evaluate(node.test)
    known = truth(test, flow.state.heap)
    if known is None:
        flow.branch(_body(flow, node.body), _body(flow, node.orelse), guard=about_columns(test))
        return
    taken, other = (node.body, node.orelse) if known else (node.orelse, node.body)
    with flow.aside():
        flow.execute(other)
    flow.execute(taken)


def _body(flow: Flow, statements: Sequence[ast.stmt]) -> Callable[[], Value]:
    def follow() -> Value:
        flow.execute(statements)
        return NONE

    return follow


def follow_for(flow: Flow, node: ast.For) -> None:
    """Unroll a loop over known items, repeat any other."""
    iterable = flow.evaluate(node.iter)
    items = known_items(iterable, flow.state.heap)
    if items is not None and len(items) <= MOST_UNROLLED:
        _unroll(flow, node, items)
        return

    def once() -> None:
        assign(flow, node.target, typical_item(flow, iterable, node.iter))
        flow.execute(node.body)

    flow.repeat(once)
    flow.execute(node.orelse)


def _unroll(flow: Flow, node: ast.For, items: Sequence[Value]) -> None:
    exits = flow.enter_loop()
    for position, item in enumerate(items):
        if not flow.live:
            break
        with flow.within((id(node), position)):
            assign(flow, node.target, item)
            flow.execute(node.body)
        flow.resume(join_all([flow.snapshot(), *exits.continues]))
        exits.continues.clear()
    flow.exits.pop()
    if flow.live:
        flow.execute(node.orelse)
    flow.resume(join_all([flow.snapshot(), *exits.breaks]))


def follow_while(flow: Flow, node: ast.While) -> None:
    """Repeat the body."""

    def once() -> None:
        flow.evaluate(node.test)
        flow.execute(node.body)

    flow.repeat(once)
    flow.execute(node.orelse)


def follow_break(flow: Flow, _: ast.Break) -> None:
    """Leave the loop."""
    flow.exits[-1].breaks.append(flow.state)
    flow.resume(None)


def follow_continue(flow: Flow, _: ast.Continue) -> None:
    """Go on with the next item."""
    flow.exits[-1].continues.append(flow.state)
    flow.resume(None)


def follow_return(flow: Flow, node: ast.Return) -> None:
    """Leave the function."""
    value = flow.evaluate(node.value) if node.value is not None else NONE
    flow.exits[-1].returns.append((flow.state, value))
    flow.resume(None)


def follow_try(flow: Flow, node: ast.Try) -> None:
    """Follow the body, guarded where a handler catches absent columns, then each handler from any point of it."""
    flow.partials.append(flow.snapshot())
    with flow.log.guarded(any(_catches_absence(handler) for handler in node.handlers)):
        flow.execute(node.body)
    part = flow.partials.pop()
    flow.execute(node.orelse)
    ends = [flow.snapshot()]
    for handler in node.handlers:
        flow.resume(part.copy() if part else None)
        if handler.name:
            flow.bind(handler.name, UNKNOWN)
        with flow.log.maybe():
            flow.execute(handler.body)
        ends.append(flow.snapshot())
    flow.resume(join_all(ends))
    if not flow.live and node.finalbody:
        with flow.aside():
            flow.live = True
            flow.execute(node.finalbody)
    flow.execute(node.finalbody)


def _catches_absence(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(not isinstance(kind, ast.Name) or kind.id not in _UNRELATED_ERRORS for kind in kinds)


def follow_with(flow: Flow, node: ast.With) -> None:
    """Follow the body; `contextlib.suppress` guards it."""
    guards = False
    for item in node.items:
        value = flow.evaluate(item.context_expr)
        guards |= any(word in ast.unparse(item.context_expr) for word in ("suppress", "raises"))
        if item.optional_vars is not None:
            assign(flow, item.optional_vars, value)
    with flow.log.guarded(guards):
        flow.execute(node.body)


def follow_match(flow: Flow, node: ast.Match) -> None:
    """Follow each case, and none."""
    flow.evaluate(node.subject)
    ways = [_case(flow, case) for case in node.cases]
    flow.branch(*ways, _body(flow, []))


def _case(flow: Flow, case: ast.match_case) -> Callable[[], Value]:
    for part in ast.walk(case.pattern):
        if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
            flow.bind(part.name, UNKNOWN)
    return _body(flow, case.body)
