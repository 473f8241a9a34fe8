"""Personal data is taken out of text and of JSON-like values before anything is stored.

Masked: Chinese mobile and landline numbers, ID-card numbers with a right check digit, bank cards by Luhn, mail
addresses, number plates, and names after a label (姓名：…, 联系人…, Name: …) or in a column of such a name.
Where a rule is in doubt it masks: a figure too many is lost rather than a person stored.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from mindatlas.evals.learning.masking_digits import digit_spans
from mindatlas.evals.learning.masking_names import is_name_label, name_spans

Span = tuple[int, int, str]

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_LABEL = rf"[A-Za-z0-9{_HAN}](?:[A-Za-z0-9{_HAN}-]*[A-Za-z0-9{_HAN}])?"
_MAIL = re.compile(
    rf"(?:[A-Za-z0-9._%+'-]+|[{_HAN}]{{1,8}})@(?:{_LABEL}\.)+(?:[A-Za-z]{{2,24}}|中国|公司|网络)"
)
# One letter for the province, one for the office, then 5 characters (6 for electric cars); GA 36-2018.
_PLATE = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使][A-HJ-NP-Z][ ·•.\-]?"
    r"(?:[A-HJ-NP-Z0-9]{5,6}|[A-HJ-NP-Z0-9]{4}[挂学警港澳领])(?![A-Z0-9])",
    re.IGNORECASE,
)


def mask_text(text: str) -> str:
    """Return `text` with each piece of personal data replaced by its kind: `[PHONE]`, `[ID]`, `[NAME]`.

    Masking twice changes nothing more.
    """
    text = text.encode("utf-8", "replace").decode()  # half a surrogate pair has no place in a file
    plain = _plain(text)
    spans = [*digit_spans(plain), *name_spans(plain)]
    spans += [(m.start(), m.end(), "MAIL") for m in _MAIL.finditer(plain)]
    spans += [(m.start(), m.end(), "PLATE") for m in _PLATE.finditer(plain)]
    for start, end, kind in reversed(_merged(spans)):
        text = f"{text[:start]}[{kind}]{text[end:]}"
    return text


def mask(value: Any) -> Any:
    """Return a JSON-like `value` with all its texts, keys and numbers masked; tuples become lists.

    A whole number that reads as a phone, ID or card becomes the mask, NaN and infinity null, and what JSON has no
    form for (dates, decimals) its text. Under a key such as 姓名, and in a column of
    that name of a table (`{"columns": […], "rows": [[…]]}`), the whole value is a name.
    """
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        return _masked_mapping(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [mask(entry) for entry in value]
    if value is None or isinstance(value, bool):
        return value
    return _masked_number(value) if isinstance(value, int | float) else mask_text(str(value))


def _masked_mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    columns, rows = value.get("columns"), value.get("rows")
    if isinstance(columns, list) and isinstance(rows, list):
        value = {**value, "rows": [_masked_row(columns, row) for row in rows]}
    return {mask_text(str(key)): _hidden(str(key), entry) for key, entry in value.items()}


def _masked_row(columns: Sequence[Any], row: Any) -> Any:
    if not isinstance(row, list) or len(row) != len(columns):
        return row
    return [_hidden(str(column), cell) for column, cell in zip(columns, row, strict=True)]


def _hidden(label: str, entry: Any) -> Any:
    """Return the value under `label`: a name's texts are replaced as a whole, others are masked."""
    if not is_name_label(_plain(label)) or isinstance(entry, bool | int | float) or entry is None:
        return mask(entry)
    if isinstance(entry, list):
        return [_hidden(label, item) for item in entry]
    return mask(entry) if isinstance(entry, Mapping) else "[NAME]"


def _masked_number(value: float) -> float | str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, float) and not value.is_integer():
        return value
    written = str(int(value))
    masked = mask_text(written)
    return value if masked == written else masked


def _plain(text: str) -> str:
    """Return `text` with full-width forms and digits of any script as ASCII, one character for one."""
    return "".join(_plain_char(char) for char in text)


def _plain_char(char: str) -> str:
    if char.isascii():
        return char
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    return chr(ord(char) - 0xFEE0) if "\uff01" <= char <= "\uff5e" else char


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Return `spans` in order, those that overlap as one of the kind that begins first, the longer at a tie."""
    merged: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1], span[2])):
        if merged and start < merged[-1][1]:
            first, last, before = merged[-1]
            merged[-1] = (first, max(last, end), before)
        else:
            merged.append((start, end, kind))
    return merged
