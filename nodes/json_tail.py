"""Closing the tail of JSON that was cut off: nothing is invented, only left out.

General repair libraries guess: they close a cut number (`[12, 3` becomes `[12, 3]` where 35 was meant) and turn
a cut literal into text. Here the last token is dropped unless it is whole beyond doubt, and brackets are closed.
"""

from __future__ import annotations

import re
from typing import Literal

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_CUT_STRING = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z'
)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_CUT_NUMBER = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?)?\Z")
_LITERAL = re.compile(r"true|false|null")
_LITERALS = ("true", "false", "null")
_CLOSERS = {"{": "}", "[": "]"}

_Expected = Literal["value", "value_or_end", "key", "key_or_end", "colon", "comma_or_end", "end"]


def close_tail(text: str) -> str | None:
    """Return `text` up to its last whole value with the open brackets closed; None when that is no repair.

    A cut string, number, literal or escape at the end is dropped, with the key it belongs to. A number that ends
    the text counts as cut: more digits may have followed. Whole JSON comes back as it is.

    Returns:
        Valid JSON that differs from what was meant by omission only; None where the text is damaged before its
        end, or is cut before its first bracket.
    """
    return _Scanner(text).close()


class _Scanner:
    """Reads JSON token by token, and remembers the last place where it could be closed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._open: list[str] = []
        self._expected: _Expected = "value"
        self._safe: int | None = None

    def close(self) -> str | None:
        """Return the closed text, None when it is damaged or holds nothing yet."""
        while True:
            self._position = self._end(_SPACE)
            if self._position == len(self._text):
                break
            stepped = self._step(self._text[self._position])
            if stepped is None:
                return None
            if not stepped:
                break
        if self._safe is None:
            return None
        # every bracket that opens or closes is a safe place, so those open now were open there
        closers = "".join(_CLOSERS[bracket] for bracket in reversed(self._open))
        return self._text if self._expected == "end" else self._text[: self._safe] + closers

    def _step(self, char: str) -> bool | None:
        """Read a token; False when it is cut by the end of the text, None when it is damaged."""
        if self._expected in ("comma_or_end", "value_or_end", "key_or_end") and char in "]}":
            return self._close_bracket(char)
        if self._expected == "comma_or_end":
            return self._advance(char == ",", "key" if self._open[-1] == "{" else "value")
        if self._expected == "colon":
            return self._advance(char == ":", "value")
        if self._expected in ("key", "key_or_end"):
            return self._key(char)
        return self._value(char) if self._expected != "end" else None

    def _advance(self, fits: bool, expected: _Expected) -> bool | None:
        if not fits:
            return None
        self._position += 1
        self._expected = expected
        return True

    def _key(self, char: str) -> bool | None:
        if char != '"':
            return None
        end = self._end(_STRING)
        if end == self._position:
            return False if _CUT_STRING.match(self._text, self._position) else None
        self._position, self._expected = end, "colon"
        return True

    def _value(self, char: str) -> bool | None:
        if char in _CLOSERS:
            self._open.append(char)
            self._position += 1
            self._expected = "key_or_end" if char == "{" else "value_or_end"
            self._mark()
            return True
        pattern, cut = (_STRING, _CUT_STRING) if char == '"' else (_NUMBER, _CUT_NUMBER)
        if char in "tfn":
            pattern, cut = _LITERAL, _LITERAL
        end = self._end(pattern)
        if end == self._position or (pattern is _NUMBER and _CUT_NUMBER.match(self._text, self._position)):
            return False if self._is_cut(cut) else None
        self._position = end
        self._finish_value()
        return True

    def _is_cut(self, cut: re.Pattern[str]) -> bool:
        rest = self._text[self._position :]
        if cut is _LITERAL:
            return any(literal.startswith(rest) for literal in _LITERALS)
        return bool(rest) and bool(cut.match(rest))

    def _close_bracket(self, char: str) -> bool | None:
        if _CLOSERS[self._open[-1]] != char:
            return None
        self._open.pop()
        self._position += 1
        self._finish_value()
        return True

    def _finish_value(self) -> None:
        self._expected = "comma_or_end" if self._open else "end"
        self._mark()

    def _mark(self) -> None:
        self._safe = self._position

    def _end(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._position)
        return match.end() if match else self._position
