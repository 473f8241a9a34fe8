"""Node: ask the user what no tool and no question tells."""

from __future__ import annotations

from typing import Any

from langgraph.types import interrupt
from typing_extensions import TypedDict

from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.calls import Clarification, Repair
from mindatlas.nodes.workdesk.parts.clarifications import Answer, read_answer
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts

_UNREAD = {
    "zh": "没有看懂“{answer}”，请从选项里选一个或换个说法。",
    "en": "“{answer}” was not understood; choose one of the options or say it another way.",
}


class In(TypedDict):
    """What the node reads."""

    question: str
    clarification: Clarification | None
    choices: dict[str, Any]
    repairs: list[Repair]


class Out(TypedDict):
    """What the node writes."""

    choices: dict[str, Any]
    clarification: Clarification | None
    declined: bool
    repairs: list[Repair]


def ask_user(state: In, parts: WorkdeskParts) -> Out:
    """Return the user's choice, kept under the clarification's key for the rest of the thread; or that it was declined.

    An answer that cannot be read is asked for again.
    """
    asked = state["clarification"]
    if asked is None:  # the graph comes here only with a question
        return Out(choices=state["choices"], clarification=None, declined=False, repairs=state["repairs"])
    answer = _answered(asked, language_of(state["question"]), parts)
    after = "declined" if answer.declined else answer.value
    tool = asked["action_requests"][0]["name"]
    repair = Repair(kind="ask_user", before=asked["message"], after=after, reason=asked["kind"], tool=tool)
    return Out(
        choices=state["choices"] if answer.declined else {**state["choices"], asked["key"]: answer.value},
        clarification=None,
        declined=answer.declined,
        repairs=[*state["repairs"], repair],
    )


def _answered(asked: Clarification, language: str, parts: WorkdeskParts) -> Answer:
    shown = asked
    while True:
        given = interrupt(shown)
        if (answer := read_answer(asked, given, parts.today())) is not None:
            return answer
        problem = _UNREAD[language].format(answer=given)
        shown = {**asked, "message": f"{problem}\n{asked['message']}"}
