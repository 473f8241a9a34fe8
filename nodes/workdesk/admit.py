"""Node: say plainly that there is no answer, when the one retry is used up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.calls import CallFault, Repair, ToolResult
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts

_ANSWERS = {
    "zh": {
        "pseudo_call": "没有得到答案：模型只写出了工具调用，没有真正调用工具，重试后仍然如此。没有执行任何操作，请换一种说法或稍后再试。",
        "repeated_call": "没有得到答案：工具已经调用并返回了结果，但模型没有据此作答，只重复了调用。结果列在调用记录里。",
        "false_negative": "没有得到可靠的答案：工具返回了数据，模型却说没有。结果列在调用记录里，请直接查看。",
        "empty_reply": "没有得到答案：模型没有写出回复。已有的结果列在调用记录里。",
        "malformed_call": "没有得到答案：模型给出的工具调用无法执行，重试后仍然如此。没有执行这次调用。",
    },
    "en": {
        "pseudo_call": "There is no answer: the model wrote a tool call as text instead of making it, twice. "
        "Nothing was done; please rephrase the request or try later.",
        "repeated_call": "There is no answer: the tool was called and returned results, but the model only repeated "
        "the call. The results are listed with the calls.",
        "false_negative": "There is no reliable answer: the tools returned data and the model says there is none. "
        "The results are listed with the calls; please look at them.",
        "empty_reply": "There is no answer: the model wrote no reply. Any results are listed with the calls.",
        "malformed_call": "There is no answer: the model gave a tool call that cannot be made, twice. "
        "That call was not made.",
    },
}
_DONE_ZH, _DONE_EN = "没有执行任何操作，", "Nothing was done; please"


class In(TypedDict):
    """What the node reads; `faults` are there when calls came malformed, `verdict` when a reply was checked."""

    question: str
    verdict: NotRequired[str]
    fault: NotRequired[str]
    faults: NotRequired[list[CallFault]]
    results: NotRequired[list[ToolResult]]
    repairs: list[Repair]
    notices: list[str]


class Out(TypedDict):
    """What the node writes."""

    answer: str
    stop_reason: str
    repairs: list[Repair]
    notices: list[str]


def admit(state: In, parts: WorkdeskParts) -> Out:
    """Return a plain message in the question's language, and what went wrong as the reason to stop."""
    faults = state.get("faults") or []
    reason = "malformed_call" if faults else state.get("verdict", "empty_reply")
    said = " ".join(fault["message"] for fault in faults) or state.get("fault", "")
    answer = _ANSWERS[language_of(state["question"])][reason]
    if state.get("results"):
        answer = answer.replace(_DONE_ZH, "").replace(_DONE_EN, "Please")
    return Out(
        answer=answer,
        stop_reason=reason,
        repairs=_gave_up(state["repairs"]),
        notices=[*state["notices"], f"The retry did not help: {said}"],
    )


def _gave_up(repairs: Sequence[Repair]) -> list[Repair]:
    """Return the repairs, a retry that led to nothing with an empty outcome."""
    if repairs and repairs[-1]["kind"].startswith("retry_") and repairs[-1]["after"] is None:
        return [*repairs[:-1], {**repairs[-1], "after": ""}]
    return list(repairs)
