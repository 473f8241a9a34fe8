"""Arguments against what the tool really takes: unknown, empty, placeholder, wrong type, not allowed, missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from rapidfuzz import fuzz

from mindatlas.nodes.workdesk.parts.argument_types import LossyError, coded, converted, decoded
from mindatlas.nodes.workdesk.parts.empty_values import (
    ALL_WORDS,
    is_empty,
    is_placeholder,
    placeholder_inside,
)
from mindatlas.nodes.workdesk.parts.evidence import Evidence
from mindatlas.nodes.workdesk.parts.parameters import Parameter, role_of, takes_others
from mindatlas.nodes.workdesk.parts.support import flag_named, supported
from mindatlas.nodes.workdesk.parts.time_limits import scope_of
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext

_NEAR = 55  # WRatio of rapidfuzz, 0 to 100, from which a parameter is named as the nearest
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
_RANGE = frozenset({"range_start", "range_end"})
_SHAPE = frozenset({"page", "page_size", "sort", "group_by"})


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
        if there == value or (nearest.role in _RANGE and there):
            return False
        if nearest.required or nearest.role in _RANGE:
            return True
        if nearest.values:
            return supported(_code_of(value, nearest), nearest, evidence)
    if nearest is not None and nearest.role in _SHAPE and isinstance(value, str):
        return nearest.name not in draft.args
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


def strip_empty(draft: Draft, evidence: Evidence, context: ValidationContext) -> None:
    """Take out what says nothing: null, "", “none”, placeholders. 0 and false say something.

    Text that a tool needs is left as it is; a placeholder in it is a fault, because nobody may send it.
    """
    for name in [name for name in draft.args if name in draft.parameters]:
        parameter, value = draft.parameters[name], draft.args[name]
        optional = draft.optional(name) or parameter.role in _RANGE or name in draft.card.overlay.defaults
        if _listed(value, parameter) or _literally(value, evidence):
            continue
        if _says_none(value, parameter, draft) and (optional or value is None):
            if context.enabled("strip_empty_argument") and not (
                value is None and "null" in parameter.schema.get("type", ())
            ):
                draft.strip("strip_empty_argument", name, f"{value!r} says that nothing is given")
        elif is_placeholder(value) or placeholder_inside(value):
            _placeholder(draft, name, optional=optional and is_placeholder(value), context=context)
        elif isinstance(value, list) and context.enabled("strip_empty_argument"):
            _strip_items(draft, name, value)


def _strip_items(draft: Draft, name: str, value: list[Any]) -> None:
    kept = [item for item in value if not (is_empty(item) or is_placeholder(item))]
    if kept == value:
        return
    if kept:
        draft.set("strip_empty_argument", name, kept, "Items that say nothing were taken out of the list")
    elif draft.optional(name):
        draft.strip("strip_empty_argument", name, "No item of the list says anything")


def _says_none(value: Any, parameter: Parameter, draft: Draft) -> bool:
    if isinstance(value, list | dict) and not draft.card.read_only:
        return False  # a writing tool may be told to empty a list
    every = isinstance(value, str) and value.strip().casefold() in ALL_WORDS
    return is_empty(value) or (every and (bool(parameter.values) or parameter.names_from is not None))


def _listed(value: Any, parameter: Parameter) -> bool:
    return isinstance(value, str) and value in parameter.codes


def _literally(value: Any, evidence: Evidence) -> bool:
    """Return whether the user wrote just this: a search for the word null is one for null."""
    if not isinstance(value, str):
        return False
    found = placeholder_inside(value) or value.strip()
    if is_empty(value):
        return bool(found) and any(f"{mark}{found.casefold()}" in evidence.question for mark in "“\"'「‘`")
    return bool(found) and found.casefold() in evidence.question


def _placeholder(draft: Draft, name: str, *, optional: bool, context: ValidationContext) -> None:
    value = draft.args[name]
    if optional:
        if context.enabled("strip_placeholder"):
            draft.strip("strip_placeholder", name, f"{value!r} is a placeholder")
    elif _ask_for(draft, name, context):
        draft.strip("strip_placeholder", name, f"{value!r} is a placeholder; the user is asked for it")
    else:
        draft.fault(
            "placeholder", name, f"{name} {value!r} is a placeholder; give the real value or look it up first"
        )


def fit_types(draft: Draft, context: ValidationContext) -> None:
    """Bring the arguments into the types and codes of their parameters, or name what cannot be."""
    for name in [name for name in draft.args if name in draft.parameters]:
        parameter = draft.parameters[name]
        name_to_resolve = parameter.names_from and not parameter.values and isinstance(draft.args[name], str)
        if parameter.role not in _RANGE and not name_to_resolve:
            _fit(draft, name, parameter, context)


def _fit(draft: Draft, name: str, parameter: Parameter, context: ValidationContext) -> None:
    value = draft.args[name]
    try:
        plain = decoded(value, parameter)
        if plain is not value and context.enabled("decode_arguments"):
            draft.set("decode_arguments", name, plain, f"{name} was encoded as JSON twice")
        after = _fitted(draft.args[name], parameter)
    except LossyError as error:
        kind = "not_allowed" if parameter.values and not str(error).startswith("must") else "wrong_type"
        draft.fault(kind, name, f"{name} {value!r} {error}")  # type: ignore[arg-type]
        return
    before = draft.args[name]
    if type(after) is type(before) and after == before:
        return
    if context.enabled("coerce_argument"):
        draft.set("coerce_argument", name, after, f"{name} takes {_takes(parameter)}")
    else:
        draft.fault("wrong_type", name, f"{name} {value!r} must be {_takes(parameter)}")


def _fitted(value: Any, parameter: Parameter) -> Any:
    if parameter.values and "array" in parameter.types and not isinstance(value, list):
        value = [value]
    return converted(coded(value, parameter), parameter)


def _takes(parameter: Parameter) -> str:
    return "a code" if parameter.values else " or ".join(sorted(parameter.types - {"null"}))


def fit_identifiers(draft: Draft) -> None:
    """Bring resolved identifiers into their parameters' types; where a name was left, the server will say so."""
    for name, parameter in draft.parameters.items():
        if name in draft.args and parameter.names_from and not parameter.values and name not in draft.faults:
            try:
                draft.args[name] = converted(draft.args[name], parameter)
            except LossyError as error:
                draft.fault("wrong_type", name, f"{name} {draft.args[name]!r} {error}")


