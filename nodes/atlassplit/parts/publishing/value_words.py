"""The words that stand in the cells of a run's tables, and those that may be shown all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.evidence import label_text
from mindatlas.nodes.text import fold

_CJK: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# A name as programs have them, a run of Chinese characters, a number with what belongs to it, or another word.
WORD: Final = re.compile(
    f"[A-Za-z_][A-Za-z0-9_]*|[{_CJK}]+|[0-9０-９]+(?:[.,:/-][0-9０-９]+)*|[^\\W\\d_{_CJK}]+"
)

# A text in quotes; an apostrophe within a word opens none.
QUOTED: Final = re.compile(r"(?<!\w)'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")

_SHORTEST, _SHORTEST_ASCII = 2, 4  # characters of a cell that is looked for within longer words


@dataclass(frozen=True, kw_only=True)
class ValueWords:
    """What is a cell value and what is not, all folded.

    Attributes:
        values: Whole texts of cells.
        words: The words within them.
        shown: Names of columns and tables, and the words of the request: they are known anyway.
        request: The request.
    """

    values: frozenset[str]
    words: frozenset[str]
    shown: frozenset[str]
    request: str

    @classmethod
    def of(cls, frames: Mapping[str, pd.DataFrame], *, request: str, names: Iterable[str] = ()) -> ValueWords:
        """Return the words of the texts in the frames.

        Args:
            frames: The input tables by name; their names and headers may be shown.
            request: What the user asked for.
            names: What else may be shown: file names, names of a result's columns.
        """
        values = {fold(text) for frame in frames.values() for text in _texts(frame)} - {""}
        words = {word for text in values for word in WORD.findall(text)}
        headers = [label_text(label) for frame in frames.values() for label in frame.columns]
        shown = {fold(name) for name in [*frames, *headers, *names]}
        shown |= {word for name in shown for word in WORD.findall(name)}
        asked = fold(request)
        return cls(
            values=frozenset(values - shown),
            words=frozenset(words - shown),
            shown=frozenset(shown | {*WORD.findall(asked)}),
            request=asked,
        )

    def may_show(self, text: str) -> bool:
        """Return whether a text is a known name or stands in the request."""
        folded = fold(text)
        return folded in self.shown or (len(folded) > 1 and not folded.isascii() and folded in self.request)

    def holds(self, word: str) -> bool:
        """Return whether a word stands in a cell and may not be shown."""
        return fold(word) in self.words and not self.may_show(word)

    def is_value(self, text: str) -> bool:
        """Return whether a text is that of a cell and may not be shown."""
        return fold(text) in self.values and not self.may_show(text)

    def contains_value(self, text: str) -> bool:
        """Return whether the text of a cell stands anywhere in a text and may not be shown.

        Within a longer word only cells of two Chinese or four other characters count: `sum` is no cell of
        `summary`.
        """
        folded = fold(text)
        return any(
            folded[start : start + length] in self.values and _is_telling(folded[start : start + length])
            for length in self._lengths
            for start in range(len(folded) - length + 1)
            if not self.may_show(folded[start : start + length])
        )

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(value) for value in self.values}))


def _is_telling(value: str) -> bool:
    return len(value) >= (_SHORTEST_ASCII if value.isascii() else _SHORTEST)


def _texts(frame: pd.DataFrame) -> Iterator[str]:
    for at in range(frame.shape[1]):
        column = frame.iloc[:, at]
        if column.dtype == object or isinstance(column.dtype, pd.StringDtype | pd.CategoricalDtype):
            yield from {value for value in column.tolist() if isinstance(value, str)}
