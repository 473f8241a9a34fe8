"""What to be wary of in a reply that is no pseudo call: emptiness, and figures or ids out of nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mindatlas.nodes.text import sentences
from mindatlas.nodes.workdesk.parts.check_patterns import any_of
from mindatlas.nodes.workdesk.parts.figure_masks import is_identifier, scan
from mindatlas.nodes.workdesk.parts.figure_support import FigureSupport
from mindatlas.nodes.workdesk.parts.figures import Figure, find_figures
from mindatlas.nodes.workdesk.parts.result_data import ResultData

EMPTY_REPLY = "empty_reply"
RESULT_NOT_USED = "result_not_used"

_SAYS_SOMETHING = re.compile(r"\w")
_NO_STATEMENT = any_of("no_statement")
_COUNTS = re.compile(
    r"\s*(?:多|余)?\s*(?:单|条|件|个工单|张|笔|份|起|个(?=[，。,.;；]|$)|%|(?:\w+ )?(?:orders?|records?|tickets?|results?|rows?|cases?)\b)",
    re.IGNORECASE,
)
_NUMERALS = frozenset("一二三四五六七八九十百千万两零")
_SHOWN = 5  # figures that are named; a reply with more of them is wrong as a whole


def reply_flags(
    text: str, results: Sequence[ResultData], *, question: str = "", arguments: Sequence[str] = ()
) -> list[str]:
    """Return the flags of `text`, the reply as the user sees it.

    `empty_reply`, `result_not_used` where the only result is a single figure and the reply states none,
    `unsupported_number: N` for a figure, and `unsupported_id: ID` for an identifier (of a task, an
    execution, an order) that stands in no result, nor in the question or the calls, and follows from none. Where
    no tool was called, only figures that count records are looked at.
    """
    if not _SAYS_SOMETHING.search(text):
        return [EMPTY_REPLY]
    if _ignores_the_figure(text, results):
        return [RESULT_NOT_USED]
    if not any(char.isdigit() for char in text) and not re.search(r"[十百千万]", text):
        return []
    also = (question, *arguments)
    ids = [f"unsupported_id: {name}" for name in _unsupported_ids(text, results, also)]
    numbers = [f"unsupported_number: {figure.text}" for figure in _unsupported_figures(text, results, also)]
    return [*ids[:_SHOWN], *numbers[:_SHOWN]]


def _ignores_the_figure(text: str, results: Sequence[ResultData]) -> bool:
    if len(results) != 1 or results[0].kind != "rows" or len(results[0].rows) != 1:
        return False
    row = results[0].rows[0]
    cells = [cell for cell in row.values() if cell not in (None, "")] if type(row) is dict else [row]
    if len(cells) != 1 or type(cells[0]) not in (int, float):
        return False
    return not any(char.isdigit() or char in _NUMERALS for char in text)


def _unsupported_ids(text: str, results: Sequence[ResultData], also: Sequence[str]) -> Sequence[str]:
    cells = {
        cell
        for result in results
        for row in result.rows
        if type(row) is dict
        for cell in row.values()
        if type(cell) is str
    }
    names = [name for name in scan(text).ids if name not in cells and is_identifier(name)]
    if not names:
        return []
    known = "\n".join([*(result.content for result in results), *also]).lower()
    unknown = [name for name in names if not _stands_in(name.lower(), known)]
    if not unknown:
        return []
    stated = " ".join(sentence for sentence in sentences(text) if not _NO_STATEMENT.search(sentence))
    return [name for name in unknown if name in stated]


def _stands_in(name: str, known: str) -> bool:
    """Return whether `name` stands in `known`, not as a part of a longer one."""
    start = known.find(name)
    while start >= 0:
        around = known[max(0, start - 1) : start] + known[start + len(name) :][:1]
        if not any(char.isascii() and char.isalnum() for char in around):
            return True
        start = known.find(name, start + 1)
    return False


def _unsupported_figures(text: str, results: Sequence[ResultData], also: Sequence[str]) -> list[Figure]:
    support = FigureSupport(results, also)
    figures = [figure for figure in find_figures(text, support.cells) if figure.value]
    if not results:
        return _invented_counts(text, figures, also)
    unknown: list[Figure] = []
    earlier: list[float] = []
    for figure in figures:
        if not (support.supports(figure, earlier) or _part_of_a_name(text, figure, results)):
            unknown.append(figure)
        earlier.append(figure.value)
    return unknown


def _part_of_a_name(text: str, figure: Figure, results: Sequence[ResultData]) -> bool:
    """Return whether the figure is part of a name that stands in a result: 2 of 抢修2队."""
    around = text[max(0, figure.start - 2) : figure.end + 1].strip()
    return any(char.isalpha() for char in around) and any(around in result.content for result in results)


def _invented_counts(text: str, figures: Sequence[Figure], also: Sequence[str]) -> list[Figure]:
    asked = {figure.value for part in also for figure in find_figures(part)}
    return [
        figure
        for figure in figures
        if figure.value not in asked
        and (figure.percent or _COUNTS.match(text, figure.end))
        and not _NO_STATEMENT.search(_sentence_of(text, figure))
    ]


def _sentence_of(text: str, figure: Figure) -> str:
    start = max(text.rfind(mark, 0, figure.start) for mark in "。！？!?\n") + 1
    ends = [end for mark in "。！？!?\n" if (end := text.find(mark, figure.end)) >= 0]
    return text[start : min(ends, default=len(text)) + 1]
