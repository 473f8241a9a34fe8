"""Reads the tokens of a clause from left to right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, Protocol, TypeVar, runtime_checkable

from mindatlas.nodes.atlassplit.parts.planner.tokens import Token


@runtime_checkable
class Noting(Protocol):
    """Collects notes while a request is read."""

    def noted(self) -> object:
        """Return the notes so far."""

    def restore(self, notes: object) -> None:
        """Go back to earlier notes."""


_END = Token(text="", folded="", start=0, end=0, separator="end")
_Found = TypeVar("_Found")
_Rest = ParamSpec("_Rest")


class Cursor:
    """The tokens of a clause without those that add nothing, and the place of the next one.

    `text` is the clause as written.
    """

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        ahead = [*tokens[1:], _END]
        telling = [
            token
            for token, behind in zip(tokens, ahead, strict=False)
            if not _adds_nothing(token) or begins_code(token, behind)
        ]
        behind = [None, *telling[:-1]]
        self.tokens = [
            token for token, last in zip(telling, behind, strict=False) if not _repeats(token, last)
        ]
        self.text = text
        self.at = 0

    @property
    def done(self) -> bool:
        """Whether all tokens are read."""
        return self.at >= len(self.tokens)

    @property
    def token(self) -> Token:
        """The next token; past the end one that means nothing."""
        return self.peek(0)

    def peek(self, ahead: int) -> Token:
        """Return the token `ahead` places after the next one; past either end one that means nothing."""
        place = self.at + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else _END

    def next(self) -> Token:
        """Return the next token and go past it."""
        token = self.token
        self.at += 1
        return token

    def sees(self, *classes: str) -> bool:
        """Return whether the next token belongs to one of `classes`."""
        return any(word_class in self.token.classes for word_class in classes)

    def take(self, *classes: str) -> str | None:
        """Go past the next token when it belongs to one of `classes`; return its value there."""
        for word_class in classes:
            value = self.token.classes.get(word_class)
            if value is not None:
                self.at += 1
                return value
        return None

    def skip(self, *classes: str) -> int:
        """Go past all next tokens of `classes` that name nothing of the workbook; return their number."""
        start = self.at
        while self.sees(*classes) and not self.token.fields and not self.token.values:
            self.at += 1
        return self.at - start

    def written(self, start: int) -> str:
        """Return what is written from the token at `start` to the one last read."""
        if start >= min(self.at, len(self.tokens)):
            return ""
        return self.text[
            self.tokens[start].start : self.tokens[min(self.at, len(self.tokens)) - 1].end
        ].strip()

    def rest(self) -> str:
        """Return what is written from the next token on."""
        return "" if self.done else self.text[self.token.start :]

    def is_followed_by(self, *words: str) -> bool:
        """Return whether one of `words` stands right behind the last token, be it a token or left out."""
        return self.at > 0 and self.text[self.tokens[self.at - 1].end :].lstrip().startswith(words)

    def touches(self) -> bool:
        """Return whether nothing but spaces stands between the last token and the next one."""
        if self.done or self.at == 0:
            return False
        return not self.text[self.tokens[self.at - 1].end : self.token.start].strip()


def attempt(
    reader: Callable[Concatenate[Cursor, _Rest], _Found],
) -> Callable[Concatenate[Cursor, _Rest], _Found]:
    """Return `reader` so that it leaves the cursor, and notes for the user, as they were when it finds nothing."""

    def read(cursor: Cursor, /, *args: _Rest.args, **kwargs: _Rest.kwargs) -> _Found:
        start = cursor.at
        noted = [item for item in args if isinstance(item, Noting)]
        before = [item.noted() for item in noted]
        found = reader(cursor, *args, **kwargs)
        if found is None:
            cursor.at = start
            for item, notes in zip(noted, before, strict=True):
                item.restore(notes)
        return found

    read.__doc__, read.__name__ = reader.__doc__, reader.__name__
    return read


def begins_code(token: Token, behind: Token) -> bool:
    """Return whether a word such as a only begins a code: A-0003, A7."""
    touches = token.end == behind.start and token.folded.isascii() and token.folded.isalnum()
    return touches and (behind.folded in ("-", "_") or behind.number is not None)


def _repeats(token: Token, last: Token | None) -> bool:
    """Return whether a token only says that the one before it is a column."""
    behind_column = last is not None and bool(last.fields)
    return behind_column and "column_word" in token.classes and not token.fields


def _adds_nothing(token: Token) -> bool:
    return token.classes.keys() == {"filler"} and not (
        token.fields or token.values or token.tables or token.number or token.dates or token.quoted
    )
