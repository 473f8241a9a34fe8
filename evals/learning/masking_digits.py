"""Phone, ID and card numbers in text, however their digits are grouped."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int, str]

_GAP = r"[ \u00a0\u2009\-\u2010-\u2015\u2212·.()（）\u00ad\u200b-\u200d\u2060\ufeff]"
_RUN = re.compile(rf"[+(]?\d(?:{_GAP}{{0,2}}\d)*(?:{_GAP}?[xX](?![A-Za-z]))?")
_GROUP = re.compile(r"\d+|[xX]")
_SPOKEN = re.compile(r"(?<![〇零一二三四五六七八九幺])[一幺][三四五六七八九][〇零一二三四五六七八九幺]{9}")
_LABELLED = re.compile(
    r"(?:电话|座机|手机|固话|传真|\btel|\bphone|\bfax)[^\d\n]{0,6}?(\d{3,4}[ \-]?\d{4})(?!\d)", re.I
)

_MOBILE = re.compile(r"(?:(?:00)?86|0)?1[3-9]\d{9}")
_LANDLINE = re.compile(r"(?:(?:00)?86)?0?(?:10|2\d|[3-9]\d\d)\d{7,8}")
_AREA = re.compile(r"(?:0(?:10|2\d|[3-9]\d\d))|(?:00)?86")
_GROUPINGS = {(11,), (3, 4, 4), (3, 3, 5), (3, 5, 3), (3, 8), (4, 4, 3), (4, 3, 4), (5, 6), (7, 4), (6, 5)}
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)  # GB 11643-1999
_CHECKS = "10X98765432"
_MOST_GROUPS = 19  # a card number spelled out digit by digit


def digit_spans(text: str) -> list[Span]:
    """Return the spans of phone, ID and card numbers in `text`, whose digits are ASCII; they may overlap."""
    spans = [span for run in _RUN.finditer(text) for span in _in_run(text, run)]
    spans += [(m.start(), m.end(), "PHONE") for m in _SPOKEN.finditer(text)]
    return spans + [(*m.span(1), "PHONE") for m in _LABELLED.finditer(text)]


def _in_run(text: str, run: re.Match[str]) -> Iterator[Span]:
    """Yield each window of whole digit groups that is such a number."""
    groups = [(m.start(), m.end()) for m in _GROUP.finditer(text, run.start(), run.end())]
    for first in range(len(groups)):
        for last in range(first, min(first + _MOST_GROUPS, len(groups))):
            window = [text[start:end].upper() for start, end in groups[first : last + 1]]
            if sum(map(len, window)) > _MOST_GROUPS:
                break
            if kind := _kind(window, text[: groups[first][0]]):
                yield groups[first][0], groups[last][1], kind


def _kind(groups: list[str], before: str) -> str | None:
    digits = "".join(groups)
    spelled = len(groups) > 1 and all(len(group) == 1 for group in groups)
    if is_id_card(digits) and (spelled or all(len(group) >= 3 for group in groups[:-1])):
        return "ID"
    if _is_phone(groups, digits, spelled=spelled):
        return "PHONE"
    fraction = re.search(r"\d\.$", before) is not None
    grouped = spelled or all(len(group) >= 4 for group in groups[:-1])
    return "CARD" if grouped and not fraction and is_card(digits) else None


def _is_phone(groups: list[str], digits: str, *, spelled: bool) -> bool:
    if _MOBILE.fullmatch(digits):
        rest = groups[1:] if groups[0] in {"86", "0086", "0"} else [groups[0][-11:], *groups[1:]]
        prefixed = [groups[0][len(digits) - 11 :], *groups[1:]] if len(digits) > 11 else groups
        return spelled or any(tuple(map(len, shape)) in _GROUPINGS for shape in (rest, prefixed))
    if not _LANDLINE.fullmatch(digits):
        return False
    whole = len(groups) == 1 and digits.startswith(("0", "86"))
    return (spelled and digits.startswith("0")) or whole or _AREA.fullmatch(groups[0]) is not None


def is_id_card(digits: str) -> bool:
    """Return whether `digits` is an 18-digit resident ID number with a right check digit (GB 11643-1999)."""
    if not re.fullmatch(r"\d{17}[\dX]", digits):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits[:17], _WEIGHTS, strict=True))
    return _CHECKS[total % 11] == digits[17]


def is_card(digits: str) -> bool:
    """Return whether `digits` may be a card number: 13 to 19 digits, not all the same, right by Luhn (ISO/IEC 7812)."""
    if not re.fullmatch(r"\d{13,19}", digits) or len(set(digits)) == 1:
        return False
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0
