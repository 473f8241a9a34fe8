"""Arguments against the types, the codes and the schema that a tool really takes."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator

from mindatlas.nodes.workdesk.parts.argument_types import LossyError, coded, converted, decoded
from mindatlas.nodes.workdesk.parts.parameters import RANGE_ROLES, Parameter
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext


def fit_types(draft: Draft, context: ValidationContext) -> None:
    """Bring the arguments into the types and codes of their parameters, or name what cannot be."""
    for name in [name for name in draft.args if name in draft.parameters]:
        parameter = draft.parameters[name]
        name_to_resolve = parameter.names_from and not parameter.values and isinstance(draft.args[name], str)
        if parameter.role not in RANGE_ROLES and not name_to_resolve:
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
