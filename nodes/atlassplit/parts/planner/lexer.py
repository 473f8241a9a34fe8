"""Cuts a request into tokens: as little of it unknown as can be, and of that in as few tokens as can be."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from mindatlas.nodes.atlassplit.parts.planner.lexicon import Entry, Lexicon
from mindatlas.nodes.atlassplit.parts.planner.number_words import NUMBERS, read_number
from mindatlas.nodes.atlassplit.parts.planner.tokens import DateValue, Token
from mindatlas.nodes.date_ranges import DateRange, year
from mindatlas.nodes.dates import find_dates
from mindatlas.nodes.text import fold_with_offsets

_SEPARATORS = frozenset(",;:。!?.\uff64")
_QUOTED = re.compile(
    r"“([^”]+)”|‘([^’]+)’|「([^」]+)」|『([^』]+)』|《([^》]+)》|【([^】]+)】|\"([^\"]+)\"|`([^`]+)`"
    r"|(?<![a-z0-9])'([^']+)'(?![a-z0-9])"
)
_WORD = re.compile(r"[a-z0-9_]+")
_YEAR = re.compile(r"(?<![0-9a-z.])(?:19|20)\d\d(?![0-9a-z]|[.,]\d|年)")
_HALF = re.compile("上半[年月]|下半[年月]|上旬|下旬")
_FIXED = re.compile(
    r"(?:19|20)\d\d|[今去前明后本上下这昨近当]|过去|未来|以来|至今|last|this|next|past|today|yesterday|ago|recent|current"
    r"|previous|since|date|now",
    re.IGNORECASE,
)
_UNKNOWN_COST, _TOKEN_COST = 10_000, 100


@dataclass(frozen=True, kw_only=True)
class _Text:
    """A clause as written, folded, and the place in the former of each character of the latter."""

    written: str
    folded: str
    offsets: list[int]

    def token(self, start: int, end: int) -> Token:
        """Return a token without meaning for a stretch of the folded text."""
        begin, stop = self.offsets[start], self.offsets[end - 1] + 1
        return Token(text=self.written[begin:stop], folded=self.folded[start:end], start=begin, end=stop)


def cut(clause: str, lexicon: Lexicon, today: date) -> list[Token]:
    """Return the tokens of a clause in order, without the spaces between them.

    A word of Latin letters is never cut, Chinese text is wherever known words meet.
    """
    written = clause.replace("\n", ";").replace("\r", ";")
    folded, offsets = fold_with_offsets(written)
    text = _Text(written=written, folded=folded, offsets=offsets)
    fixed = _quoted(text, lexicon)
    spans = _spans(text, lexicon, today)
    return _merge_unknown(_cheapest(text, spans, fixed))


def _cheapest(text: _Text, spans: dict[int, list[Token]], fixed: dict[int, tuple[int, Token]]) -> list[Token]:
    size = len(text.folded)
    best: list[tuple[int, int, Token | None]] = [(0, 0, None), *[(10**12, 0, None)] * size]
    for at in range(size):
        cost = best[at][0]
        for end, token in _choices(text, at, spans, fixed):
            price = cost
            if token is not None:
                price += _cost(token)
            if price < best[end][0]:
                best[end] = (price, at, token)
    tokens: list[Token] = []
    at = size
    while at:
        _, before, token = best[at]
        tokens += [token] if token is not None else []
        at = before
    return tokens[::-1]


def _cost(token: Token) -> int:
    """Return the cost of a token: of two cuts into as many, the one with the longer name of a column is better."""
    if not token.known:
        return _UNKNOWN_COST * len(token.folded)
    names = token.fields or token.values or token.tables
    return _TOKEN_COST - (min(len(token.folded), _TOKEN_COST - 1) if names else 0)


def _choices(
    text: _Text, at: int, spans: dict[int, list[Token]], fixed: dict[int, tuple[int, Token]]
) -> Iterator[tuple[int, Token | None]]:
    """Yield the ends that a token at `at` may have; a space is no token."""
    if at in fixed:
        yield fixed[at]
        return
    if text.folded[at] == " ":
        yield at + 1, None
        return
    yield from ((at + len(token.folded), token) for token in spans.get(at, ()))
    word = _WORD.match(text.folded, at)
    end = word.end() if word and not _inside_word(text.folded, at) else at + 1
    yield end, text.token(at, end)


def _spans(text: _Text, lexicon: Lexicon, today: date) -> dict[int, list[Token]]:
    """Return the known tokens by the place where they start, all meanings of a stretch in one token."""
    found: dict[tuple[int, int], Token] = {}
    for start, end, entry in _words(text.folded, lexicon):
        token = text.token(start, end)
        found[start, end] = replace(
            token,
            classes=entry.classes,
            fields=entry.fields,
            total=entry.total,
            values=entry.values,
            tables=entry.tables,
        )
    for match in NUMBERS.finditer(text.folded):
        if (number := read_number(match)) is not None:
            span = match.span()
            found[span] = replace(found.get(span) or text.token(*span), number=number)
    for start, end, value in _dates(text, today):
        found[start, end] = replace(found.get((start, end)) or text.token(start, end), dates=value)
    for at, char in enumerate(text.folded):
        if char in _SEPARATORS and not _inside_number(text.folded, at):
            found[at, at + 1] = replace(text.token(at, at + 1), separator=char)
    spans: dict[int, list[Token]] = {}
    for (start, _), token in sorted(found.items(), key=lambda item: item[0]):
        spans.setdefault(start, []).append(token)
    return spans


def _words(folded: str, lexicon: Lexicon) -> Iterator[tuple[int, int, Entry]]:
    for start in range(len(folded)):
        for end in range(start + 1, min(len(folded), start + lexicon.longest) + 1):
            entry = lexicon.find(folded[start:end])
            if entry is not None and _stands_alone(folded, start, end, strict=not entry.classes):
                yield start, end, entry


def _stands_alone(folded: str, start: int, end: int, *, strict: bool) -> bool:
    """Return whether a word is no part of a longer Latin one; `strict`, also not of one with digits (A1)."""
    return not (_joined(folded, start, strict=strict) or _joined(folded, end, strict=strict))


def _joined(folded: str, at: int, *, strict: bool) -> bool:
    if not 0 < at < len(folded):
        return False
    before, after = folded[at - 1], folded[at]
    if not (_WORD.fullmatch(before) and _WORD.fullmatch(after)):
        return False
    return strict or before.isdigit() == after.isdigit()


def _inside_word(folded: str, at: int) -> bool:
    return at > 0 and _joined(folded, at, strict=False)


def _inside_number(folded: str, at: int) -> bool:
    around = folded[max(0, at - 1) : at] + folded[at + 1 : at + 2]
    return folded[at] == "." and len(around) == 2 and around.isascii() and around.isdigit()


def _dates(text: _Text, today: date) -> Iterator[tuple[int, int, DateValue]]:
    for mention in find_dates(text.written, today):
        start, end = bisect_left(text.offsets, mention.start), bisect_left(text.offsets, mention.end)
        needs_year = not _FIXED.search(_HALF.sub("", mention.surface))
        yield start, end, DateValue(range=mention.range, needs_year=needs_year)
    for match in _YEAR.finditer(text.folded):
        yield *match.span(), DateValue(range=year(int(match[0])), needs_year=False)


def in_year(token: Token, number: int) -> DateRange | None:
    """Return what a time expression without a year means in the year `number`."""
    mentions = find_dates(token.text, date(number, 12, 31))
    return mentions[0].range if len(mentions) == 1 and mentions[0].surface == token.text else None


def _quoted(text: _Text, lexicon: Lexicon) -> dict[int, tuple[int, Token]]:
    """Return the tokens in quotes by their start, with their end; they are never cut."""
    found = {}
    for match in _QUOTED.finditer(text.folded):
        group = match.lastindex or 0
        inner = text.token(*match.span(group))
        entry = lexicon.find(inner.folded) or Entry()
        outer = text.token(*match.span())
        found[match.start()] = (
            match.end(),
            replace(
                inner,
                start=outer.start,
                end=outer.end,
                quoted=True,
                fields=entry.fields,
                total=entry.total,
                values=entry.values,
                tables=entry.tables,
            ),
        )
    return found


def _are_one_word(one: Token, other: Token) -> bool:
    """Return whether two neighbours are parts of a word that is not known: 类 and 别 of 类别."""
    if not (one.known and other.known):
        return all(not token.known or _is_counter(token) for token in (one, other))
    return False


def _is_counter(token: Token) -> bool:
    return (
        len(token.folded) == 1
        and bool(token.classes)
        and token.classes.keys() <= {"counted", "amount_word", "unit"}
        and not (token.fields or token.values or token.number)
    )


def _merge_unknown(tokens: list[Token]) -> list[Token]:
    """Return the tokens with neighbouring parts of an unknown Chinese word as one."""
    merged: list[Token] = []
    for token in tokens:
        last = merged[-1] if merged else None
        if last and last.end == token.start and _are_one_word(last, token):
            merged[-1] = Token(
                text=last.text + token.text,
                folded=last.folded + token.folded,
                start=last.start,
                end=token.end,
            )
        else:
            merged.append(token)
    return merged
