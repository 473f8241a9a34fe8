from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from mindatlas.nodes.workdesk.parts.chat_reply_writer import ChatReplyWriter
from mindatlas.nodes.workdesk.parts.planning import ReplyRequest
from tests.nodes.workdesk.parts.desk_cards import brought, desk_cards
from tests.scripted import ScriptedChatModel

RESULT = brought(
    "order_stat", [{"key": "T-1", "name": "东区", "cnt": 7}], clock="创建时间", content='{"cnt": 7}'
)


def request(**fields: Any) -> ReplyRequest:
    given = {
        "question": "上个月有多少工单？", "language": "zh", "today": date(2026, 4, 15), "tools": desk_cards(),
        "results": [RESULT], **fields,
    }  # fmt: skip
    return ReplyRequest(**given)


@pytest.mark.parametrize("fault", ["", "the first plan printed its call"])
def test_a_draft_is_taken_over_unasked_a_retried_one_as_well(fault: str) -> None:
    writer = ChatReplyWriter(ScriptedChatModel(replies=[]))
    assert writer.reply(request(draft="共 7 单。", fault=fault)) == "共 7 单。"


def test_what_must_be_stated_stands_before_a_chart_that_was_cut() -> None:
    writer = ChatReplyWriter(ScriptedChatModel(replies=[]))
    whole, cut = '共 7 单。\n```chart\n{"labels": []}\n```', '共 7 单。\n```chart\n{"labels": ["a'
    assert writer.reply(request(draft=whole, stated=["上个月"])) == f"{whole}\n\n上个月"
    assert writer.reply(request(draft=cut, stated=["上个月"])) == (
        '共 7 单。\n\n上个月\n\n```chart\n{"labels": ["a'
    )


def test_what_must_be_stated_is_added_where_the_draft_lacks_it() -> None:
    writer = ChatReplyWriter(ScriptedChatModel(replies=[]))
    stated = ["“东区”指 T-1", "共 7 单。"]
    assert writer.reply(request(draft="共 7 单。", stated=stated)) == "共 7 单。\n\n“东区”指 T-1"


def test_a_fault_is_named() -> None:
    model = ScriptedChatModel(replies=["共 7 单。"])
    assert ChatReplyWriter(model).reply(request(fault="结果里有 1 行")) == "共 7 单。"
    assert "结果里有 1 行" in model.prompts[0]
    assert 'counted_by="创建时间"' in model.prompts[0]


def test_thoughts_are_left_out() -> None:
    model = ScriptedChatModel(replies=["<think>7?</think>\n共 7 单。"])
    assert ChatReplyWriter(model).reply(request()) == "共 7 单。"


@pytest.mark.parametrize("empty", ["", "  ", "<think>hm</think>"])
def test_an_empty_reply_stays_empty_for_the_check(empty: str) -> None:
    model = ScriptedChatModel(replies=[AIMessage(empty)])
    assert ChatReplyWriter(model).reply(request(stated=["“东区”指 T-1"])) == ""
