"""What may go wrong with a column, as the codes of `card_text.WARNING_TEXTS`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import pandas as pd

from mindatlas.nodes.atlassplit.parts.cell_values import LONGEST_PLAIN_NUMBER, TypedColumn
from mindatlas.nodes.atlassplit.parts.text_numbers import (
    DATE_PATTERNS,
    NUMBER_PATTERNS,
    date_pattern,
    number_patterns,
)
from mindatlas.nodes.atlassplit.parts.value_patterns import shape_of
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName
from mindatlas.nodes.text import fold

AS_TEXT_SHARE = 0.8  # numbers or dates stored as text are told when more of the filled cells are
MOSTLY_NULL_SHARE = 0.5
HIGH_CARDINALITY_SHARE = 0.5
HIGH_CARDINALITY = 50
ID_ROWS = 10  # fewer values say nothing about being an identifier
ID_DIGITS = 6  # of a text such as SO000123
ID_INTEGER_DIGITS = 11  # of an integer: shorter ones of one length may be amounts

_ID_NAME = re.compile(
    r".*(?:编号|编码|代码|单号|工号|学号|序号|卡号|账号|帐号|证号|证件号|身份证|流水号|条码|条形码"
    r"|电话|手机|邮编|货号|款号|批号)码?"
    r"|(?:.*[\s_\-.])?(?:id|uuid|guid|code|sku|no\.?|zip|phone|barcode)",
    re.S,
)
_CAMEL_ID = re.compile(r".*[a-z](?:ID|Id|Code)", re.S)
_ODD_SPACE = re.compile(r"^\s|\s$|[^\S ]|\s\s|(?<=[\u4e00-\u9fff])\s|\s(?=[\u4e00-\u9fff])")


@dataclass(frozen=True, kw_only=True)
class ColumnFacts:
    """What is known of a column besides its values; `repeats` says that another header folds to the same."""

    name: ColumnName
    original: ColumnName
    position: int
    repeats: bool = False
    hidden: bool = False


def find_warnings(
    column: TypedColumn, facts: ColumnFacts, present: pd.Series, distinct: Sequence[object]
) -> tuple[str, ...]:
    """Return the warnings of a column, most harmful first.

    Args:
        column: The column.
        facts: Its name and place.
        present: Its values without missing ones.
        distinct: The distinct ones among them.
    """
    as_text, are_codes = _stored_as_text(column, facts, present)
    id_like = are_codes or (not as_text and _is_id_like(column, facts, present, distinct))
    found = {
        as_text: bool(as_text),
        "mixed": column.type == "mixed",
        "error_cells": column.errors > 0,
        "uncached_formulas": column.uncached > 0,
        "duplicate_name": facts.repeats,
        "spaces_in_name": bool(_ODD_SPACE.search(str(facts.original))),
        "mostly_null": len(column.values) - len(present) > MOSTLY_NULL_SHARE * len(column.values),
        "constant": len(distinct) == 1 and len(present) > 1,
        "id_like": id_like,
        "high_cardinality": column.type == "text"
        and not as_text
        and len(distinct) > max(HIGH_CARDINALITY, HIGH_CARDINALITY_SHARE * len(present)),
        "hidden": facts.hidden,
    }
    return tuple(code for code, holds in found.items() if holds)


def _stored_as_text(column: TypedColumn, facts: ColumnFacts, present: pd.Series) -> tuple[str, bool]:
    """Return the warning of a column whose texts are mostly dates or numbers, and whether they are codes.

    The warning is empty when neither is so, and for codes, since those shall stay text. Real dates or numbers
    in a mixed column count as matching, since they are what the column was meant for.
    """
    if column.type not in ("text", "mixed"):
        return "", False
    counts = Counter(present.to_numpy(dtype=object).tolist())
    texts = {text: count for text, count in counts.items() if isinstance(text, str)}
    for code, patterns_of, native in _AS_TEXT:
        natives = sum(count for value, count in counts.items() if isinstance(value, native))
        needed = AS_TEXT_SHARE * len(present) - natives
        matching, patterns = _matching(texts, patterns_of, most_misses=sum(texts.values()) - needed)
        if matching and sum(texts[text] for text in matching) > needed:
            are_codes = _are_codes(facts, patterns, matching)
            return "" if are_codes else f"{code}:{_named(patterns)}", are_codes
    return "", False


def _matching(
    texts: Mapping[str, int], patterns_of: Callable[[str], tuple[str, ...]], *, most_misses: float
) -> tuple[list[str], set[str]]:
    """Return the texts that have a pattern, and the patterns; nothing once too many cells miss."""
    matching, patterns, misses = [], set[str](), 0
    for text, count in texts.items():
        if found := patterns_of(text):
            matching.append(text)
            patterns.update(found)
        else:
            misses += count
            if misses >= most_misses:
                return [], set()
    return matching, patterns


def _date_patterns(text: str) -> tuple[str, ...]:
    pattern = date_pattern(text)
    return (pattern,) if pattern else ()


_AS_TEXT: tuple[tuple[str, Callable[[str], tuple[str, ...]], tuple[type, ...]], ...] = (
    ("date_as_text", _date_patterns, (datetime,)),
    ("number_as_text", number_patterns, (int, float)),
)


def _named(patterns: Collection[str]) -> str:
    """Return the patterns that occur, joined by `+`; plain digits go without saying beside others."""
    named = [pattern for pattern in (*DATE_PATTERNS, *NUMBER_PATTERNS) if pattern in patterns]
    return "+".join(named if len(named) == 1 else [pattern for pattern in named if pattern != "普通"])


def _are_codes(facts: ColumnFacts, patterns: Collection[str], texts: Sequence[str]) -> bool:
    """Return whether plain digits are codes (007, phone numbers) rather than amounts."""
    if set(patterns) != {"普通"}:
        return False
    digits = [text for text in texts if text.isdigit()]
    long_or_padded = any(
        len(text) > LONGEST_PLAIN_NUMBER or (len(text) > 1 and text[0] == "0") for text in digits
    )
    lengths = {len(text) for text in digits}
    uniform = len(digits) == len(texts) >= ID_ROWS and len(lengths) == 1 and min(lengths) >= ID_DIGITS
    return long_or_padded or uniform or _has_id_name(facts)


def _is_id_like(
    column: TypedColumn, facts: ColumnFacts, present: pd.Series, distinct: Sequence[object]
) -> bool:
    if column.type not in ("integer", "text", "mixed") or not distinct:
        return False
    if _has_id_name(facts):
        return True
    if column.type == "integer" and abs(int(present.max())) >= 10**LONGEST_PLAIN_NUMBER:
        return True
    if column.type == "mixed" or len(distinct) < max(ID_ROWS, len(present)):
        return False
    shapes: set[tuple[str, int]] = set()
    for value in distinct:
        shapes.add(_shape(value))
        if len(shapes) > 1:
            return False
    return min(digits for _, digits in shapes) >= (ID_DIGITS if column.type == "text" else ID_INTEGER_DIGITS)


def _shape(value: object) -> tuple[str, int]:
    """Return the shape of a code and its number of digits."""
    text = value if isinstance(value, str) else f"{value:.0f}"
    shape = shape_of(text)
    return shape, shape.count("9")


def _has_id_name(facts: ColumnFacts) -> bool:
    original = str(facts.original).strip()
    return bool(_ID_NAME.fullmatch(fold(original)) or _CAMEL_ID.fullmatch(original))
