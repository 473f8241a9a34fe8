"""The words of requests, by class, from request_words.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from mindatlas.nodes.text import fold


@dataclass(frozen=True, kw_only=True)
class Words:
    """Folded word -> class -> value, and the length of the longest word."""

    classes: Mapping[str, Mapping[str, str]]
    longest: int


@cache
def request_words() -> Words:
    """Return the vocabulary; read once."""
    text = (
        files("mindatlas.nodes.atlassplit.parts.planner")
        .joinpath("request_words.yaml")
        .read_text(encoding="utf-8")
    )
    classes: dict[str, dict[str, str]] = {}
    for word_class, by_value in yaml.load(text, Loader=yaml.BaseLoader).items():
        for value, words in by_value.items():
            for word in _flat(words):  # BaseLoader: `on` and `no` stay words
                classes.setdefault(fold(word), {}).setdefault(word_class, value)
    return Words(classes=classes, longest=max(map(len, classes)))


def _flat(words: Iterable[Any]) -> Iterable[str]:
    for word in words:
        yield from word if isinstance(word, list) else (str(word),)
