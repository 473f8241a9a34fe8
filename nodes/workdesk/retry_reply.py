"""Node: ask for the reply once more, with the fault named."""

from __future__ import annotations

from typing_extensions import TypedDict

from mindatlas import prompts
from mindatlas.nodes.workdesk.parts.calls import Repair, RepairKind
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts

_PROMPT = "workdesk/retry_reply"
_KINDS: dict[str, RepairKind] = {
    "false_negative": "retry_false_negative",
    "empty_reply": "retry_empty_reply",
    "repeated_call": "retry_pseudo_call",
}


class In(TypedDict):
    """What the node reads."""

    question: str
    reply: str
    verdict: str
    fault: str
    retries: int
    repairs: list[Repair]
    prompt_versions: dict[str, str]


class Out(TypedDict):
    """What the node writes."""

    fault: str
    retries: int
    repairs: list[Repair]
    draft: str
    prompt_versions: dict[str, str]


def retry_reply(state: In, parts: WorkdeskParts) -> Out:
    """Return what the writer is told, without the faulty draft, and one retry used."""
    repair = Repair(kind=_KINDS[state["verdict"]], before=state["reply"], after=None, reason=state["fault"])
    return Out(
        fault=prompts.render(_PROMPT, fault=state["fault"], question=prompts.unfenced(state["question"])),
        retries=state["retries"] + 1,
        repairs=[*state["repairs"], repair],
        draft="",
        prompt_versions={**state["prompt_versions"], _PROMPT: prompts.version(_PROMPT)},
    )
