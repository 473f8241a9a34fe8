"""Cuts a request into clauses that are read one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.planner.tokens import Token

_JOIN = {"join": "join"}
_GOES_ON = {"defined", "called"}
_FORMULA = {"math", "new_column", "pair"}


def first_clause(tokens: Sequence[Token], text: str) -> tuple[str, str]:
    """Return the first clause of a request and what is left behind it, both as written.

    Clauses end at punctuation and at words such as 然后 and then; a comma inside a list (a, b and c), or between
    a new column and its formula, ends none.
    """
    tokens = join_commas(tokens)
    depth = 0
    for place, token in enumerate(tokens):
        depth += {"open": 1, "close": -1}.get(token.classes.get("paren", ""), 0)
        if depth <= 0 and _ends_clause(tokens, place):
            return text[: token.start].strip(), text[token.end :].strip()
    return text.strip(), ""


def join_commas(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with the commas of lists (a, b and c) as words that join."""
    joined = list(tokens)
    for place, token in enumerate(tokens):
        if token.separator == "," and _is_list_comma(tokens, place):
            joined[place] = replace(token, separator="", classes=_JOIN)
    return joined


def _ends_clause(tokens: Sequence[Token], place: int) -> bool:
    token = tokens[place]
    behind = tokens[place + 1] if place + 1 < len(tokens) else None
    if token.separator == "," and _keeps_duplicate(tokens, place):
        return False
    if token.separator == "," and behind is not None and "or" in behind.classes and not behind.values:
        return False
    if token.separator and token.separator != ":":
        if token.separator != "," or behind is None or not behind.classes.keys() & _GOES_ON:
            return True
        return not any(before.classes.keys() & _FORMULA for before in tokens[:place])
    if "then" not in token.classes or token.fields or token.values:
        return False
    while behind is not None and "filler" in behind.classes and place + 2 < len(tokens):
        place, behind = place + 1, tokens[place + 2]
    return not (behind and (behind.number or behind.classes.keys() & {"unit"}) and "top" in token.classes)


def _keeps_duplicate(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a comma stands between duplicates and which of them to keep: 按订单号去重，保留最后一条."""
    which = any("keep_which" in token.classes for token in tokens[place + 1 : place + 4])
    return which and any("dedupe" in token.classes for token in tokens[:place])


def _is_list_comma(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a comma stands between columns of a list that ends with and: a, b and c."""
    at = place - 1
    if at < 0 or not tokens[at].fields:
        return False
    at = place + 1
    while (end := _item_end(tokens, at)) is not None:
        at = end
        if at >= len(tokens):
            return False
        comma = tokens[at].separator == ","
        at += comma
        if at < len(tokens) and "join" in tokens[at].classes and not tokens[at].fields:
            return _item_end(tokens, at + 1) is not None
        if not comma:
            return False
    return False


def _item_end(tokens: Sequence[Token], at: int) -> int | None:
    """Return the place behind a column with an optional function before it, None when none stands here."""
    while at < len(tokens) and tokens[at].classes.keys() & {"aggregate", "filler"} and not tokens[at].fields:
        at += 1
    return at + 1 if at < len(tokens) and tokens[at].fields else None
