"""Argument values in the types and codes that a parameter takes; changed only where nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.parameters import Parameter
from mindatlas.nodes.workdesk.parts.strict_json import StrictJsonError, read_json
from mindatlas.nodes.workdesk.parts.support import code_words

_WHOLE = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.0+)?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?", re.ASCII)
_BOOLEANS = {"true": True, "false": False}
_EXACT = 2**53  # a JSON number above may already have lost digits


class LossyError(ValueError):
    """A value that does not become the wanted type without loss."""


def of_json_type(value: Any, kind: str) -> bool:
    """Return whether a value is of a JSON type; true is no number, 7.0 is an integer."""
    if kind == "integer":
        return not isinstance(value, bool) and (
            isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        )
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    kinds: Mapping[str, Any] = {
        "string": str,
        "boolean": bool,
        "array": list,
        "object": dict,
        "null": type(None),
    }
    return kind not in kinds or isinstance(value, kinds[kind])


def decoded(value: Any, parameter: Parameter) -> Any:
    """Return what JSON text in a parameter that takes lists or objects, and no text, stands for; once.

    Raises:
        LossyError: the text is not strictly valid JSON.
    """
    wanted = parameter.types & {"array", "object"}
    if (
        not isinstance(value, str)
        or not wanted
        or "string" in parameter.types
        or value.lstrip()[:1] not in {"[", "{"}
    ):
        return value
    try:
        inner = read_json(value)
    except StrictJsonError as error:
        raise LossyError(f"is text that is no valid JSON: {error}") from error
    return inner if any(of_json_type(inner, kind) for kind in wanted) else value


def converted(value: Any, parameter: Parameter) -> Any:
    """Return a value as one of the parameter's types.

    Raises:
        LossyError: none of them takes it without loss.
    """
    if any(of_json_type(value, kind) for kind in parameter.types):
        whole = isinstance(value, float) and "integer" in parameter.types and "number" not in parameter.types
        return int(value) if whole else value
    binary = parameter.types <= {"integer", "null"} and set(parameter.values) <= {"0", "1"}
    if isinstance(value, bool) and binary and str(int(value)) in parameter.values:
        return int(value)
    for kind in ("boolean", "integer", "number", "string", "array"):
        if kind in parameter.types:
            try:
                return _as(kind, value, parameter)
            except LossyError:
                continue
    wanted = " or ".join(sorted(parameter.types - {"null"}))
    raise LossyError(f"must be {wanted}")


def _as(kind: str, value: Any, parameter: Parameter) -> Any:
    if isinstance(value, list) and len(value) == 1 and kind != "array":
        value = value[0]
        if of_json_type(value, kind):
            return value
    text = value.strip() if isinstance(value, str) else None
    if kind == "boolean":
        if text is not None and text.casefold() in _BOOLEANS:
            return _BOOLEANS[text.casefold()]
        if value in (0, 1) and isinstance(value, int):
            return bool(value)
    elif kind == "integer" and text is not None and _WHOLE.fullmatch(text):
        return int(text.split(".")[0])
    elif kind == "number" and text is not None and _DECIMAL.fullmatch(text):
        return float(text) if re.search(r"[.eE]", text) else int(text)
    elif (
        kind == "string"
        and isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < _EXACT
    ):
        return str(int(value)) if float(value).is_integer() else repr(value)
    elif kind == "array" and not isinstance(value, list | dict):
        return [_item(value, parameter)]
    raise LossyError


def _item(value: Any, parameter: Parameter) -> Any:
    items = parameter.schema.get("items")
    kinds = items.get("type") if isinstance(items, Mapping) else None
    if kinds is None or any(
        of_json_type(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)
    ):
        return value
    raise LossyError


def coded(value: Any, parameter: Parameter) -> Any:
    """Return the code that a value is, or that the word in it stands for.

    Raises:
        LossyError: it is no code, and the word of none or of several.
    """
    if not parameter.values:
        return value
    if isinstance(value, list):
        return [coded(item, parameter) for item in value]
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(value, float) and value.is_integer():
        text = str(int(value))
    if isinstance(value, bool) and text not in parameter.codes:
        text = str(int(value))
    if text in parameter.codes:
        return parameter.codes[text]
    word = fold(text)
    for matching in (
        [code for code, words in parameter.values.items() if word in {fold(code), *map(fold, words)}],
        [code for code in parameter.values if word.replace("_", " ") in code_words(code, parameter)],
        [
            code
            for code, words in parameter.values.items()
            if any(fold(said).startswith(word) for said in words)
        ],
    ):
        if len(matching) == 1 and word:
            return parameter.codes[matching[0]]
    raise LossyError(f"is not one of {allowed(parameter)}")


def allowed(parameter: Parameter) -> str:
    """Return the codes of a parameter with their first words, for a message."""
    return ", ".join(f"{code} ({words[0]})" if words else code for code, words in parameter.values.items())
