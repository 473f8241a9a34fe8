"""Streams: the verdict does not depend on the chunks, and no part of a call is shown before it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.workdesk.parts.reply_verifier import verify
from mindatlas.nodes.workdesk.parts.stream_buffer import StreamBuffer
from tests.nodes.workdesk.parts.test_reply_verifier import CASES

BAD = [case for case in CASES if case["label"] == "pseudo_call"]


def chunked(text: str, cuts: list[int]) -> list[str]:
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[start:end] for start, end in pairwise(places)]


def stream(case: dict[str, Any], chunks: list[str]) -> tuple[str, str, str]:
    buffer = StreamBuffer(tools=case["tools"], tool_results=case["tool_results"])
    shown = "".join(buffer.feed(chunk) for chunk in chunks)
    rest, verdict = buffer.close()
    return shown, rest, verdict.kind


@given(st.sampled_from(CASES), st.lists(st.integers(0, 5000), max_size=12))
def test_the_verdict_is_the_same_however_it_is_chunked(case: dict[str, Any], cuts: list[int]) -> None:
    shown, rest, kind = stream(case, chunked(case["reply"], cuts))
    assert shown + rest == case["reply"]
    assert kind == verify(case["reply"], tools=case["tools"], tool_results=case["tool_results"]).kind


@given(st.sampled_from(BAD), st.lists(st.integers(0, 5000), max_size=12))
def test_what_is_shown_does_not_depend_on_where_a_mark_is_cut(case: dict[str, Any], cuts: list[int]) -> None:
    shown, _, _ = stream(case, chunked(case["reply"], cuts))
    whole, _, _ = stream(case, list(case["reply"]))
    assert shown.startswith(whole) or whole.startswith(shown)
    for mark in (
        "<",
        "{",
        "[",
        "```",
        "✿",
        "to=functions",
        "Action",
        *(f"{tool}(" for tool in case["tools"]),
    ):
        assert mark not in shown


def test_plain_text_is_shown_as_it_comes() -> None:
    buffer = StreamBuffer(tools=["order_stat"])
    assert buffer.feed("东区抢修组上个月一共有很多工单，") == "东区抢修组上个月一共有很多工单，"
    assert buffer.feed("其中 <10 单的没有。\n") == "其中 <10 单的没有。\n"
    assert buffer.close()[0] == ""


def test_nothing_is_shown_from_a_mark_on() -> None:
    buffer = StreamBuffer(tools=["order_stat"])
    assert buffer.feed("好的，我来为您查询上个月的数据。<too") == "好的，我来为您查询上个月的数据。"
    assert buffer.feed('l_call>{"name": "order_stat", ') == ""
    assert buffer.feed('"arguments": {}}') == ""
    rest, verdict = buffer.close()
    assert (rest.startswith("<tool_call>"), verdict.kind) == (True, "pseudo_call")
