"""What the words of a question are about: meanings that both languages share, and topics without function words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import groupby

import yaml

from mindatlas.nodes.text import is_cjk, tokens


def meanings(text: str) -> list[str]:
    """Return a name for each meaning that the words of `text` have, in order; at each place the longest word counts.

    Names are eight letters, as far from each other as chance makes them, so that an embedding of letters keeps
    them apart.
    """
    found: list[str] = []
    for chinese, grouped in groupby(tokens(text), is_cjk):
        runs = list(grouped)
        for unit in map(list, runs) if chinese else [runs]:
            found.extend(_meanings_of(unit, "" if chinese else " "))
    return found


def _meanings_of(units: list[str], joint: str) -> Iterator[str]:
    """Yield the meanings of a run of characters or words, read from the left."""
    names, longest = _vocabulary()
    start = 0
    while start < len(units):
        sizes = range(min(longest, len(units) - start), 0, -1)
        size = next((size for size in sizes if joint.join(units[start : start + size]) in names), 0)
        if size:
            yield names[joint.join(units[start : start + size])]
        start += size or 1


@cache
def _vocabulary() -> tuple[Mapping[str, str], int]:
    """Return the meaning of each word in each of its forms, and how many characters or words the longest has."""
    content = files(__package__ or "").joinpath("business_terms.yaml").read_text(encoding="utf-8")
    names: dict[str, str] = {}
    for number, words in enumerate(yaml.safe_load(content)):
        for word in words:
            runs = tokens(word)
            for form in [runs[0]] if is_cjk(word) else _forms(" ".join(runs)):
                names.setdefault(form, _name(number))
    return names, max(len(word) if is_cjk(word) else word.count(" ") + 1 for word in names)


def _name(number: int) -> str:
    digest = hashlib.sha256(str(number).encode()).digest()
    return "".join(chr(ord("a") + byte % 26) for byte in digest[:8])


def _forms(word: str) -> list[str]:
    """Return an English word with the endings of its plural and its past."""
    forms = [
        word,
        f"{word}s",
        f"{word}es",
        f"{word}ed",
        f"{word}ing",
        f"{word}{word[-1]}ed",
        f"{word}{word[-1]}ing",
    ]
    if word.endswith("y"):
        forms += [f"{word[:-1]}ies", f"{word[:-1]}ied"]
    if word.endswith("e"):
        forms += [f"{word}d", f"{word[:-1]}ing"]
    return forms


def topic_of(text: str) -> str:
    """Return `text`, folded, without the words that carry no topic (请问, please, 上个月, the)."""
    chinese, english = _function_words()
    kept = (chinese.sub(" ", run) if is_cjk(run) else run for run in tokens(text) if run not in english)
    return " ".join(" ".join(kept).split())


@cache
def _function_words() -> tuple[re.Pattern[str], frozenset[str]]:
    content = files(__package__ or "").joinpath("function_words.yaml").read_text(encoding="utf-8")
    words = yaml.safe_load(content)
    chinese = sorted(words["chinese"].split(), key=lambda word: (-len(word), word))
    return re.compile("|".join(chinese)), frozenset(words["english"].split())
