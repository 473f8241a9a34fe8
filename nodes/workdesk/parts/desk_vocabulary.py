"""The vocabulary of the builtin planner, read once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from mindatlas.nodes.workdesk.parts.desk_text import one_of, word_pattern


def _load() -> Mapping[str, Any]:
    text = files(__package__ or "").joinpath("desk_words.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


WORDS: Mapping[str, Any] = _load()
"""All of `desk_words.yaml`."""

DIMENSIONS: Mapping[str, Mapping[str, Sequence[str]]] = WORDS["dimensions"]
"""Dimension -> its words, and the endings of names that belong to it."""


@cache
def cue(path: str) -> re.Pattern[str]:
    """Return the pattern of the expressions under a dotted path of the vocabulary, longest first."""
    found: Any = WORDS
    for step in path.split("."):
        found = found[step]
    return one_of(found["patterns"] if isinstance(found, dict) else found)


@cache
def records() -> re.Pattern[str]:
    """Return the pattern of what the records are called."""
    return re.compile(word_pattern(WORDS["records"]))


@cache
def fillers() -> re.Pattern[str]:
    """Return the pattern of words that carry no condition.

    No character that is a surname or begins a name (张, 于, 和) is one of them alone.
    """
    return one_of([*WORDS["fillers"]["zh"], word_pattern([str(word) for word in WORDS["fillers"]["en"]])])


@cache
def joints() -> re.Pattern[str]:
    """Return the pattern of words that join what was understood on both sides."""
    return re.compile("|".join(WORDS["fillers"]["joints"]))
