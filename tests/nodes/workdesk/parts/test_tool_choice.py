"""Which tools are chosen for a question."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.overlay_model import ToolOverlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from mindatlas.nodes.workdesk.parts.tool_choice import ToolChooser, is_named
from mindatlas.nodes.workdesk.parts.tool_ranking import ToolRanking


def card(name: str, description: str, **overlay: Any) -> ToolCard:
    tool = ServerTool(server="desk", name=name, description=description)
    return ToolCard(tool=tool, overlay=ToolOverlay.model_validate(overlay))


CARDS = [
    card(
        "invoice_stat", "发票统计",
        parameters={"buyer": {"names_from": {"tool": "customer_list", "id": "id", "name": "name"}}},
    ),
    card("invoice_export", "导出发票", depends_on=["invoice_list"], exclude_when=["不导出", "no export"]),
    card("invoice_list", "查询发票列表", parameters={"seller": {"names_from": {"tool": "team_list", "id": "i", "name": "n"}}}),
    card("customer_list", "客户名单"),
    card("team_list", "班组名单"),
    card("attendance_stat", "考勤统计"),
    card("vehicle_assign", "Assign a vehicle"),
    card("list", "shows everything there is"),
]  # fmt: skip


def chosen(question: str, k: int = 1, history: list[dict[str, str]] | None = None) -> list[str]:
    return [one.name for one in ToolChooser(CARDS, k=k).choose(question, history or [])]


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("上个月开了多少张发票", "invoice_stat"),
        ("How many invoices did we issue?", "invoice_stat"),
        ("这周有多少人没打卡", "attendance_stat"),
        ("明天要用车，给我指派一下", "vehicle_assign"),
    ],
)
def test_the_fitting_tool_comes_first_in_either_language(question: str, best: str) -> None:
    assert chosen(question)[0] == best


def test_what_a_chosen_tool_needs_comes_along_behind() -> None:
    assert chosen("发票数量统计") == ["invoice_stat", "customer_list"]
    assert chosen("把发票导出来") == ["invoice_export", "invoice_list", "team_list"]


def test_a_hidden_parameter_needs_no_directory() -> None:
    hidden = card(
        "a", "发票统计", hidden=["buyer"],
        parameters={"buyer": {"names_from": {"tool": "customer_list", "id": "id", "name": "name"}}},
    )  # fmt: skip
    assert [one.name for one in ToolChooser([hidden, CARDS[3]], k=1).choose("发票统计")] == ["a"]


def test_no_more_than_k_are_chosen_and_fewer_tools_all_come_the_best_first() -> None:
    assert len(chosen("随便看看", k=2)) >= 2
    every = chosen("考勤统计", k=50)
    assert every[0] == "attendance_stat"
    assert sorted(every) == sorted(one.name for one in CARDS)


@pytest.mark.parametrize("question", ["导出发票吗？不导出", "export invoices? NO EXPORT please"])
def test_a_tool_that_the_question_rules_out_is_left_out_and_named(question: str) -> None:
    selection = ToolChooser(CARDS, k=8).select(question)
    assert "invoice_export" not in {one.name for one in selection.cards}
    assert set(selection.left_out) == {"invoice_export"}


def test_a_word_that_only_begins_alike_rules_nothing_out() -> None:
    assert "invoice_export" in chosen("no exported invoices", k=8)


def test_what_is_ruled_out_still_comes_where_a_chosen_tool_needs_it() -> None:
    cards = [
        card("a_stat", "发票统计", depends_on=["b_list"]),
        card("b_list", "列表", exclude_when=["不要明细"]),
    ]
    assert [one.name for one in ToolChooser(cards, k=1).choose("发票统计，不要明细")] == ["a_stat", "b_list"]


def test_a_tool_that_the_question_names_is_chosen_whatever_else_it_says() -> None:
    assert chosen("用 vehicle_assign 处理发票统计")[0] == "vehicle_assign"
    assert chosen("用 invoice_export，但是不导出", k=1)[0] == "invoice_export"


@pytest.mark.parametrize(
    ("name", "question", "named"),
    [
        ("order_stat", "call ORDER_STAT please", True),
        ("order_stat", "the order_stats of may", False),
        ("order_stat", "用order_stat查一下", True),
        ("get-order", "run get-order now", True),
        ("get-order", "run get-orders now", False),
        ("list", "list the orders", False),
        ("list", "use the `list` tool", True),
        ("list", "use tool list", True),
    ],
)
def test_when_a_question_names_a_tool(name: str, question: str, named: bool) -> None:
    assert is_named(name, fold(question)) is named


def test_a_follow_up_is_read_with_the_question_before() -> None:
    history = [
        {"role": "user", "content": "上个月的考勤统计"},
        {"role": "assistant", "content": "发票发票发票"},
    ]
    assert chosen("那四月呢", history=history)[0] == "attendance_stat"
    assert chosen("发票统计", history=history)[0] == "invoice_stat"  # a question of its own counts more


def test_no_tools_and_no_words_choose_nothing_and_anything() -> None:
    assert ToolChooser([], k=3).choose("发票") == []
    assert chosen("？！", k=2) == [
        "invoice_stat",
        "invoice_export",
        "customer_list",
        "invoice_list",
        "team_list",
    ]


def test_the_index_is_built_once() -> None:
    chooser = ToolChooser(CARDS, k=2)
    first = chooser._ranking
    chooser.choose("发票")
    chooser.choose("考勤")
    assert chooser._ranking is first


def test_scores_of_an_empty_index_are_empty() -> None:
    assert ToolRanking([]).scores([("发票", 1.0)]).shape == (0,)


def test_the_choice_is_the_same_in_every_process() -> None:
    program = (
        "from tests.nodes.workdesk.parts.test_tool_choice import chosen\n"
        "print(chosen('客户的发票和班组的考勤', k=6))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(outputs) == 1
