"""Programs without the cell values that stand in their literals."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import Final

from mindatlas.nodes.atlassplit.parts.publishing.value_words import QUOTED, WORD, ValueWords
from mindatlas.nodes.atlassplit.parts.value_patterns import pattern_of

_LITERAL_PARTS: Final = re.compile(r"[\s,;|，、；]+")
_BRACES: Final = re.compile(r"(\{[^{}]*\})")
# From Python 3.12 on, the text of an f-string is a token of its own.
_FSTRING_TEXT: Final = getattr(tokenize, "FSTRING_MIDDLE", None)


def mask_code(code: str, words: ValueWords) -> str | None:
    """Return a program with patterns for the cell values in its text literals and comments, None for no program.

    A literal is masked where it is the text of a cell, or a list of such, that may not be shown. Numbers stay:
    who wrote the program was never shown one. Whether code that holds a masked literal still runs is not
    looked at.
    """
    if not _is_python(code):
        return None
    lines = io.StringIO(code).readlines()
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(code).readline))):
        masked = _masked(token, words)
        if masked != token.string:
            _put(lines, token, masked)
    return "".join(lines)


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _masked(token: tokenize.TokenInfo, words: ValueWords) -> str:
    if token.type in (tokenize.COMMENT, _FSTRING_TEXT):
        return _mask_words(token.string, words)
    if token.type != tokenize.STRING:
        return token.string
    try:
        value = ast.literal_eval(token.string)
    except ValueError:  # an f-string before Python 3.12
        return _mask_formatted(token.string, words)
    return repr(pattern_of(value)) if isinstance(value, str) and _holds_value(value, words) else token.string


def _mask_formatted(literal: str, words: ValueWords) -> str:
    pieces = _BRACES.split(literal)
    return "".join(
        _mask_quoted(piece, words) if piece.startswith("{") else _mask_words(piece, words) for piece in pieces
    )


def _mask_quoted(text: str, words: ValueWords) -> str:
    return QUOTED.sub(lambda match: match[0][0] + _mask_words(match[0][1:-1], words) + match[0][-1], text)


def _mask_words(text: str, words: ValueWords) -> str:
    return WORD.sub(lambda match: pattern_of(match[0]) if _tells(match[0], words) else match[0], text)


def _holds_value(text: str, words: ValueWords) -> bool:
    parts = [text, *filter(None, _LITERAL_PARTS.split(text))]
    return any(map(words.is_value, parts)) or words.contains_value(text)


def _tells(word: str, words: ValueWords) -> bool:
    return words.holds(word) or words.contains_value(word)


def _put(lines: list[str], token: tokenize.TokenInfo, masked: str) -> None:
    """Replace a token, which may go over several lines, in the lines of its program."""
    (first, start), (last, end) = token.start, token.end
    lines[first - 1 : last] = [lines[first - 1][:start] + masked + lines[last - 1][end:]]
