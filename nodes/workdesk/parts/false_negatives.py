"""False negatives: a reply that says “none” although the last result that brought data has rows.

Reading 200 recorded runs of a customer-service agent, 26 replies said none after tools, and one of them was
wrong: so only the last data-bearing result counts, only an unqualified “none” without a value of the result is
accused, and the one retry may confirm it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.figures import find_figures
from mindatlas.nodes.workdesk.parts.negations import Negation, find_negations
from mindatlas.nodes.workdesk.parts.result_data import ResultData

_PLAIN_WORDS = frozenset(
    [
        "工单",
        "数据",
        "记录",
        "结果",
        "信息",
        "订单",
        "任务",
        "班组",
        "order",
        "orders",
        "data",
        "record",
        "result",
        "results",
        "work",
        "none",
        "null",
        "ok",
        "success",
        "team",
        "list",
    ]
)
_ID_OR_DATE = re.compile(r"[\W\d_]*[a-z]{0,5}[\W\d_]*", re.IGNORECASE)
_PLACE_OR_GROUP = re.compile(r"(?:组|班|队|站|区|部|所|中心|公司|厂|路|街|楼|院|店|市|县|省|镇|村|门)$")
_WORD_EDGE = re.compile(r"[a-z0-9]", re.IGNORECASE)


def false_negative(text: str, results: Sequence[ResultData], question: str = "") -> str | None:
    """Return the sentence of `text` that says none over the rows of the last data-bearing result, else None.

    Args:
        text: the reply as the user sees it.
        results: what the tools brought, in order.
        question: the user's words, where they are known; a value that only repeats them is no evidence that the
            result was read.
    """
    last = next(
        (result for result in reversed(results) if result.kind not in ("error", "acknowledged")), None
    )
    if last is None or last.kind != "rows":
        return None
    for negation in find_negations(text):
        if _of_a_part(negation, last.rows, question):
            continue
        return None if _holds_a_value(text, last, question) else negation.sentence
    return None


def _of_a_part(negation: Negation, rows: Sequence[Any], question: str) -> bool:
    """Return whether the negation is of one name (北区班没有工单) while the rows are of others.

    It is too where the rows name it with nothing but zeros. It is not where the rows hold no names, so that they
    cannot be of others, or where the question is about that very name.
    """
    name = negation.quoted or negation.about
    if len(name) < 2 and not ("的" in negation.sentence and negation.modifier):
        return False
    named = [row for row in rows if any(fold(cell) == name for cell in _texts([row]))]
    if named:
        return not any(_numbers(named))
    if name in fold(question):
        return False
    names = [fold(cell) for cell in _texts(rows) if not _ID_OR_DATE.fullmatch(cell)]
    if negation.quoted or name.isascii() or _PLACE_OR_GROUP.search(name):
        return bool(names)
    if negation.modifier:  # an attribute: 没有延误的工单
        return True
    return any(other[-1] == name[-1] or name in other or other in name for other in names)


def _holds_a_value(text: str, result: ResultData, question: str) -> bool:
    folded, asked = fold(text), fold(question)
    cells = {fold(cell) for cell in _texts(result.rows)}
    if any(_stands_in(cell, folded) and not (asked and _stands_in(cell, asked)) for cell in cells):
        return True
    counted = {float(len(result.rows)), *([result.total] if result.total else [])}
    figures = {float(cell) for cell in _numbers(result.rows)} | counted
    asked_figures = {figure.value for figure in find_figures(question)}
    return any(figure.value and figure.value in figures - asked_figures for figure in find_figures(text))


def _stands_in(cell: str, text: str) -> bool:
    """Return whether a cell of at least two characters stands in `text`, Latin ones as whole words."""
    if len(cell) < 2 or cell in _PLAIN_WORDS:
        return False
    position = text.find(cell)
    while position >= 0:
        before, after = text[position - 1 : position], text[position + len(cell) :][:1]
        cut = (_WORD_EDGE.match(cell[0]) and _WORD_EDGE.match(before or " ")) or (
            _WORD_EDGE.match(cell[-1]) and _WORD_EDGE.match(after or " ")
        )
        if not cut:
            return True
        position = text.find(cell, position + 1)
    return False


def _texts(rows: Sequence[Any]) -> Iterator[str]:
    for cell in _cells(rows):
        if isinstance(cell, str) and cell and not cell.replace(".", "", 1).isdigit():
            yield cell


def _numbers(rows: Sequence[Any]) -> Iterator[float]:
    for cell in _cells(rows):
        if (isinstance(cell, str) and cell.replace(".", "", 1).isdigit() and cell.isascii()) or (
            type(cell) in (int, float)
        ):
            yield float(cell)
        elif isinstance(cell, str):
            yield from (figure.value for figure in find_figures(cell))


def _cells(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _cells(item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _cells(item)
    else:
        yield value
