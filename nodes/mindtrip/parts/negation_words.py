"""The word classes that the grammars of exclusion are built on, as fragments of regular expressions."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from mindatlas.nodes.text import fold


@cache
def _classes() -> dict[str, dict[str, str]]:
    source = files("mindatlas.nodes.mindtrip.parts").joinpath("negation_words.yaml")
    languages: dict[str, dict[str, Any]] = yaml.safe_load(source.read_text(encoding="utf-8"))
    return {
        language: {name: str(words) for name, words in named.items()} for language, named in languages.items()
    }


def any_of(language: str, *names: str) -> str:
    """Return a group that matches, in folded text, any word of the named classes, the longest first.

    An underscore in a word stands for a space ("rush_hour").
    """
    words = {word for name in names for word in _classes()[language][name].split()}
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return either(*(re.escape(fold(word.replace("_", " "))) for word in ordered))


def either(*patterns: str) -> str:
    """Return a group that matches any of `patterns`, tried in order."""
    return "(?:" + "|".join(patterns) + ")"
