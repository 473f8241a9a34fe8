"""The builtin reply writer: figures that plain Python counts too, and what it says when there are none."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest

from mindatlas.nodes.workdesk.parts.builtin_reply_writer import BuiltinReplyWriter
from mindatlas.nodes.workdesk.parts.planning import ReplyRequest
from tests.nodes.workdesk.parts.asking_desk import DIRECTORIES
from tests.nodes.workdesk.parts.desk_cards import brought, desk_cards
from tests.nodes.workdesk.parts.small_desk import Order, answer, count

MARCH, FEBRUARY = ("2026-03-01", "2026-03-31"), ("2026-02-01", "2026-02-28")
TEAMS = DIRECTORIES["team_list"][1]


def anything(order: Order) -> bool:
    return True


def chart_of(reply: str) -> dict[str, Any]:
    found = re.search(r"```chart\n(.+?)\n```", reply, re.DOTALL)
    assert found, reply
    return dict(json.loads(found[1]))


def test_both_clocks_stand_side_by_side_and_neither_is_chosen() -> None:
    reply = answer("上个月各班组有多少工单？")
    by_created, by_finished = count(anything, *MARCH), count(anything, *MARCH, "finished")
    assert f"按创建时间：{by_created} 单" in reply
    assert f"按完成时间：{by_finished} 单" in reply
    assert "没有替您选择" in reply
    for team in TEAMS:
        one = count(lambda order, team=team: order.team == team, *MARCH)  # type: ignore[misc]
        other = count(lambda order, team=team: order.team == team, *MARCH, "finished")  # type: ignore[misc]
        assert f"| {team} | {one} | {other} |" in reply


def test_a_named_clock_stands_alone() -> None:
    reply = answer("上个月各班组完成了多少工单？")
    assert f"按完成时间：{count(anything, *MARCH, 'finished')} 单" in reply
    assert "创建时间" not in reply


def test_what_is_left_out_by_name_is_subtracted() -> None:
    reply = answer("上个月除抢修外新增了多少工单")
    assert f"：{count(lambda order: order.type != '抢修', *MARCH)} 单" in reply


def test_the_group_that_is_left_out_is_not_listed() -> None:
    reply = answer("除了东区抢修组，上个月各班组新增了多少工单")
    assert f"：{count(lambda order: order.team != '东区抢修组', *MARCH)} 单" in reply
    assert "| 东区抢修组 |" not in reply
    assert "| 西区抢修组 |" in reply


def test_what_is_left_out_by_code_is_the_sum_of_the_others() -> None:
    reply = answer("上个月新增的工单，不含已取消的，有多少")
    assert f"：{count(lambda order: order.status != 5, *MARCH)} 单" in reply


def test_open_orders_are_one_sum() -> None:
    reply = answer("上个月未完成的工单有多少")
    assert f"按创建时间：{count(lambda order: order.status in {0, 1, 2}, *MARCH)} 单" in reply


def test_the_difference_of_two_periods_is_computed() -> None:
    new, old = count(anything, *MARCH), count(anything, *FEBRUARY)
    reply = answer("对比2月和3月新增的工单数")
    word = "多" if new > old else "少"
    assert f"{word} {abs(new - old)} 单（{100 * (new - old) / old:+.1f}%）" in reply
    assert reply.index("2026-03-01 至 2026-03-31）比") > 0


def test_the_share_is_of_the_whole() -> None:
    reply = answer("上个月新增工单各类型占比")
    total = count(anything, *MARCH)
    for kind in DIRECTORIES["type_dict"][1]:
        number = count(lambda order, kind=kind: order.type == kind, *MARCH)  # type: ignore[misc]
        assert f"| {kind} | {number} | {100 * number / total:.1f}% |" in reply


def test_the_first_groups_in_order_and_all_that_share_the_last_place() -> None:
    numbers = {team: count(lambda order, team=team: order.team == team, *MARCH) for team in TEAMS}  # type: ignore[misc]
    ordered = sorted(numbers.values(), reverse=True)
    wanted = {team: number for team, number in numbers.items() if number >= ordered[1]}
    reply = answer("上个月新增工单最多的前两个班组")
    shown = dict(re.findall(r"^\| \d \| (.+?) \| (\d+) \|$", reply, re.MULTILINE))
    assert {team: int(number) for team, number in shown.items()} == wanted


def test_two_names_and_their_sum() -> None:
    one = count(lambda order: order.team == "东区抢修组", *MARCH)
    other = count(lambda order: order.team == "西区抢修组", *MARCH)
    reply = answer("上个月东区抢修组和西区抢修组分别新增多少工单")
    assert all(f"：{number} 单" in reply for number in (one, other, one + other))


def test_a_question_that_goes_on_from_another() -> None:
    reply = answer("那2月呢？", "上个月东区抢修组新增了多少工单？")
    assert f"：{count(lambda order: order.team == '东区抢修组', *FEBRUARY)} 单" in reply


def test_english_is_answered_in_english() -> None:
    reply = answer("How many orders did each team finish last month?")
    assert f"by finish time: {count(anything, *MARCH, 'finished')} orders" in reply
    assert chart_of(reply)["title"] == "Orders by team"


def test_the_chart_holds_the_figures_of_the_table() -> None:
    reply = answer("上个月各班组有多少工单？")
    chart = chart_of(reply)
    assert [series["name"] for series in chart["series"]] == ["按创建时间", "按完成时间"]
    assert all(len(series["data"]) == len(chart["labels"]) for series in chart["series"])
    for label, value in zip(chart["labels"], chart["series"][0]["data"], strict=True):
        assert f"| {label} | {value} |" in reply


def test_a_total_has_no_chart() -> None:
    assert "```" not in answer("上个月新增了多少工单")


def reply(question: str, *results: Any, **fields: Any) -> str:
    given = {
        "question": question,
        "language": "zh",
        "today": date(2026, 4, 15),
        "tools": desk_cards(),
        **fields,
    }
    return BuiltinReplyWriter().reply(ReplyRequest(results=results, **given))


RANGE = {"start_time": "2026-03-01 00:00:00", "end_time": "2026-03-31 23:59:59", "group_by": "none"}


@pytest.mark.parametrize(
    ("kind", "says"), [("server_gone", "已中断"), ("timeout", "没有回应"), ("tool_error", "没有成功")]
)
def test_a_failure_is_said_and_no_figure_given(kind: str, says: str) -> None:
    text = reply("上个月有多少工单", brought("order_stat", [], error="boom", error_kind=kind))
    assert says in text
    assert "boom" in text
    assert not re.search(r"\d+ 单", text)


def test_when_half_of_a_comparison_failed_nothing_is_computed() -> None:
    good = brought("order_stat", [{"key": "", "name": "", "cnt": 5}], id="call_1", args=RANGE)
    bad = brought("order_stat", [], id="call_2", error="boom", error_kind="tool_error")
    text = reply("上个月和本月的工单数对比", good, bad)
    assert "不给出" in text
    assert "比" not in text.split("\n")[-1]


def test_a_condition_that_was_taken_out_of_the_call_gives_no_figure() -> None:
    whole = brought("order_stat", [{"key": "", "name": "", "cnt": 500}], args=RANGE)
    text = reply("上个月紧急工单有多少", whole)
    assert "紧急" in text
    assert "500" not in text


def test_rows_that_are_not_all_there_are_not_summed() -> None:
    args = {**RANGE, "group_by": "team"}
    cut = brought(
        "order_stat",
        [{"key": "a", "name": "甲", "cnt": 5}, {"key": "b", "name": "乙", "cnt": 6}],
        args=args,
        n_rows=9,
    )
    text = reply("上个月各班组有多少工单", cut)
    assert "不计算合计" in text
    assert "11" not in text


def test_groups_of_one_name_are_told_apart() -> None:
    rows = [{"key": "T-1", "name": "抢修组", "cnt": 5}, {"key": "T-2", "name": "抢修组", "cnt": 6}]
    text = reply("上个月各班组有多少工单", brought("order_stat", rows, args={**RANGE, "group_by": "team"}))
    assert "| 抢修组 (T-1) | 5 |" in text
    assert "| 抢修组 (T-2) | 6 |" in text


def test_days_that_the_user_was_asked_for_are_shown() -> None:
    rows = [{"key": "", "name": "", "cnt": 5}]
    assert "2026-03-01 至 2026-03-31：5 单" in reply("有多少工单", brought("order_stat", rows, args=RANGE))


def test_an_empty_list_is_an_honest_none() -> None:
    args = {"start_time": "2026-04-14 00:00:00", "end_time": "2026-04-14 23:59:59", "priority": 1}
    assert "0 条" in reply("列出昨天的紧急工单", brought("order_list", [], args=args))


def test_a_list_is_a_table_with_words_for_codes() -> None:
    rows = [{"order_id": "WO-1", "status": 3, "title": "a|b"}]
    args = {"start_time": "2026-04-14 00:00:00", "end_time": "2026-04-14 23:59:59"}
    text = reply("昨天有哪些工单", brought("order_list", rows, args=args, n_rows=30))
    assert "共 30 条，下面是其中 1 条" in text
    assert "| WO-1 | 已完成 | a\\|b |" in text


def test_one_record_with_its_history() -> None:
    row = {
        "order_id": "WO-20260314-0007",
        "status": 2,
        "transfers": [{"from": "甲", "to": "乙"}],
        "note": None,
    }
    text = reply(
        "WO-20260314-0007 的详情", brought("order_get", [row], args={"order_id": "WO-20260314-0007"})
    )
    assert "- order_id: WO-20260314-0007" in text
    assert "- status: 处理中" in text
    assert "| 甲 | 乙 |" in text


def test_a_remark_that_was_written_is_confirmed() -> None:
    args = {"order_id": "WO-20260314-0007", "content": "已联系"}
    text = reply("给工单 WO-20260314-0007 加备注“已联系”", brought("order_remark", [{"ok": 1}], args=args))
    assert text == "已为 WO-20260314-0007 加上备注：“已联系”。"


def test_what_must_be_stated_is_there_once() -> None:
    rows = [{"key": "", "name": "", "cnt": 5}]
    text = reply(
        "上个月有多少工单", brought("order_stat", rows, args=RANGE), stated=["“东区”指 T-1", "“东区”指 T-1"]
    )
    assert text.count("“东区”指 T-1") == 1


def test_a_draft_stands_only_where_nothing_was_called() -> None:
    assert reply("你好", draft="count(x=1)") == "count(x=1)"
    assert reply("你好") != ""
