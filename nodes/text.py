"""Text folding and segmentation shared by every graph.

Folding is for matching only: what is shown or quoted is always the text as written. It works one character
at a time, so a substring folds to the same characters wherever it stands, which phrase-based conversion
between traditional and simplified Chinese does not guarantee.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jieba

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CJK_CHAR = re.compile(f"[{_CJK}]")
_BETWEEN_CJK = re.compile(f"(?<=[{_CJK}]) (?=[{_CJK}])")
_TOKEN = re.compile(f"[{_CJK}]+|[0-9]+(?:[.:][0-9]+)*|[^\\W\\d_{_CJK}]+")
_SENTENCE_END = re.compile(
    r"(?<=[。！？!?；;])(?![”’」』）)])|(?<=[”’」』])(?<=[。！？!?].)|(?<=\.)\s+(?=[A-Z\u4e00-\u9fff])|\n+"
)


@cache
def _simplifier() -> object:
    import opencc

    return opencc.OpenCC("tw2s")


_KEPT = frozenset("么乾")  # everyday simplified text (什么, 乾隆) that a conversion by character would change


class _FoldTable(dict[int, str]):
    """Maps a code point to its folded form, computed once on first sight."""

    def __missing__(self, code: int) -> str:
        char = unicodedata.normalize("NFKC", chr(code)).casefold()
        if _CJK_CHAR.match(char) and char not in _KEPT:
            char = str(_simplifier().convert(char))  # type: ignore[attr-defined]
        if char.isspace() or (char and unicodedata.category(char[0]) in {"Cf", "Cc"}):
            char = " " if char.isspace() else ""
        self[code] = char
        return char


_FOLD = _FoldTable()


def fold(text: str) -> str:
    """Return `text` folded for matching: NFKC, case, traditional to simplified, spaces.

    Runs of white space become one space; spaces between two Chinese characters vanish; spaces at the ends
    are stripped.
    """
    return _BETWEEN_CJK.sub("", " ".join(text.translate(_FOLD).split()))


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """Return the folded text and, for each of its characters, the index in `text` it came from.

    The second list has one entry more than the folded text: the length of `text`.
    """
    chars: list[str] = []
    offsets: list[int] = []
    pending_space: int | None = None
    for index, original in enumerate(text):
        for char in _FOLD[ord(original)]:
            if char == " ":
                pending_space = index if pending_space is None and chars else pending_space
                continue
            if pending_space is not None:
                if not (_CJK_CHAR.match(chars[-1]) and _CJK_CHAR.match(char)):
                    chars.append(" ")
                    offsets.append(pending_space)
                pending_space = None
            chars.append(char)
            offsets.append(index)
    offsets.append(len(text))
    return "".join(chars), offsets


def is_cjk(text: str) -> bool:
    """Return whether `text` holds at least one Chinese character."""
    return bool(_CJK_CHAR.search(text))


def language_of(text: str) -> str:
    """Return `"zh"` or `"en"`: the language a question should be answered in.

    One Chinese character weighs as much as three Latin letters, so a Chinese name in an English sentence
    does not turn it Chinese.
    """
    chinese = len(_CJK_CHAR.findall(text))
    latin = sum(char.isascii() and char.isalpha() for char in text)
    return "zh" if chinese * 3 >= latin and chinese else "en" if latin else "zh"


def sentences(text: str) -> list[str]:
    """Return the sentences of `text`, each as written with its closing mark, without empty ones."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def tokens(text: str) -> list[str]:
    """Return the runs of `fold(text)` that carry meaning: Chinese runs whole, words, numbers."""
    return _TOKEN.findall(fold(text))


def char_ngrams(text: str, sizes: Iterable[int]) -> list[str]:
    """Return the character n-grams of each Chinese run, and each Latin word or number whole.

    A run shorter than n gives no n-gram of that size.
    """
    sizes = tuple(sizes)
    grams: list[str] = []
    for run in tokens(text):
        if not _CJK_CHAR.match(run[0]):
            grams.append(run)
            continue
        for size in sizes:
            grams.extend(run[start : start + size] for start in range(len(run) - size + 1))
    return grams


class Segmenter:
    """Cuts folded text into words; the given names are never cut into pieces.

    jieba's own dictionary cuts many proper names (日月湾 into 日月 and 湾), so the names of a knowledge base
    are added with the frequency that jieba itself suggests for keeping them whole.

    With `vocabulary` (word -> frequency, from `frequencies`) the large dictionary is not loaded at all: words
    that an index does not hold cannot match in it anyway, and loading takes most of a second.
    """

    def __init__(self, names: Iterable[str] = (), *, vocabulary: Mapping[str, int] | None = None) -> None:
        self._names = sorted({folded for name in names if (folded := fold(name)) and is_cjk(folded)})
        self._vocabulary = vocabulary
        self._tokenizer: jieba.Tokenizer | None = None

    def words(self, text: str) -> list[str]:
        """Return the words of `text`, folded, in order, without punctuation."""
        words: list[str] = []
        for run in tokens(text):
            if _CJK_CHAR.match(run[0]):
                words.extend(self._load().lcut(run, HMM=False))
            else:
                words.append(run)
        return words

    def frequencies(self, words: Iterable[str]) -> dict[str, int]:
        """Return the dictionary frequency (at least 1) of each Chinese word in `words`."""
        known = self._load().FREQ
        return {word: max(1, known.get(word) or 0) for word in sorted(set(words)) if is_cjk(word)}

    def _load(self) -> jieba.Tokenizer:
        if self._tokenizer is None:
            import jieba

            jieba.setLogLevel("ERROR")
            self._tokenizer = jieba.Tokenizer()
            if self._vocabulary is None:
                self._tokenizer.initialize()
            else:
                _fill(self._tokenizer, self._vocabulary)
            for name in self._names:
                self._tokenizer.add_word(name, self._tokenizer.suggest_freq(name) or None)
        return self._tokenizer


def _fill(tokenizer: jieba.Tokenizer, vocabulary: Mapping[str, int]) -> None:
    """Give `tokenizer` a dictionary of its own: words with frequencies, their prefixes with 0."""
    frequencies: dict[str, int] = {}
    for word, frequency in vocabulary.items():
        for end in range(1, len(word)):
            frequencies.setdefault(word[:end], 0)
        frequencies[word] = frequency
    tokenizer.FREQ = frequencies
    tokenizer.total = max(1, sum(vocabulary.values()))
    tokenizer.initialized = True
