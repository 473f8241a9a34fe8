"""Arguments that say nothing: null, "", “none” and placeholders."""

from __future__ import annotations

from typing import Any

from mindatlas.nodes.workdesk.parts.argument_needs import ask_for
from mindatlas.nodes.workdesk.parts.empty_values import (
    ALL_WORDS,
    is_empty,
    is_placeholder,
    placeholder_inside,
)
from mindatlas.nodes.workdesk.parts.evidence import Evidence
from mindatlas.nodes.workdesk.parts.parameters import RANGE_ROLES, Parameter
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext


def strip_empty(draft: Draft, evidence: Evidence, context: ValidationContext) -> None:
    """Take out what says nothing: null, "", “none”, placeholders. 0 and false say something.

    Text that a tool needs is left as it is; a placeholder in it is a fault, because nobody may send it.
    """
    for name in [name for name in draft.args if name in draft.parameters]:
        parameter, value = draft.parameters[name], draft.args[name]
        optional = (
            draft.optional(name) or parameter.role in RANGE_ROLES or name in draft.card.overlay.defaults
        )
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
    elif ask_for(draft, name, context):
        draft.strip("strip_placeholder", name, f"{value!r} is a placeholder; the user is asked for it")
    else:
        draft.fault(
            "placeholder", name, f"{name} {value!r} is a placeholder; give the real value or look it up first"
        )
