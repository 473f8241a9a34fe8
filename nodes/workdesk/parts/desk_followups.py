"""Questions that go on from the one before: 那上周呢, what about last week, 按站点呢."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.desk_request import NEXT_PAGE, Condition, DeskRequest, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_requests import DeskReader
from mindatlas.nodes.workdesk.parts.desk_single import read_remark
from mindatlas.nodes.workdesk.parts.desk_vocabulary import cue, records

_MARKS = r"[\s,，。.!！?？:：]*"


def read_turn(reader: DeskReader, question: str, history: Sequence[Mapping[str, Any]]) -> DeskRequest:
    """Return what the question asks for, with what it takes over from the questions before it.

    Raises:
        UnreadableRequest: it is not understood, or goes on from nothing.
    """
    before: DeskRequest | None = None
    for turn in history:
        if turn.get("role") == "user":
            try:
                before = _read(reader, str(turn.get("content", "")), before)
            except UnreadableRequest:
                continue  # what was refused then says nothing now
    return _read(reader, question, before)


def _read(reader: DeskReader, question: str, before: DeskRequest | None) -> DeskRequest:
    remark = read_remark(question)
    if remark is not None:
        return remark
    fragment = _fragment(question)
    if before is None:
        return reader.read(question)
    read = reader.read(question if fragment is None else fragment, fragment=True)
    about_records = bool(records().search(fold(question)))
    whole = about_records and (fragment is None or (read.counted and read.periods))
    if whole or read.job in {"record", "directory"} or (fragment is None and read.counted and read.periods):
        return read
    return _merged(before, read)


def _fragment(question: str) -> str | None:
    """Return the question without the words that make it go on from another; None where it has none."""
    start = re.match(rf"{_MARKS}(?:(?:{cue('followup.start').pattern}){_MARKS})+", question, re.IGNORECASE)
    end = re.search(rf"(?:{cue('followup.end').pattern}){_MARKS}$", question)
    if not start and not end:
        return None
    return question[start.end() if start else 0 : end.start() if end else len(question)]


def _merged(before: DeskRequest, read: DeskRequest) -> DeskRequest:
    """Return the earlier request with what the new question says instead.

    Raises:
        UnreadableRequest: `not_readable_follow` where there is nothing to go on from.
    """
    if before.job not in {"count", "list", "export"}:
        raise UnreadableRequest("not_readable_follow")
    job = read.job if read.counted else before.job
    group = read.group or (before.group if job == "count" else "")
    periods, compared = read.periods or before.periods, read.compared
    if read.compared and len(read.periods) == 1 and len(before.periods) == 1:
        periods = (before.periods[0], *read.periods)
    elif not read.periods:
        compared = compared or before.compared
    page = (before.page or 1) + 1 if read.page == NEXT_PAGE else read.page
    return replace(
        read,
        job=job,
        group=group,
        periods=periods,
        compared=compared,
        page=page,
        clocks=read.clocks or before.clocks,
        trend=read.trend or (before.trend and not read.group),
        share=read.share or (before.share and job == "count"),
        top=read.top or (before.top if group == before.group else None),
        order=read.order or (before.order if group == before.group and job == "count" else None),
        sort=read.sort or (before.sort if job != "count" else ""),
        file_type=read.file_type or before.file_type,
        notices=(*before.notices, *read.notices),
        inherited=_still(before, read),
    )


def _still(before: DeskRequest, read: DeskRequest) -> tuple[Condition, ...]:
    named = {condition.parameter for condition in read.conditions} - {""}
    return tuple(one for one in (*before.inherited, *before.conditions) if one.parameter not in named)
