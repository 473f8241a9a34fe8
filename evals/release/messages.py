"""Errors in words of a closed list: an error's own text never passes, only the names in it, as placeholders."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final

import yaml

from mindatlas.evals.release import vocabulary
from mindatlas.evals.release.tokens import Tokens
from mindatlas.nodes.atlassplit.parts.assertions import KINDS
from mindatlas.nodes.atlassplit.parts.error_types import ErrorType
from mindatlas.nodes.atlassplit.parts.rounds import ErrorView

# What stands where no sentence of the list fits, so that the kind of failure can still be told from it.
_BY_TYPE: Final[dict[tuple[str, str], str]] = {
    ("KeyError", "E1"): "Columns not found: 'STR'",
    ("KeyError", "E4"): "Level STR not found",
    ("AttributeError", "E1"): "'DataFrame' object has no attribute 'STR'",
    ("AttributeError", "E2"): "the object does not have the attribute",
    ("AttributeError", "E6"): "module 'STR' has no attribute 'STR'",
    ("NameError", "E6"): "name 'pd' is not defined",
    ("ValueError", "E1"): "No common columns to perform merge on",
    ("ValueError", "E4"): "shapes do not fit",
    ("MergeError", "E1"): "No common columns to perform merge on",
    ("killed", "E7"): "ended by the signal of a limit",
}
_OTHER: Final = "another error"
_ASSERTION: Final = "assertion failed: "


@dataclass(frozen=True, kw_only=True)
class Told:
    """An error in released words: one of `patterns()`, and its sentence."""

    pattern: str
    message: str


def tell_error(error: ErrorView, tokens: Tokens) -> Told:
    """Return an error's pattern and sentence; `other` where none of the list fits."""
    kind = error["kind"].rsplit(".", 1)[-1]
    for pattern in _patterns():
        if kind in pattern["kinds"]:
            match = re.search(pattern["find"], " ".join(error["message"].split()))
            if match is not None:
                filled = {name: _slot(name, text, tokens) for name, text in match.groupdict().items()}
                return Told(pattern=pattern["id"], message=str(pattern["say"]).format(**filled))
    return Told(pattern="other", message=_OTHER)


def tell_by_type(kind: str, error_type: ErrorType) -> Told:
    """Return the plainest sentence that still tells the kind of failure."""
    return Told(pattern="other", message=_BY_TYPE.get((kind, error_type), _OTHER))


def tell_assertions(failed: list[str]) -> Told:
    """Return what is told of failed assertions, given by their kinds; one that no list has is `other`."""
    known = [kind if kind in KINDS else "other" for kind in failed]
    return Told(pattern=f"assertion_{known[0]}", message=_ASSERTION + "; ".join(dict.fromkeys(known)))


def released_kind(kind: str) -> str:
    """Return an error's kind, `Exception` for one that a program defined."""
    plain = kind.rsplit(".", 1)[-1]
    return plain if plain in vocabulary.classes() else "Exception"


def assertions_of(message: str) -> list[str] | None:
    """Return the kinds of failed assertions in a released sentence, None when it tells of an error."""
    return message.removeprefix(_ASSERTION).split("; ") if message.startswith(_ASSERTION) else None


@cache
def patterns() -> tuple[str, ...]:
    """Return the closed list of patterns."""
    assertions = [f"assertion_{kind}" for kind in (*KINDS, "other")]
    return (*(pattern["id"] for pattern in _patterns()), *assertions, "other")


@cache
def words() -> frozenset[str]:
    """Return all words that sentences can hold beside placeholders and names of libraries."""
    texts = [str(pattern["say"]) for pattern in _patterns()]
    texts += [*_BY_TYPE.values(), _OTHER, _ASSERTION, *KINDS, "other"]
    plain = ["".join(literal for literal, *_ in Formatter().parse(text)) for text in texts]
    return frozenset(word for text in plain for word in re.findall(r"\w+", text))


@cache
def _patterns() -> tuple[dict[str, Any], ...]:
    source = files("mindatlas.evals.release").joinpath("patterns.yaml")
    return tuple(yaml.safe_load(source.read_text(encoding="utf-8")))


def _slot(name: str, text: str, tokens: Tokens) -> str:
    """Return what goes in place of a group of the original sentence."""
    match name.rstrip("0123456789"):
        case "key":
            return tokens.key(text)
        case "keys":
            return _keys(text, tokens)
        case "attribute":
            return tokens.attribute(text)
        case "module":
            return tokens.module(text)
        case "kind":
            return tokens.type_name(text)
        case "column":
            return tokens.text(text)
    return text if text in vocabulary.modules() else tokens.variable(text)


def _keys(text: str, tokens: Tokens) -> str:
    """Return names that stand in a row, quoted or not."""
    try:
        values = ast.literal_eval(f"[{text}]")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        values = [text]
    return ", ".join(tokens.key(repr(value)) for value in values)
