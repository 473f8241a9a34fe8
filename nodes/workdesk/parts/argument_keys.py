"""Arguments that a tool does not have: taken out when nobody asked for them, otherwise named with the nearest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rapidfuzz import fuzz

from mindatlas.nodes.workdesk.parts.argument_types import LossyError, coded
from mindatlas.nodes.workdesk.parts.empty_values import is_empty, is_placeholder
from mindatlas.nodes.workdesk.parts.evidence import Evidence
from mindatlas.nodes.workdesk.parts.parameters import RANGE_ROLES, Parameter, role_of, takes_others
from mindatlas.nodes.workdesk.parts.support import flag_named, supported
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext

_NEAR = 55  # WRatio of rapidfuzz, 0 to 100, from which a parameter is named as the nearest
_SHAPE = frozenset({"page", "page_size", "sort", "group_by"})
_ALIASES = {
    **dict.fromkeys(("level", "urgency", "severity", "grade", "importance"), "priority"),
    **dict.fromkeys(("state", "stage", "phase"), "status"),
    **dict.fromkeys(("station", "location", "place"), "site"),
    **dict.fromkeys(
        ("worker", "assignee", "user", "engineer", "technician", "owner", "handler", "staff"), "person"
    ),
    **dict.fromkeys(("group", "crew", "squad", "department"), "team"),
    **dict.fromkeys(("kind", "category", "class"), "type"),
    **dict.fromkeys(("late", "delayed", "expired", "timeout"), "overdue"),
    **dict.fromkeys(("from", "begin", "since", "after"), "start"),
    **dict.fromkeys(("until", "before", "till"), "end"),
    **dict.fromkeys(("text", "search", "query", "q"), "keyword"),
    **dict.fromkeys(("remark", "comment", "note", "message", "body"), "content"),
}
"""Words of wrong keys, and the word of a parameter's name that they mean."""


def check_keys(draft: Draft, evidence: Evidence, context: ValidationContext) -> None:
    """Name the arguments that the tool does not have; those that nobody asked for are taken out.

    A value that the user asked for is never dropped: the model is told which parameter it was nearest to.
    """
    if takes_others(draft.card):
        return
    for key in [key for key in draft.args if key not in draft.parameters]:
        nearest = nearest_parameter(key, draft.parameters)
        if is_empty(draft.args[key]) and context.enabled("strip_empty_argument"):
            draft.strip("strip_empty_argument", key, f"The tool has no {key!r}, and nothing was given in it")
        elif _asked_for(key, nearest, draft, evidence) or not context.enabled("strip_unsupported"):
            hint = (
                f"; did you mean {nearest.name!r}?" if nearest else f"; it has {', '.join(draft.parameters)}"
            )
            draft.fault("unknown_argument", key, f"{draft.card.name} has no argument {key!r}{hint}")
        else:
            draft.strip("strip_unsupported", key, f"The tool has no {key!r}, and nothing asks for it")


def nearest_parameter(key: str, parameters: Mapping[str, Parameter]) -> Parameter | None:
    """Return the parameter that a wrong key was most likely meant for, None when none is near."""
    for word in re.split(r"[_\W]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).casefold()):
        key = _ALIASES.get(word, key)
    visible = [parameter for parameter in parameters.values() if not parameter.hidden]
    role = role_of(key)
    same = [parameter for parameter in visible if role not in {None, "filter"} and parameter.role == role]
    scored = sorted(
        ((fuzz.WRatio(key, parameter.name), parameter.name) for parameter in same or visible), reverse=True
    )
    return parameters[scored[0][1]] if scored and (same or scored[0][0] >= _NEAR) else None


def _asked_for(key: str, nearest: Parameter | None, draft: Draft, evidence: Evidence) -> bool:
    value = draft.args[key]
    if value is False or (isinstance(value, str) and is_placeholder(value)):
        return False
    if nearest is not None:
        there = draft.args.get(nearest.name)
        if there == value or (nearest.role in RANGE_ROLES and there):
            return False
        if nearest.required or nearest.role in RANGE_ROLES:
            return True
        if nearest.role in _SHAPE and isinstance(value, str):
            return nearest.name not in draft.args
        if nearest.values:
            return supported(_code_of(value, nearest), nearest, evidence)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value in evidence.numbers()
    plain = Parameter(
        name=key, types=frozenset(), schema={}, required=False, hidden=False, role="filter", values={}
    )
    return flag_named(plain, evidence) if value is True else supported(value, plain, evidence)


def _code_of(value: Any, parameter: Parameter) -> Any:
    try:
        return coded(value, parameter)
    except LossyError:
        return value
