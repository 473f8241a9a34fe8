"""Reads what a text column is compared with, and finds it among the values on the schema card."""

from __future__ import annotations

from rapidfuzz import process

from mindatlas.nodes.atlassplit.parts.planner.conditions import OneOf
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, begins_code
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.lexicon import folded_values
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token
from mindatlas.nodes.text import fold

_MOST_CANDIDATES = 5


def read_values(cursor: Cursor, draft: Draft, item: Field) -> OneOf | None:
    """Return the values of a column named here: one, or several joined by 、, 和, or, and.

    Raises:
        Refused: The card lists the column's values and this is none of them.
    """
    texts: list[str] = []
    while text := _value(cursor, draft, item, further=bool(texts)):
        texts.append(text)
        start = cursor.at
        if not (cursor.take("join", "or", "nor") or (cursor.token.separator == "," and cursor.next())):
            break
        if not _continues(cursor, item):
            cursor.at = start
            break
    return one_of(draft, item, texts) if texts else None


def one_of(draft: Draft, item: Field, texts: list[str]) -> OneOf:
    """Return the condition that a column has one of some values, as they are written there if that is known."""
    if not lists_values(item):
        return OneOf(column=item.column, values=tuple(dict.fromkeys(texts)), listed=False)
    known = folded_values(item.card.values if item.card else ())
    written: list[str] = []
    for text in texts:
        if fold(text) not in known:
            draft.refuse(
                "outside", "no_such_value", text, nearest(text, known_values(item)), column=item.title
            )
        written += known[fold(text)]
    return OneOf(column=item.column, values=tuple(dict.fromkeys(written)), listed=True)


def lists_values(item: Field) -> bool:
    """Return whether all values of a column are on the card."""
    return item.card is not None and len(item.card.values) >= item.card.distinct > 0


def known_values(item: Field) -> tuple[str, ...]:
    """Return the values of a column on the card."""
    return item.card.values if item.card else ()


def nearest(text: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the choices most like a text, the most alike first; the first ones when none is."""
    found = process.extract(fold(text), {name: fold(name) for name in choices}, limit=_MOST_CANDIDATES)
    alike = tuple(str(name) for _, score, name in sorted(found, key=lambda one: -one[1]) if score >= 50)
    return alike or tuple(choices[:_MOST_CANDIDATES])


def capture(cursor: Cursor) -> str:
    """Return the text up to the next word of the planner, as written; empty when there is none.

    Text in quotes is taken whole.
    """
    if cursor.token.quoted:
        return cursor.next().text
    start = cursor.at
    if begins_name(cursor):
        cursor.next()
    while not cursor.done and (cursor.at == start or _adjoins(cursor)):
        if _is_hyphen(cursor, start):
            cursor.next()
        elif not _is_plain(cursor.token):
            break
        cursor.next()
    return cursor.written(start)


def _is_hyphen(cursor: Cursor, start: int) -> bool:
    """Return whether a hyphen or the like stands within a code: 记-001, A_7, 3/4."""
    token, behind = cursor.token, cursor.peek(1)
    if token.folded not in ("-", "_", "/", ".") or cursor.at == start or not _is_plain(behind):
        return False
    return token.end == behind.start and behind.separator != "end"


def begins_name(cursor: Cursor) -> bool:
    """Return whether a word for the rows only begins a longer value: 会员 of 会员7."""
    token, behind = cursor.token, cursor.peek(1)
    if "filler" in token.classes and begins_code(token, behind):
        return True
    is_noun = token.classes == {"noun": "record"} and not (token.fields or token.values)
    return is_noun and token.end == behind.start and _is_plain(behind) and behind.separator != "end"


def _adjoins(cursor: Cursor) -> bool:
    """Return whether the next token stands beside the last, or apart by one space between Latin words."""
    return cursor.touches()


def _is_plain(token: Token) -> bool:
    return not (
        token.classes or token.fields or token.dates or token.separator or token.quoted or token.tables
    )


def _value(cursor: Cursor, draft: Draft, item: Field, *, further: bool) -> str:
    """Return one value: a token that is one, else plain text; nothing when neither stands here."""
    cursor_at = cursor.at
    if not begins_name(cursor):
        cursor.skip("filler")
    token = cursor.token
    if any(value.field.column == item.column for value in token.values) or token.quoted:
        cursor.next()
        return token.text
    if lists_values(item) and (longest := _listed(cursor, item)):
        return longest
    text = "" if further and token.values else capture(cursor)
    if not text:
        cursor.at = cursor_at
    elif not cursor.done and cursor.touches() and not cursor.sees("noun", "join", "or") and not _ends(cursor):
        draft.refuse("outside", "not_understood", text + cursor.token.text)
    return text


def _ends(cursor: Cursor) -> bool:
    return bool(cursor.token.separator or cursor.sees("also", "then", "after_step"))


def _listed(cursor: Cursor, item: Field) -> str:
    """Return the longest run of tokens that is a value of the column, whatever its parts mean elsewhere."""
    known = folded_values(known_values(item))
    start = cursor.at
    found, stop = "", start
    for end in range(start + 1, min(len(cursor.tokens), start + 8) + 1):
        cursor.at = end
        if fold(cursor.written(start)) in known:
            found, stop = cursor.written(start), end
    cursor.at = stop
    return found


def _continues(cursor: Cursor, item: Field) -> bool:
    """Return whether another value of the same column follows."""
    if begins_name(cursor):
        return True
    cursor.skip("filler")
    token = cursor.token
    if token.quoted or any(value.field.column == item.column for value in token.values):
        return True
    return (_is_plain(token)) and not token.values and not token.number and not token.known
