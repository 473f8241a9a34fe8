"""Simulated faults over the builtin reply writer, to watch and test the checks offline; always labelled simulated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from mindatlas.nodes.workdesk.parts.faults import Fault, drawn_fault
from mindatlas.nodes.workdesk.parts.planning import ReplyRequest, ReplyWriter

_CHART = re.compile(r"```chart\n(.*?)\n```", re.DOTALL)


class FaultyReplyWriter:
    """Replies as `writer` does, with the fault drawn for the question until it is told of it.

    A fault of charts is never told, since charts are mended without a retry; it needs a chart in the reply.

    Args:
        writer: the writer that is right.
        seed: chooses, with the question, the fault; the same one as in `FaultyPlanner`.
        fault: makes this one for every question instead.
    """

    def __init__(self, writer: ReplyWriter, seed: int, *, fault: Fault | None = None) -> None:
        self._writer = writer
        self._seed = seed
        self._fault: Fault | None = fault

    def reply(self, request: ReplyRequest) -> str:
        """Return the reply, spoilt where the drawn fault is one of replies; a draft without results as it is."""
        reply = self._writer.reply(request)
        fault: Fault = self._fault or drawn_fault(self._seed, request.question)
        spoil = _SPOILERS.get(fault)
        if spoil is None or request.fault or not any(result["rows"] for result in request.results):
            return reply
        return spoil(reply, request)


def _none(reply: str, request: ReplyRequest) -> str:
    return "没有查询到相关数据。" if request.language == "zh" else "No data was found."


def _number(reply: str, request: ReplyRequest) -> str:
    return f"{reply}\n\n{'另有 987654 单。' if request.language == 'zh' else 'Besides, there are 987654 orders.'}"


def _in_chart(change: Callable[[dict[str, Any]], None]) -> Callable[[str, ReplyRequest], str]:
    def spoil(reply: str, request: ReplyRequest) -> str:
        def changed(match: re.Match[str]) -> str:
            chart = json.loads(match[1])
            change(chart)
            return f"```chart\n{json.dumps(chart, ensure_ascii=False)}\n```"

        return _CHART.sub(changed, reply)

    return spoil


def _uneven(chart: dict[str, Any]) -> None:
    chart["labels"].append("…")


def _null(chart: dict[str, Any]) -> None:
    chart["series"][0]["data"][0] = None


def _cut(reply: str, request: ReplyRequest) -> str:
    found = _CHART.search(reply)
    return reply[: found.end() - len("}]}\n```") - 1] if found else reply


_SPOILERS: Mapping[Fault, Callable[[str, ReplyRequest], str]] = {
    "false_negative": _none,
    "empty_reply": lambda _reply, _request: "",
    "uneven_chart": _in_chart(_uneven),
    "null_in_chart": _in_chart(_null),
    "cut_chart": _cut,
    "invented_number": _number,
}
