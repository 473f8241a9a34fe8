"""Real columns that a name which is not there may have meant, each with a score."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import yaml
from rapidfuzz import fuzz

from mindatlas.nodes.text import fold, is_cjk

LEAST_SCORE = 0.6  # below this a name is not like another: it is said to be missing, nothing is guessed
_SAME_FOLDED = 0.99  # spaces at the ends, width, case, a number for its text
_SAME_ALIAS = 0.97
_SAME_LETTERS = 0.96  # underscores, inner spaces, punctuation
_SAME_CORE = 0.955  # a unit or note in brackets
_SAME_CORE_MEANING = 0.92
_SAME_MEANING = 0.93  # up to 0.95 as the letters agree, so that of two synonyms the nearer one leads
_MOST_BY_WORDS = 0.91
_MOST_BY_LETTERS = 0.94
_MOST_BY_PART = 0.9

_BRACKETS = re.compile(r"[(\[【（［][^)\]】）］]*[)\]】）］]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LATIN_WORD = re.compile(r"[a-z]+|[0-9]+")
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """A real column and how likely it was meant, 0 to 1."""

    column: Hashable
    score: float


def suggest(
    name: Hashable,
    columns: Sequence[Hashable],
    *,
    limit: int = 3,
    aliases: Mapping[str, Sequence[str]] | None = None,
) -> list[Suggestion]:
    """Return the columns that `name` may have meant, best first, equal ones in the order of the sheet.

    Args:
        name: A name that is not among `columns`.
        columns: The columns of the frame.
        limit: The most that are returned.
        aliases: For a column, other names that its users know it by.

    Returns:
        Columns whose score is at least LEAST_SCORE; empty where none is like the name.

    Example:
        >>> suggest("销售数量", ["门店", "销量", "销售额"])[0]
        Suggestion(column='销量', score=0.9433)
    """
    scored = [Suggestion(column=column, score=_best_score(name, column, aliases or {})) for column in columns]
    likely = [suggestion for suggestion in scored if suggestion.score >= LEAST_SCORE]
    return sorted(likely, key=lambda suggestion: -suggestion.score)[:limit]


def _best_score(name: Hashable, column: Hashable, aliases: Mapping[str, Sequence[str]]) -> float:
    text, other = _as_text(name), _as_text(column)
    best = likeness(text, other)
    for alias in aliases.get(other, ()):
        best = max(best, min(likeness(text, alias), _SAME_ALIAS))
    return round(best, 4)


def _as_text(name: Hashable) -> str:
    return "/".join(str(part) for part in name if part != "") if isinstance(name, tuple) else str(name)


def likeness(first: str, second: str) -> float:
    """Return how likely two column names mean the same, 0 to 1, the same in both directions."""
    if fold(first) == fold(second):
        return _SAME_FOLDED
    letters, other = _letters(first), _letters(second)
    if letters and letters == other:
        return _SAME_LETTERS
    core, other_core = _letters(_BRACKETS.sub("", first)), _letters(_BRACKETS.sub("", second))
    if core and core == other_core:
        return _SAME_CORE
    if _groups_of(letters) & _groups_of(other):
        return _SAME_MEANING + 0.02 * fuzz.ratio(letters, other) / 100
    if _groups_of(core) & _groups_of(other_core):
        return _SAME_CORE_MEANING
    return max(_by_letters(letters, other), _by_part(core, other_core), _by_words(first, second))


@lru_cache(maxsize=4096)
def _letters(text: str) -> str:
    """Return the folded letters and digits of `text` alone."""
    return "".join(char for char in fold(text) if char.isalnum())


def _by_letters(first: str, second: str) -> float:
    """Return the likeness by edit distance; short names must agree in more of their letters."""
    longest = max(len(first), len(second))
    if not first or not second or (longest < 3 and first[0] != second[0]):
        return 0.0
    return _MOST_BY_LETTERS * fuzz.ratio(first, second) / 100


def _by_part(first: str, second: str) -> float:
    """Return the likeness of a name that is part of the other: two Chinese characters or three letters at least."""
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) < (2 if is_cjk(shorter) else 3) or shorter not in longer:
        return 0.0
    return 0.55 + (_MOST_BY_PART - 0.55) * len(shorter) / len(longer)


def _by_words(first: str, second: str) -> float:
    """Return the likeness by shared words, a synonym counting as the same word (Dice's coefficient)."""
    words, others = list(_words(first)), list(_words(second))
    total = sum(map(_weight, words)) + sum(map(_weight, others))
    shared = 0.0
    for word in words:
        match = next((other for other in others if _same_word(word, other)), None)
        if match is not None:
            others.remove(match)
            shared += _weight(word) + _weight(match)
    return _MOST_BY_WORDS * shared / total if total else 0.0


def _weight(word: str) -> float:
    """Return 1 for a word, less for a single character that is left over between words."""
    return 1.0 if len(word) > 1 else 0.5


def _same_word(first: str, second: str) -> bool:
    if first == second or _groups_of(first) & _groups_of(second):
        return True
    return min(len(first), len(second)) > 3 and fuzz.ratio(first, second) >= 85


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    """Return the words of a name: at case, underscore and script changes, Chinese by the longest known word."""
    spaced = fold(_CAMEL.sub(" ", unicodedata.normalize("NFKC", text)))
    words = _LATIN_WORD.findall(spaced)
    for run in _CJK_RUN.findall(spaced):
        words.extend(_chinese_words(run))
    return tuple(words)


def _chinese_words(run: str) -> list[str]:
    vocabulary, longest = _vocabulary()
    words: list[str] = []
    start = 0
    while start < len(run):
        sizes = range(min(longest, len(run) - start), 1, -1)
        size = next((size for size in sizes if run[start : start + size] in vocabulary), 1)
        words.append(run[start : start + size])
        start += size
    return words


@cache
def _vocabulary() -> tuple[Mapping[str, frozenset[int]], int]:
    """Return the synonym groups of each word, and the length of the longest word."""
    groups: list[list[str]] = yaml.safe_load(
        (Path(__file__).parent / "column_synonyms.yaml").read_text(encoding="utf-8")
    )
    members: dict[str, set[int]] = {}
    for number, group in enumerate(groups):
        for word in group:
            members.setdefault(_letters(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in members.items()}, max(map(len, members))


def _groups_of(word: str) -> frozenset[int]:
    return _vocabulary()[0].get(word, frozenset())
