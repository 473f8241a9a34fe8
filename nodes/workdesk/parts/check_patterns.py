"""The vocabulary of the reply checks: patterns read from check_words.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml

_REFERENCE = re.compile(r"@(\w+)@")


@cache
def _vocabulary() -> Mapping[str, Mapping[str, Sequence[str]]]:
    text = files(__package__ or "").joinpath("check_words.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def any_of(name: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return a pattern that matches what the entry `name` lists."""
    entry = _vocabulary()[name]
    parts = list(entry.get("any", ()))
    if words := entry.get("words"):
        parts.append(rf"\b(?:{'|'.join(words)})\b")
    return re.compile(filled("|".join(parts)), flags)


def filled(pattern: str) -> str:
    """Return `pattern` with each `@name@` replaced by the alternatives of that fragment."""
    fragments = _vocabulary()["fragments"]
    return _REFERENCE.sub(lambda match: "|".join(fragments[match[1]]), pattern)