def check_schema(draft: Draft, validator: Draft202012Validator) -> None:
    """Name what the corrected schema still refuses: bounds, patterns, the inside of lists and objects."""
    for error in sorted(
        validator.iter_errors(draft.args), key=lambda error: [str(step) for step in error.path]
    ):
        name = str(error.path[0]) if error.path else ""
        if name not in draft.faults:
            kind = "wrong_type" if error.validator == "type" else "not_allowed"
            draft.fault(kind, name, f"{name or draft.card.name}: {error.message[:300]}")  # type: ignore[arg-type]


def fill_defaults(draft: Draft, context: ValidationContext) -> None:
    """Fill in what the overlay says of parameters that were not given, and of those that the model never sees."""
    for name, value in draft.card.overlay.defaults.items():
        parameter = draft.parameters.get(name)
        missing = name not in draft.args or (
            parameter is not None and parameter.hidden and draft.args[name] != value
        )
        if parameter is not None and missing and name not in draft.faults and context.enabled("fill_default"):
            draft.set("fill_default", name, value, f"The overlay's default of {name}")


def drop_hidden(draft: Draft) -> None:
    """Take out what a model gave for parameters that it cannot know, where the overlay has nothing for them."""
    for name, parameter in draft.parameters.items():
        if parameter.hidden and name in draft.args and name not in draft.card.overlay.defaults:
            draft.strip("strip_unsupported", name, f"{name} is not for the model to give")


def require(draft: Draft, context: ValidationContext) -> None:
    """Ask for what the call needs and does not have, or name it to the model."""
    for name, parameter in draft.parameters.items():
        if parameter.required and name not in draft.args and not _ask_for(draft, name, context):
            needs = ", ".join(draft.card.overlay.depends_on)
            hint = f"; call {needs} first, it is in the result" if needs else ""
            draft.fault("missing_argument", name, f"{draft.card.name} needs {name!r}{hint}")
    any_of = draft.card.overlay.required_any
    if any_of and not any(name in draft.args for name in any_of) and draft.question is None:
        draft.fault(
            "unbounded", "", f"{draft.card.name} would read everything: give one of {', '.join(any_of)}"
        )


def missing_key(draft: Draft, name: str, context: ValidationContext) -> str:
    """Return what the user's answer for a missing argument is kept under, for this question only."""
    return f"missing_argument:{scope_of(context)}:{draft.card.name}.{name}"


def take_answers(draft: Draft, context: ValidationContext) -> None:
    """Put in what the user answered when asked for a missing argument."""
    for name in draft.parameters:
        if (answer := context.choices.get(missing_key(draft, name, context))) is not None:
            draft.args[name] = answer


def _ask_for(draft: Draft, name: str, context: ValidationContext) -> bool:
    """Return whether the user is asked for an argument: the overlay has a question, and asking is switched on."""
    asks = draft.parameters[name].asks
    if draft.parameters[name].role in _RANGE:
        return draft.question is not None
    if not asks or not context.enabled("ask_user"):
        return False
    draft.ask("missing_argument", missing_key(draft, name, context), asks)
    return True
