"""Two clocks: which one a question names, and the same count by the other one."""

from __future__ import annotations

from mindatlas.nodes.text import fold, language_of
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, Repair, ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import Clock, DualTime, ParameterRole
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

_REASON = "The question does not say which of the tool's times it means, so both are counted"


def named_clocks(question: str, dual: DualTime) -> list[str]:
    """Return the values of the clocks whose words stand in `question`."""
    folded = fold(question)
    return [
        value for value, clock in dual.clocks.items() if any(fold(word) in folded for word in clock.words)
    ]


def label_clock(result: ToolResult, card: ToolCard, question: str) -> ToolResult:
    """Return `result` with the label of the clock that it counts by, in the question's language."""
    dual = card.overlay.dual_time
    if dual is None or result["error"]:
        return result
    clock = dual.clocks.get(_value(result, dual))
    return {**result, "clock": _label(clock, question)} if clock else result


def other_clocks(result: ToolResult, card: ToolCard, question: str) -> list[CheckedCall]:
    """Return the same call by each other clock; none where the overlay's conditions do not hold.

    They are: the tool may be repeated, the call went well with at most `max_rows` rows, both ends of the range
    are given, and the question names no clock.
    """
    dual = card.overlay.dual_time
    if dual is None or not card.read_only or result["error"] or named_clocks(question, dual):
        return []
    ranged = all(_role_given(result, card, role) for role in ("range_start", "range_end"))
    if not ranged or not 0 < result["n_rows"] <= dual.max_rows:
        return []
    used = _value(result, dual)
    return [
        _by(result, dual, value, question) for value in dual.clocks if used in dual.clocks and value != used
    ]


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
