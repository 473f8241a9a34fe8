"""Node: mend the structure of the answer's charts, and report it; never a retry."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.charts import ChangeKind, mend_charts
from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.calls import Repair, RepairKind
from mindatlas.nodes.workdesk.parts.history import Message, with_turn
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts

_KINDS: dict[ChangeKind, RepairKind] = {
    "cut_to_shortest": "align_chart",
    "dropped_empty_series": "align_chart",
    "nulls_to_zero": "align_chart",
    "closed_tail": "repair_chart_tail",
}
_SAID: dict[str, dict[ChangeKind, str]] = {
    "zh": {
        "cut_to_shortest": "图表的标签和数据长短不一（{before}），都截到了 {after} 个",
        "dropped_empty_series": "图表里没有数据的系列已略去：{before}",
        "nulls_to_zero": "图表里的空值已按 0 画出：{before}",
        "closed_tail": "图表的末尾被截断，不完整的部分已略去",
        "damaged": "图表的 JSON 在中间损坏，无法修复，已原样保留",
    },
    "en": {
        "cut_to_shortest": "The chart's labels and data differ in length ({before}); all were cut to {after}",
        "dropped_empty_series": "Series of the chart without any data were left out: {before}",
        "nulls_to_zero": "Missing values of the chart are drawn as 0: {before}",
        "closed_tail": "The end of the chart was cut off; what was incomplete is left out",
        "damaged": "The chart's JSON is damaged in the middle; it cannot be repaired and is left as it is",
    },
}


class In(TypedDict):
    """What the node reads."""

    question: str
    turns: list[Message]
    answer: str
    repairs: list[Repair]
    notices: list[str]


class Out(TypedDict):
    """What the node writes; `chart` is the first one, None where the answer has none that can be drawn.

    It is the last node, so the turn is closed here.
    """

    answer: str
    turns: list[Message]
    chart: dict[str, Any] | None
    repairs: list[Repair]
    notices: list[str]


def align_chart(state: In, parts: WorkdeskParts) -> Out:
    """Return the answer with its charts mended; every change stands in the notices and in the repairs."""
    mended = mend_charts(
        state["answer"], align=parts.enabled("align_chart"), tail=parts.enabled("repair_chart_tail")
    )
    said = _SAID[language_of(state["question"])]
    notices = [
        said[change.kind].format(before=_shown(change.before), after=change.after)
        for change in mended.changes
    ]
    repairs = [
        Repair(kind=_KINDS[change.kind], before=change.before, after=change.after, reason=notice)
        for change, notice in zip(mended.changes, notices, strict=True)
        if change.kind in _KINDS
    ]
    return Out(
        answer=mended.reply,
        turns=with_turn(state["turns"], state["question"], mended.reply),
        chart=mended.charts[0] if mended.charts else None,
        repairs=[*state["repairs"], *repairs],
        notices=[*state["notices"], *notices],
    )


def _shown(before: Any) -> str:
    if isinstance(before, dict):
        return ", ".join(f"{name} {count}" for name, count in before.items())
    return ", ".join(before) if isinstance(before, list) else str(before)
