"""Reads the calls that a model wrote: whole and strictly valid ones come back, all others are faults.

A stream that was cut inside the arguments must not run with the cut value, so nothing here completes JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import process

from mindatlas.nodes.workdesk.parts.calls import CallFault, RawCall, Repair, RepairKind
from mindatlas.nodes.workdesk.parts.parameters import parameters_of
from mindatlas.nodes.workdesk.parts.strict_json import StrictJsonError, read_json, read_json_values
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

_NAME_PREFIX = re.compile(r"(?:to=)?(?:functions?|tools?|default_api|multi_tool_use)[./:]+", re.IGNORECASE)
_NAME_END = re.compile(
    r"\s*(?:<[|｜/].*|\[/?(?:ARGS|TOOL_CALLS|INST)\].*|</?s>.*|:\d+(?!\w).*|\(\)|[\s\"'`]+)$", re.DOTALL
)
_CONTROL_END = re.compile(
    r"(?:\s*(?:<[|｜][^<>]{0,40}[|｜]>|</(?:tool_call|function|parameter|invoke|s)>))+\s*$"
)
_WRAPPERS = ("arguments", "parameters", "args", "kwargs", "input")


@dataclass(kw_only=True)
class ReadCall:
    """A call whose arguments are an object; nothing else is checked yet."""

    id: str
    tool: str
    args: dict[str, Any]
    repairs: list[Repair] = field(default_factory=list)


@dataclass(kw_only=True)
class Reading:
    """What was read, in the model's order."""

    calls: list[ReadCall] = field(default_factory=list)
    faults: list[CallFault] = field(default_factory=list)


def _always(_: RepairKind) -> bool:
    return True


def read_calls(
    calls: Sequence[RawCall],
    *,
    cards: Mapping[str, ToolCard],
    truncated: bool = False,
    enabled: Callable[[RepairKind], bool] = _always,
    used_ids: Sequence[str] = (),
) -> Reading:
    """Return the calls that are whole, and the faults of the others.

    Args:
        calls: as the model wrote them.
        cards: the registered tools by name.
        truncated: the model's reply was cut off: no call of it is trusted, since the cut may lie in any of them.
        enabled: whether a repair is switched on.
        used_ids: ids of earlier calls, which no new one may repeat.
    """
    reading, ids = Reading(), set(used_ids)
    for raw in calls:
        name, repairs = _tool_name(raw["tool"], cards, enabled)
        try:
            if truncated:
                raise _Fault(
                    "truncated", "The reply was cut off at its length limit; write the call again, shorter"
                )
            if name not in cards:
                raise _Fault("unknown_tool", _unknown_tool(name, cards))
            objects = _arguments(raw["args"], cards[name], repairs, enabled)
        except _Fault as fault:
            reading.faults.append(CallFault(tool=name, kind=fault.kind, message=fault.message))
            continue
        for args in objects:
            call = ReadCall(id=str(raw["id"] or ""), tool=name, args=args, repairs=list(repairs))
            _make_unique(call, raw["id"], ids, enabled)
            reading.calls.append(call)
    return reading


