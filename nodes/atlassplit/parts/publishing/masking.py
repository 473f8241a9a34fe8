"""Keeping cell values out of what leaves the machine or enters the audit of a private run.

Text that a program wrote (errors, tracebacks, what it printed) is masked by what is allowed, not by what is
known: numbers, quoted texts and Chinese words stay only where the request, a header or the code has them;
other words go when a cell has them, or when the program raises errors of its own making: it may have put any
piece of a cell into them. A masked piece becomes its pattern (AA-999), so a reader sees its shape.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.execution import ExecutionError
from mindatlas.nodes.atlassplit.parts.publishing.code_masking import mask_code
from mindatlas.nodes.atlassplit.parts.publishing.value_words import QUOTED, WORD, ValueWords
from mindatlas.nodes.atlassplit.parts.value_patterns import pattern_of
from mindatlas.nodes.text import fold

_TRACE_LINE: Final = re.compile(
    r'\s*File "<\w+>", line \d+(?:, in <?[A-Za-z_]\w*>?)?|Traceback \(most recent call last\):', re.ASCII
)
_DIGIT: Final = re.compile("[0-9]")
# What messages of Python and pandas hold that is never a cell's.
_LANGUAGE_WORDS: Final = frozenset(
    {
        *map(str.lower, keyword.kwlist),
        *("str", "int", "float", "bool", "list", "dict", "tuple", "set", "bytes", "object", "nonetype"),
        *("nan", "nat", "na", "dataframe", "series", "index", "string", "category", "module", "function"),
        *(
            "datetime",
            "date",
            "time",
            "timedelta",
            "timestamp",
            "datetime64",
            "timedelta64",
            "us",
            "ns",
            "ms",
        ),
        *("int8", "int16", "int32", "int64", "uint8", "float32", "float64", "method", "columns"),
    }
)


@dataclass(frozen=True, kw_only=True)
class _Known:
    """Words that stay; with `messages` those stay too that are like the words of Python's and pandas' messages."""

    words: frozenset[str]
    messages: bool


class Masker:
    """Masks cell values of the given tables.

    Example:
        >>> masker = Masker({"销售": frame}, request="汇总")
        >>> masker.text("could not convert string to float: '1,234'")
        "could not convert string to float: '9,999'"
    """

    def __init__(
        self, frames: Mapping[str, pd.DataFrame], *, request: str, names: Iterable[str] = ()
    ) -> None:
        """Prepare; the tables are looked through when the first text is masked.

        Args:
            frames: The input tables by name; their names and headers stay readable.
            request: What the user asked for; its words stay readable.
            names: What else stays readable: file names, columns of the result.
        """
        self._frames = frames
        self._request = request
        self._names = tuple(names)

    def text(self, text: str, *, code: str = "") -> str:
        """Return a text of the program without cell values; words of `code` stay unless they are masked there."""
        words = frozenset(fold(word) for word in WORD.findall(self.code(code))) | _LANGUAGE_WORDS
        known = _Known(words=words, messages=not _raises(code))
        return "\n".join(self._line(line, known) for line in text.split("\n"))

    def kind(self, kind: str) -> str:
        """Return the name of an error's type; a program may name its own after a cell."""
        return self._plain(kind, _Known(words=_LANGUAGE_WORDS, messages=True))

    def error(self, error: ExecutionError, *, code: str = "") -> ExecutionError:
        """Return an error whose kind, message and traceback hold no cell value; the line stays."""
        return replace(
            error,
            kind=self.kind(error.kind),
            message=self.text(error.message, code=code),
            traceback=self.text(error.traceback, code=code),
        )

    def code(self, code: str) -> str:
        """Return a program without cell values, as `mask_code` does; what is no Python is masked as any text."""
        masked = mask_code(code, self._words)
        return self.text(code) if masked is None else masked

    @cached_property
    def _words(self) -> ValueWords:
        return ValueWords.of(self._frames, request=self._request, names=self._names)

    def _line(self, line: str, known: _Known) -> str:
        if _TRACE_LINE.fullmatch(line):
            return line
        pieces, end = [], 0
        for match in QUOTED.finditer(line):
            pieces += [self._plain(line[end : match.start()], known), self._quoted(match[0], known)]
            end = match.end()
        return "".join([*pieces, self._plain(line[end:], known)])

    def _quoted(self, quoted: str, known: _Known) -> str:
        """Return a quoted text with every word masked that is not known; a list of quoted texts piece by piece."""
        mark, text = quoted[0], quoted[1:-1]
        if self._words.may_show(text):
            return quoted
        if QUOTED.search(text):
            return f"{mark}{self._line(text, known)}{mark}"
        masked = WORD.sub(
            lambda match: match[0] if self._is_known(match[0], known) else pattern_of(match[0]), text
        )
        return f"{mark}{masked}{mark}"

    def _plain(self, text: str, known: _Known) -> str:
        return WORD.sub(lambda match: self._plain_word(match[0], known), text)

    def _plain_word(self, word: str, known: _Known) -> str:
        is_message_word = (
            known.messages and word.isascii() and not _DIGIT.search(word) and not self._words.holds(word)
        )
        return word if is_message_word or self._is_known(word, known) else pattern_of(word)

    def _is_known(self, word: str, known: _Known) -> bool:
        return fold(word) in known.words or self._words.may_show(word)


def _raises(code: str) -> bool:
    """Return whether a program raises errors itself; what is no Python may do anything."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return bool(code)
    return any(isinstance(node, ast.Raise | ast.Assert) for node in ast.walk(tree))
