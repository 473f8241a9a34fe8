"""The words by which a request may call the rows of its table: what the column that numbers them is named after."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mindatlas.nodes.atlassplit.parts.planner.column_match import plain_name
from mindatlas.nodes.atlassplit.parts.planner.fields import Field, is_unique
from mindatlas.nodes.text import is_cjk

_NUMBERED_ZH = re.compile(r"(?P<stem>.{2,}?)(?:编号|编码|代码|单号|流水号|id|号)$")
_NUMBERED_EN = re.compile(r"(?P<stem>[a-z][a-z ]+) (?:id|no|no\.|number|code|ref)$")
_ROWS_ZH = ("", "记录", "数据", "明细", "信息")
_COUNTS_ZH = ("数", "数量", "总数", "个数", "记录数", "笔数", "条数", "次数")
_COUNTS_EN = ("number of {0}", "the number of {0}", "total number of {0}", "count of {0}", "total {0}")


def record_words(fields: Iterable[Field], rows: int) -> dict[str, Mapping[str, str]]:
    """Return folded words with their classes: 工单 and 工单数 where 工单号 numbers the rows, shipments for Shipment ID.

    Only a column with a value of its own in each of the `rows` numbers them; where numbers repeat, a shipment
    may be several rows.
    """
    found: dict[str, Mapping[str, str]] = {}
    for item in fields:
        if item.role == "raw" and is_unique(item, rows):
            for word, word_class in _words(plain_name(item.title)):
                found.setdefault(word, {word_class: "record"})
    return found


def _words(name: str) -> Iterator[tuple[str, str]]:
    zh, en = _NUMBERED_ZH.match(name), _NUMBERED_EN.match(name)
    if zh and is_cjk(name[0]):
        stem = zh["stem"]
        yield from ((f"{stem}{end}", "noun") for end in _ROWS_ZH)
        yield from ((f"{stem}{end}", "count") for end in _COUNTS_ZH)
    elif en:
        stem = en["stem"]
        plural = f"{stem[:-1]}ies" if stem.endswith("y") else f"{stem}s"
        yield from ((word, "noun") for word in (stem, plural))
        yield from ((form.format(plural), "count") for form in _COUNTS_EN)
        yield from ((f"{stem} {end}", "count") for end in ("count", "counts"))