class _Fault(Exception):
    def __init__(self, kind: Any, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def _tool_name(
    written: Any, cards: Mapping[str, ToolCard], enabled: Callable[[RepairKind], bool]
) -> tuple[str, list[Repair]]:
    """Return the registered name inside what was written, which is left as it is when there is none."""
    name = written if isinstance(written, str) else str(written)
    if name in cards or not enabled("cut_tool_name"):
        return name, []
    cut = name.strip().strip("\"'`")
    cut = _NAME_PREFIX.sub("", _NAME_END.sub("", cut), count=1)
    cut = cut if cut in cards else _NAME_END.sub("", cut)
    if cut not in cards:
        return name, []
    reason = f"The name {name!r} carries a prefix or a control token of the model's format"
    return cut, [Repair(kind="cut_tool_name", before=name, after=cut, reason=reason, tool=cut)]


def _unknown_tool(name: str, cards: Mapping[str, ToolCard]) -> str:
    near = [found for found, score, _ in process.extract(name, list(cards), limit=3) if score >= 60]
    hint = f"the nearest are {', '.join(near)}" if near else f"the tools are {', '.join(list(cards)[:20])}"
    return f"There is no tool {name!r}; {hint}"


def _arguments(
    written: Any, card: ToolCard, repairs: list[Repair], enabled: Callable[[RepairKind], bool]
) -> list[dict[str, Any]]:
    """Return the argument objects, usually one; what had to be done is added to `repairs`."""
    if written is None:
        return [{}]
    values = [written] if not isinstance(written, str) else _values(written, card, repairs)
    if len(values) > 1:
        values = _split(values, written, card, repairs, enabled)
    return [_object(value, card, repairs, enabled) for value in values]


def _values(written: str, card: ToolCard, repairs: list[Repair]) -> list[Any]:
    if not written.strip():
        if any(not parameter.hidden for parameter in parameters_of(card).values()):
            raise _Fault("truncated", "No arguments came; write {} if none are meant")
        return [{}]
    try:
        return read_json_values(written)
    except StrictJsonError as error:
        reason = str(error)
    cut = _CONTROL_END.sub("", written)
    if cut != written:
        try:
            values = read_json_values(cut)
        except StrictJsonError as error:
            raise _Fault("not_json", f"The arguments are not valid JSON: {error}") from error
        repairs.append(
            _decoded(written, cut, "A control token of the model's format stood after the JSON", card)
        )
        return values
    raise _Fault("not_json", f"The arguments are not valid JSON (cut off?): {reason}")


def _split(
    values: list[Any],
    written: Any,
    card: ToolCard,
    repairs: list[Repair],
    enabled: Callable[[RepairKind], bool],
) -> list[Any]:
    if not enabled("split_arguments") or not all(isinstance(value, dict) for value in values):
        raise _Fault("not_json", f"{len(values)} JSON values stand in one call; make one call for each")
    unique = [value for index, value in enumerate(values) if value not in values[:index]]
    reason = f"{len(values)} argument objects stood in one call, {len(unique)} of them different"
    repairs.append(
        Repair(kind="split_arguments", before=written, after=unique, reason=reason, tool=card.name)
    )
    return unique


def _object(
    value: Any, card: ToolCard, repairs: list[Repair], enabled: Callable[[RepairKind], bool]
) -> dict[str, Any]:
    if value is None or value == "":
        return {}
    if isinstance(value, str) and enabled("decode_arguments"):
        value = _decode_once(value, card, repairs)
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise _Fault("not_object", f"The arguments must be one JSON object, not {type(value).__name__}")
    inner = _unwrapped(value, card)
    if inner is not None and enabled("decode_arguments"):
        repairs.append(_decoded(value, inner, "The arguments stood inside a wrapper", card))
        return inner
    return dict(value)


def _decode_once(value: str, card: ToolCard, repairs: list[Repair]) -> Any:
    try:
        inner = read_json(value)
    except StrictJsonError as error:
        raise _Fault("not_json", f"The arguments are text that is not valid JSON: {error}") from error
    if isinstance(inner, dict):
        repairs.append(_decoded(value, inner, "The arguments were encoded as JSON twice", card))
    return inner


def _unwrapped(value: dict[str, Any], card: ToolCard) -> dict[str, Any] | None:
    """Return the arguments inside `{"name": this tool, "arguments": {…}}`, None where there is no such wrapper."""
    known = card.tool.input_schema.get("properties") or {}
    wrappers = [key for key in _WRAPPERS if key in value and key not in known]
    rest = {key: value[key] for key in value if key not in _WRAPPERS}
    if len(wrappers) != 1 or not isinstance(inner := value[wrappers[0]], dict):
        return None
    named = all(key in {"name", "tool", "function"} and said == card.name for key, said in rest.items())
    return inner if named and not set(rest) & set(known) else None


def _decoded(before: Any, after: Any, reason: str, card: ToolCard) -> Repair:
    return Repair(kind="decode_arguments", before=before, after=after, reason=reason, tool=card.name)


def _make_unique(call: ReadCall, written: Any, ids: set[str], enabled: Callable[[RepairKind], bool]) -> None:
    if enabled("unique_call_id") and (not isinstance(written, str) or not call.id or call.id in ids):
        number = 1
        while f"call_{number}" in ids:
            number += 1
        call.id = f"call_{number}"
        reason = "The call had no id" if not written else "Its id is already that of another call"
        call.repairs.append(
            Repair(kind="unique_call_id", before=written, after=call.id, reason=reason, tool=call.tool)
        )
    ids.add(call.id)
