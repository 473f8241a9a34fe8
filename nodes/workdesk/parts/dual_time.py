"""Two clocks: which one a question names, and the same count by the other one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, Repair, ToolResult
from mindatlas.nodes.workdesk.parts.named_clocks import clocks_of_turn, named_clocks
from mindatlas.nodes.workdesk.parts.overlay_model import Clock, DualTime, ParameterRole
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

_REASON = "The question does not say which of the tool's times it means, so both are counted"


def label_clock(result: ToolResult, card: ToolCard, question: str) -> ToolResult:
    """Return `result` with the label of the clock that it counts by, in the question's language."""
    dual = card.overlay.dual_time
    if dual is None or result["error"]:
        return result
    value = _value(result, dual)
    if clock := dual.clocks.get(value):
        return {**result, "clock": _label(clock, question)}
    parameter = card.overlay.parameters.get(dual.parameter)
    words = parameter.values.get(value, ()) if parameter else ()  # a time that has no other beside it
    fitting = [word for word in words if word.isascii() == (language_of(question) == "en")]
    return {**result, "clock": next(iter(fitting or words), "")}


def other_clocks(
    result: ToolResult, card: ToolCard, question: str, *, before: Sequence[str], today: date
) -> list[CheckedCall]:
    """Return the same call by each other clock; none where the overlay's conditions do not hold.

    They are: the tool may be repeated, the call went well with at most `max_rows` rows, both ends of the range
    are given, and the user names no clock: neither in the question nor, where the planner took it over from there,
    in the latest earlier question that names one.

    Args:
        result: what the call brought.
        card: the tool that was called.
        question: the user's question.
        before: the user's earlier questions in the thread, the oldest first.
        today: the day of the question.
    """
    dual = card.overlay.dual_time
    if (
        dual is None
        or not card.read_only
        or result["error"]
        or _settled(result, dual, question, before, today)
    ):
        return []
    ranged = all(_role_given(result, card, role) for role in ("range_start", "range_end"))
    if not ranged or not 0 < result["n_rows"] <= dual.max_rows:
        return []
    used = _value(result, dual)
    return [
        _by(result, dual, value, question) for value in dual.clocks if used in dual.clocks and value != used
    ]


def _settled(result: ToolResult, dual: DualTime, question: str, before: Sequence[str], today: date) -> bool:
    if named_clocks(question, dual, today):
        return True
    defaulted = any(
        repair["kind"] == "fill_default" and dual.parameter in repair["after"] for repair in result["repairs"]
    )
    return not defaulted and clocks_of_turn(question, before, dual, today) == [_value(result, dual)]


def _by(result: ToolResult, dual: DualTime, value: str, question: str) -> CheckedCall:
    before = result["args"][dual.parameter]
    after = type(before)(value)
    label = _label(dual.clocks[value], question)
    repair = Repair(
        kind="rerun_dual_time", before={dual.parameter: before}, after={dual.parameter: after}, reason=_REASON,
        tool=result["tool"],
    )  # fmt: skip
    return CheckedCall(
        id=f"{result['id']}-{value}",
        tool=result["tool"],
        args={**result["args"], dual.parameter: after},
        repairs=[repair],
        clock=label,
    )


def _value(result: ToolResult, dual: DualTime) -> str:
    return str(result["args"].get(dual.parameter, ""))


def _label(clock: Clock, question: str) -> str:
    return clock.label_en if clock.label_en and language_of(question) == "en" else clock.label


def _role_given(result: ToolResult, card: ToolCard, role: ParameterRole) -> bool:
    names = [name for name, parameter in card.overlay.parameters.items() if parameter.role == role]
    return any(result["args"].get(name) for name in names)
