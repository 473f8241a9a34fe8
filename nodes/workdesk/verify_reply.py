"""Node: check the reply against what the tools brought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from mindatlas.nodes.workdesk.parts.calls import Repair, RepairKind, ToolResult
from mindatlas.nodes.workdesk.parts.reply_flags import EMPTY_REPLY
from mindatlas.nodes.workdesk.parts.reply_verifier import Verdict, VerifierSettings, verify
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts

VerdictName = Literal["ok", "pseudo_call", "false_negative", "empty_reply", "repeated_call"]

_REPAIRS: dict[VerdictName, RepairKind] = {
    "pseudo_call": "retry_pseudo_call",
    "repeated_call": "retry_pseudo_call",
    "false_negative": "retry_false_negative",
    "empty_reply": "retry_empty_reply",
}
_EMPTY = "The reply is empty"
_REPEATED = "The reply prints a call that was made already, instead of saying what it brought"


class In(TypedDict):
    """What the node reads."""

    question: str
    refusal: str
    reply: str
    results: list[ToolResult]
    repairs: list[Repair]
    verification: list[dict[str, str]]
    notices: list[str]


class Out(TypedDict):
    """What the node writes; `fault` says what is wrong with the reply, empty when nothing is."""

    verdict: VerdictName
    fault: str
    answer: str
    repairs: list[Repair]
    verification: list[dict[str, str]]
    notices: list[str]


def verify_reply(state: In, parts: WorkdeskParts) -> Out:
    """Return the verdict on the reply, and the reply as the answer when nothing is wrong with it.

    A retry may confirm “none”: what a second reply says again, after the rows were pointed out, is accepted. A
    printed call that was made already is asked for as a reply, so that nothing is called twice. A refusal is the
    code's own and quotes the user: nothing in it is a fault of the reply.
    """
    settings = parts.settings
    verdict = verify(
        "" if state["refusal"] else state["reply"],
        tool_results=state["results"],
        tools=list(parts.cards),
        settings=VerifierSettings(length=settings.pseudo_call_length, coverage=settings.pseudo_call_coverage),
        question=state["question"],
    )
    name, fault = _named(verdict, state)
    repairs = _with_outcome(state["repairs"], state["reply"])
    confirmed = name == "false_negative" and any(
        repair["kind"] == "retry_false_negative" for repair in repairs
    )
    entries = [
        {"detector": detector, "verdict": "confirmed" if confirmed else name} for detector in verdict.found
    ]
    if name == "empty_reply":
        entries = [{"detector": EMPTY_REPLY, "verdict": name}]
    if confirmed or (name != "ok" and not parts.enabled(_REPAIRS[name])):
        name, fault = "ok", ""
    flags = [f"The reply needs a look: {flag}" for flag in verdict.flags if flag != EMPTY_REPLY]
    return Out(
        verdict=name,
        fault=fault,
        answer=state["reply"] if name == "ok" else "",
        repairs=repairs,
        verification=[*state["verification"], *(entries or [{"detector": "", "verdict": "ok"}])],
        notices=[
            *state["notices"],
            *(flag for flag in flags if name == "ok" and flag not in state["notices"]),
        ],
    )


def _named(verdict: Verdict, state: In) -> tuple[VerdictName, str]:
    if state["refusal"]:
        return "ok", ""
    if EMPTY_REPLY in verdict.flags:
        return "empty_reply", _EMPTY
    if verdict.kind == "pseudo_call" and _was_made(state["reply"], state["results"]):
        return "repeated_call", f"{_REPEATED}. {verdict.reason}"
    return verdict.kind, verdict.reason


def _was_made(reply: str, results: Sequence[ToolResult]) -> bool:
    """Return whether the reply prints the tool and all arguments of a call that went well."""
    return any(
        not result["error"]
        and result["tool"] in reply
        and all(str(value) in reply for value in result["args"].values())
        for result in results
    )


def _with_outcome(repairs: Sequence[Repair], reply: str) -> list[Repair]:
    """Return the repairs, the latest retry with the reply that it led to."""
    if repairs and repairs[-1]["kind"].startswith("retry_") and repairs[-1]["after"] is None:
        return [*repairs[:-1], {**repairs[-1], "after": reply}]
    return list(repairs)
