"""Questions to the user, in the shape that LangChain's pages show, and the reading of their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from mindatlas.nodes.dates import find_dates
from mindatlas.nodes.numbers import parse_number
from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.calls import Choice, Clarification

YES = frozenset(
    {"yes", "y", "ok", "okay", "true", "approve", "approved", "accept", "go ahead", "do it", "sure", "confirm",
     "是", "是的", "好", "好的", "同意", "可以", "批准", "确认", "行", "执行", "对", "嗯", "没问题"}
)  # fmt: skip
NO = frozenset(
    {"no", "n", "false", "reject", "rejected", "cancel", "stop", "none", "none of them", "none of these", "neither",
     "否", "不", "不是", "不行", "不要", "不用", "不用了", "不同意", "不可以", "拒绝", "取消", "算了", "都不是", "别"}
)  # fmt: skip
_ENDS = " .!?。！？,，、;；\"'“”「」"
_DECISIONS = {
    "approve_call": ["approve", "edit", "reject"],
}  # LangChain's names; every other question is answered by text


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the user decided: a value to remember, or that the call is not to be made."""

    value: Any = None
    declined: bool = False


def clarification(
    kind: Any, key: str, message: str, choices: Sequence[Choice], *, tool: str, args: Mapping[str, Any]
) -> Clarification:
    """Return a question to the user about a call of `tool` with `args`."""
    listed = "".join(f"\n{number}. {choice['label']}" for number, choice in enumerate(choices, 1))
    return Clarification(
        kind=kind,
        key=key,
        message=message,
        choices=list(choices),
        action_requests=[{"name": tool, "args": dict(args), "description": message + listed}],
        review_configs=[
            {"action_name": tool, "allowed_decisions": _DECISIONS.get(kind, ["respond", "reject"])}
        ],
    )


def read_answer(asked: Clarification, answer: Any, today: date) -> Answer | None:
    """Return what an answer says, None when it cannot be read as an answer to what was asked.

    An answer is text, a number (of a choice, counted from 1), a choice's value or label, or LangChain's
    `HITLResponse`: `{"decisions": [{"type": "respond", "message": …}]}`.
    """
    decision = _decision(answer)
    if decision is not None:
        return _of_decision(asked, decision, today)
    return _of_text(asked, answer, today)


def _decision(answer: Any) -> Mapping[str, Any] | None:
    """Return the one decision of a HITLResponse, or of the list that the older pages send."""
    if isinstance(answer, Mapping) and isinstance(answer.get("decisions"), list):
        answer = answer["decisions"]
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    return answer if isinstance(answer, Mapping) and isinstance(answer.get("type"), str) else None


def _of_decision(asked: Clarification, decision: Mapping[str, Any], today: date) -> Answer | None:
    kind = decision["type"]
    if kind in {"reject", "ignore"}:
        return Answer(declined=True)
    if kind in {"approve", "accept"}:
        return Answer(value="approve") if asked["kind"] == "approve_call" else None
    if kind == "edit":
        return _edited(asked, decision)
    said = next(
        (decision[key] for key in ("message", "args", "value", "text") if decision.get(key) is not None), ""
    )
    return _of_text(asked, said, today)


def _edited(asked: Clarification, decision: Mapping[str, Any]) -> Answer | None:
    action = decision.get("edited_action") or decision.get("args") or {}
    args = action.get("args") if isinstance(action, Mapping) else None
    if asked["kind"] != "approve_call" or not isinstance(args, Mapping):
        return None
    same_tool = action.get("name", action.get("action")) in {None, asked["action_requests"][0]["name"]}
    return Answer(value={"args": dict(args)}) if same_tool else None


def _of_text(asked: Clarification, answer: Any, today: date) -> Answer | None:
    if isinstance(answer, Mapping):
        answer = next(
            (answer[key] for key in ("value", "answer", "text", "message", "label") if key in answer), None
        )
    if isinstance(answer, bool):
        answer = "yes" if answer else "no"
    if answer is None or isinstance(answer, list | Mapping):
        return None
    text = str(answer).strip()
    word = fold(text).strip(_ENDS)
    if not word:
        return None
    if (chosen := _chosen(asked["choices"], text, word)) is not None:
        return Answer(declined=True) if chosen == "reject" else Answer(value=chosen)
    if word in NO:
        return Answer(declined=True)
    if asked["kind"] == "approve_call":
        return Answer(value="approve") if word in YES else None
    if asked["kind"] == "time_range":
        return _days(text, today)
    return Answer(value=text) if asked["kind"] == "missing_argument" and word not in YES else None


def _chosen(choices: Sequence[Choice], text: str, word: str) -> str | None:
    """Return the value of the one choice that is meant: by value or label, by number, or by a part of one label."""
    for choice in choices:
        if text == choice["value"] or word in {fold(choice["value"]), fold(choice["label"]).strip(_ENDS)}:
            return choice["value"]
    number = parse_number(word.removeprefix("第").removesuffix("个").removesuffix("项").removeprefix("#"))
    if number is not None:
        whole = number.is_integer() and 1 <= number <= len(choices)
        return choices[int(number) - 1]["value"] if whole else None
    names = [choice for choice in choices if fold(choice["label"].split(" (")[0]) == word]
    names = names or [choice for choice in choices if word in fold(choice["label"])]
    names = names or [choice for choice in choices if fold(choice["value"]) in word]
    return names[0]["value"] if len(names) == 1 else None


def _days(text: str, today: date) -> Answer | None:
    ranges = {(mention.range.start, mention.range.end) for mention in find_dates(text, today)}
    if len(ranges) != 1:
        return None
    start, end = ranges.pop()
    return Answer(value=f"{start.isoformat()}/{end.isoformat()}")
