"""Reads conditions on parts of texts: 包含X, 不包含X, 以X开头, starts with X."""

from __future__ import annotations

from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.cell_match import capture, known_values, lists_values, nearest
from mindatlas.nodes.atlassplit.parts.planner.conditions import Condition, Matches, Not
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token
from mindatlas.nodes.text import fold

_How = Literal["contains", "starts", "ends"]
_HOW: dict[str, _How] = {"contains": "contains", "starts": "starts", "ends": "ends"}


def read_text_match(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    """Return the condition that a text column contains, begins or ends with something.

    Raises:
        Refused: It is no text column, or the card shows that no value of it matches.
    """
    negated = cursor.take("matches_not")
    how = negated or cursor.take("matches")
    around = not how and cursor.token.folded == "以" and cursor.next() is not None
    if not how and not around:
        return None
    texts = _captured(cursor)
    if around:
        cursor.skip("filler")
        how = cursor.take("matches_end")
    if not texts or how is None:
        return None
    item = draft.choose(token)
    if item.column.kind not in ("text", "mixed"):
        draft.refuse("outside", "not_a_text", token.text)
    condition = Matches(column=item.column, how=_HOW[how], texts=tuple(texts))
    _check_some_match(draft, item, condition)
    return Not(condition=condition) if negated else condition


def _captured(cursor: Cursor) -> list[str]:
    texts: list[str] = []
    while True:
        text = cursor.next().text if cursor.token.quoted or cursor.token.values else capture(cursor)
        if not text:
            return []
        texts.append(text)
        if not (cursor.sees("or") or cursor.token.folded == "、"):
            return texts
        cursor.next()


def _check_some_match(draft: Draft, item: Field, condition: Matches) -> None:
    if not lists_values(item):
        return
    for text in condition.texts:
        asked = fold(text)
        if not any(asked in fold(value) for value in known_values(item)):
            draft.refuse("outside", "no_match", text, nearest(text, known_values(item)), column=item.title)
