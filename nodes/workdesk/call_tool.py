"""Node: make the checked calls."""

from __future__ import annotations

from typing_extensions import TypedDict

from mindatlas.nodes.workdesk.parts.calls import CallFault, CheckedCall, ErrorKind, ToolResult
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts

_BEGUN = "This call was begun before the run was interrupted, and nobody knows whether it was done: it is not made again"
_TOO_MANY = "Not made: the question has used up its calls"


class In(TypedDict):
    """What the node reads."""

    turn_id: str
    calls: list[CheckedCall]
    faults: list[CallFault]
    results: list[ToolResult]
    max_calls: int


class Out(TypedDict):
    """What the node writes; calls and faults are done with, so that a next round starts clean."""

    results: list[ToolResult]
    calls: list[CheckedCall]
    faults: list[CallFault]
    must_call: bool
    fault: str
    latest: int


def call_tool(state: In, parts: WorkdeskParts) -> Out:
    """Return the results so far and those of `calls`; a call that could not be made has its fault as result.

    A writing call is made once: its beginning is written down before it, and a run that is resumed there stops.
    """
    before = state["results"]
    left = state["max_calls"] - sum(not result["error"] for result in before)
    made = [_made(state["turn_id"], call, parts) for call in state["calls"][:left]]
    over = [failed(call, _TOO_MANY, "declined") for call in state["calls"][left:]]
    faulty = [_of_fault(fault) for fault in state["faults"]]
    return Out(
        results=[*before, *made, *over, *faulty],
        calls=[],
        faults=[],
        must_call=False,
        fault="",
        latest=len(before),
    )


def failed(call: CheckedCall, error: str, kind: ErrorKind) -> ToolResult:
    """Return the result of a call that was not made."""
    return ToolResult(
        id=call["id"],
        tool=call["tool"],
        args=call["args"],
        repairs=call["repairs"],
        clock=call["clock"],
        rows=[],
        n_rows=0,
        content="",
        truncated=False,
        error=error,
        error_kind=kind,
    )


def _made(turn_id: str, call: CheckedCall, parts: WorkdeskParts) -> ToolResult:
    if not parts.cards[call["tool"]].read_only and not parts.journal.begin(turn_id, call["id"]):
        return failed(call, _BEGUN, "declined")
    return parts.access.call(call)


def _of_fault(fault: CallFault) -> ToolResult:
    call = CheckedCall(id="", tool=fault["tool"], args={}, repairs=[], clock="")
    return failed(call, fault["message"], "unknown_tool" if fault["kind"] == "unknown_tool" else "tool_error")
