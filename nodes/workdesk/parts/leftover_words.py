"""What a question says beyond its grammar: the words that may name a condition in wording we do not know."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

import yaml


@lru_cache(maxsize=1)
def _known() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return the known English words, and a pattern of the Chinese ones, the longest first."""
    text = files(__package__ or "").joinpath("leftover_words.yaml").read_text(encoding="utf-8")
    words = yaml.safe_load(text)
    chinese = sorted(words["chinese"].split(), key=lambda word: (-len(word), word))
    return frozenset(words["english"].split()), re.compile("|".join(map(re.escape, chinese)))


def leftover_words(question: str) -> list[str]:
    """Return the words of a folded question, its times taken out, that its grammar and its topic do not explain.

    A single Chinese character is none.
    """
    english, chinese = _known()
    latin = [word for word in re.findall(r"[a-z]{2,}", question) if word not in english]
    han = re.sub(r"[^\u3400-\u9fff]+", " ", question)
    return [*latin, *(part for part in chinese.sub(" ", han).split() if len(part) > 1)]
