"""What a question is about, without the words that only ask."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import yaml

from mindatlas.nodes.text import char_ngrams, fold, is_cjk


@cache
def _filler() -> tuple[re.Pattern[str], frozenset[str]]:
    """Return what splits Chinese runs (the longest word first), and the English words to leave out."""
    source = files("mindatlas.nodes.mindtrip.parts").joinpath("filler_words.yaml")
    words: dict[str, list[str]] = yaml.safe_load(source.read_text(encoding="utf-8"))
    chinese = sorted(words["zh"], key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, chinese))), frozenset(words["en"])


def content_terms(question: str) -> tuple[str, ...]:
    """Return what a question is about: the bigrams of its Chinese runs without filler, and its Latin words.

    A run of one character is kept whole. Order of first appearance, no repeats.
    """
    chinese, english = _filler()
    terms: list[str] = []
    for piece in chinese.split(fold(question)):
        grams = char_ngrams(piece, (2,))
        if not grams and is_cjk(piece):
            grams = char_ngrams(piece, (1,))
        terms.extend(gram for gram in grams if gram not in english)
    return tuple(dict.fromkeys(terms))
