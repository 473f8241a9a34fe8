"""Charts that a reply carries as JSON: read from its fenced blocks, mended in structure, never in value.

Labels and series of different length are cut to the shortest, explicit nulls become 0, and a tail that was cut
off is closed. A chart that is damaged before its end is left as it is: a guess would be a wrong figure.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, NoReturn

from mindatlas.nodes.chart_shapes import VALUE_KEYS, inner_chart, is_chart, labels_of, series_of
from mindatlas.nodes.json_tail import close_tail

ChangeKind = Literal["cut_to_shortest", "dropped_empty_series", "nulls_to_zero", "closed_tail", "damaged"]

_FENCE = re.compile(
    r"^[ \t]*```[ \t]*(?P<language>chart|echarts|chartjs|chart\.js|json)\b[^\n]*\n(?P<body>.*?)(?P<close>\n?[ \t]*```|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_BARE = re.compile(r"^[ \t]*(?=\{)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class ChartChange:
    """One change of a chart: what it was and what it became.

    `cut_to_shortest`: lengths by name, before and after. `dropped_empty_series`: names. `nulls_to_zero`: how many
    by series. `closed_tail`: the text left out and the closers. `damaged`: nothing was changed.
    """

    kind: ChangeKind
    before: Any = None
    after: Any = None


@dataclass(frozen=True, kw_only=True)
class ReplyCharts:
    """A reply with its charts mended: the text, the charts in order, and what was changed."""

    reply: str
    charts: Sequence[dict[str, Any]] = ()
    changes: Sequence[ChartChange] = field(default_factory=tuple)


class _Block(NamedTuple):
    """Where the JSON of a chart stands in a reply; `certain` when the fence says it is a chart."""

    start: int
    end: int
    certain: bool
    closed: bool


def mend_charts(reply: str, *, align: bool = True, tail: bool = True) -> ReplyCharts:
    """Return `reply` with the charts in its ```chart, ```echarts and ```json blocks mended.

    Args:
        reply: the text of a reply.
        align: cut labels and series to the shortest, and set nulls to 0.
        tail: close JSON that was cut off.
    """
    charts: list[dict[str, Any]] = []
    changes: list[ChartChange] = []
    parts: list[str] = []
    position = 0
    for block in _blocks(reply):
        text, chart, made = _mended(reply[block.start : block.end], block, align=align, tail=tail)
        changes.extend(made)
        if chart is None:
            continue
        charts.append(chart)
        parts += [reply[position : block.start], text, "" if block.closed else "\n```"]
        position = block.end
    parts.append(reply[position:])
    return ReplyCharts(reply="".join(parts), charts=charts, changes=changes)


def align_chart(chart: Mapping[str, Any]) -> tuple[dict[str, Any], list[ChartChange]]:
    """Return `chart` with labels and series of one length and without nulls, and what was changed.

    Read are `{labels, series: [{name, data}]}`, `{labels, datasets: [{label, data}]}`, ECharts' `{xAxis: {data},
    series: [{data}]}`, `{x, y}`, and these inside `data` or `option`. A series without any value is left out when
    others have some, so that it does not empty them.
    """
    mended = copy.deepcopy(dict(chart))
    changes = [*_drop_empty(mended), *_cut(mended), *_fill_nulls(mended)]
    return mended, changes


def parse_strictly(text: str) -> Any:
    """Return the value of JSON text.

    Raises:
        ValueError: it is no JSON; NaN and Infinity, which `json` lets pass, are none.
    """

    def refuse(name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("The JSON is nested too deeply") from error


def _blocks(reply: str) -> Iterator[_Block]:
    fenced = False
    for match in _FENCE.finditer(reply):
        fenced = True
        certain = match["language"].lower() != "json"
        yield _Block(match.start("body"), match.end("body"), certain, bool(match["close"].strip()))
    bare = None if fenced or "```" in reply else _BARE.search(reply)
    if bare:
        yield _Block(bare.end(), len(reply.rstrip()), certain=False, closed=True)


def _mended(
    body: str, block: _Block, *, align: bool, tail: bool
) -> tuple[str, dict[str, Any] | None, list[ChartChange]]:
    """Return the block's text, its chart (None when it is none or cannot be read) and what was changed."""
    text, changes = body, []
    value = _read(body)
    if value is None:
        text = (close_tail(body.rstrip()) if tail else None) or body
        value = _read(text)
        if not is_chart(value):
            return body, None, [ChartChange(kind="damaged", before=body)] if block.certain else []
        changes.append(_tail_change(body.rstrip(), text))
    if not is_chart(value):
        return body, None, []
    mended, made = align_chart(value) if align else (value, [])
    if made:
        text = json.dumps(mended, ensure_ascii=False, indent=2 if "\n" in body.strip() else None)
    return text, mended, [*changes, *made]


def _read(text: str) -> Any:
    """Return the value of JSON text, None where it is none."""
    try:
        return parse_strictly(text)
    except ValueError:
        return None


def _tail_change(before: str, after: str) -> ChartChange:
    kept = next(
        (index for index, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), None
    )
    kept = min(len(before), len(after)) if kept is None else kept
    return ChartChange(kind="closed_tail", before=before[kept:], after=after[kept:])


def _drop_empty(chart: dict[str, Any]) -> list[ChartChange]:
    inner = inner_chart(chart)
    if not any(series.values for series in series_of(inner)):
        return []
    for key in ("series", "datasets"):
        items = inner.get(key)
        if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
            continue
        empty = [item for item in items if not any(item.get(name) for name in VALUE_KEYS)]
        if empty:
            items[:] = [item for item in items if item not in empty]
            names = [str(item.get("name", item.get("label", ""))) for item in empty]
            return [ChartChange(kind="dropped_empty_series", before=names)]
    return []


def _cut(chart: dict[str, Any]) -> list[ChartChange]:
    inner = inner_chart(chart)
    labels, series = labels_of(inner), list(series_of(inner))
    if labels is None or not series:
        return []
    lengths = {"labels": len(labels)} | {item.name: len(item.values) for item in series}
    shortest = min(len(labels), *(len(item.values) for item in series))
    if max(len(labels), *(len(item.values) for item in series)) == shortest:
        return []
    for values in (labels, *(item.values for item in series)):
        del values[shortest:]
    return [ChartChange(kind="cut_to_shortest", before=lengths, after=shortest)]


def _fill_nulls(chart: dict[str, Any]) -> list[ChartChange]:
    counts: dict[str, int] = {}
    for series in series_of(inner_chart(chart)):
        filled = sum(_fill(series.values, index) for index in range(len(series.values)))
        if filled:
            counts[series.name] = filled
    return [ChartChange(kind="nulls_to_zero", before=counts, after=0)] if counts else []


def _fill(values: list[Any], index: int) -> bool:
    """Set a null to 0, alone or as the `value` or `y` of a point, and return whether it was one."""
    point = values[index]
    if point is None:
        values[index] = 0
        return True
    key = next((key for key in ("value", "y") if isinstance(point, dict) and key in point), None)
    if key is None or point[key] is not None:
        return False
    point[key] = 0
    return True
