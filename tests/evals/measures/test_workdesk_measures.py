from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Scored
from mindatlas.evals.measures.registry import measures_of
from mindatlas.evals.measures.workdesk_repairs import STEPS, WARRANTED
from mindatlas.evals.measures.workdesk_text import figures_of, in_answer, in_rows
from mindatlas.nodes.workdesk.parts.calls import RepairKind
from mindatlas.nodes.workdesk.parts.faults import FAULTS

TABLE = "上个月（2026-03-01 至 2026-03-31）：83 单\n\n| 班组 | 工单数 |\n| --- | --- |\n| 甲组 (T-1) | 50 |\n| 甲组二班 | 33 |"


def case(rows: list[list[Any]] | None = None, **fields: Any) -> Case:
    query = {
        "clock": "created",
        "sql": "",
        "rows": rows or [["甲组", 50], ["甲组二班", 33]],
        "derived": False,
        "scope": "line",
    }
    expected = {"outcome": "answer", "clocks": ["created"], "queries": [{**query, **fields}]}
    return Case(id="n", query="?", case_type="by_group", expected=expected)


def asked(about: str) -> Case:
    return Case(id="n", query="?", case_type="ask", expected={"outcome": "ask", "about": about})


REFUSED = Case(id="n", query="?", case_type="refusal", expected={"outcome": "refuse"})


def call(rows: list[dict[str, Any]] | None = None, **fields: Any) -> dict[str, Any]:
    held = [{"name": "甲组", "cnt": 50}, {"name": "甲组二班", "cnt": 33}] if rows is None else rows
    made = {
        "tool": "order_stat",
        "rows": held,
        "n_rows": len(held),
        "clock": "创建时间",
        "error": "",
        "repairs": [],
    }
    return {**made, **fields}


def output(**fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"answer": TABLE, "tool_calls": [call()], "repairs": [], "notices": []}
    return {**made, "clarification": None, "stop_reason": "answered", **fields}


def faulty(fault: str, **fields: Any) -> dict[str, Any]:
    return output(
        notices=[f"Simulated model: the fault “{fault}” is made on purpose for this question"], **fields
    )


def repair(kind: str) -> dict[str, Any]:
    return {"kind": kind, "before": None, "after": None, "reason": ""}


def score(name: str, asked_for: Case, made: dict[str, Any]) -> Scored:
    return measures_of("workdesk")[name].score(asked_for, made)


def test_right_figures_are_looked_up_and_told() -> None:
    assert score("right_figures", case(), output()) == Scored(value=1.0)
    half = output(tool_calls=[call([{"name": "甲组", "cnt": 50}])])
    assert score("figures_in_rows", case(), half) == Scored(value=0.5)
    assert score("right_figures", case(), half) == Scored(value=0.0)
    untold = output(answer="甲组 50 单")
    assert score("figures_in_answer", case(), untold) == Scored(value=0.5)
    assert score("right_figures", case(), untold) == Scored(value=0.0)


@pytest.mark.parametrize("fields", [{"clock": "完成时间"}, {"error": "timeout"}, {"clock": "派单时间"}])
def test_rows_of_another_clock_or_of_a_failed_call_do_not_count(fields: dict[str, Any]) -> None:
    assert score("figures_in_rows", case(), output(tool_calls=[call(**fields)])) == Scored(value=0.0)


def test_a_figure_that_follows_from_several_calls_is_looked_for_in_the_answer_alone() -> None:
    derived = case([[83]], derived=True)
    assert score("figures_in_rows", derived, output()).value is None
    assert score("right_figures", derived, output()) == Scored(value=1.0)
    assert score("right_figures", derived, output(answer="84 单")) == Scored(value=0.0)


def test_no_figures_are_expected_of_a_question_or_a_refusal() -> None:
    for name in ("right_figures", "figures_in_rows", "figures_in_answer", "right_clock"):
        assert score(name, REFUSED, output()).value is None
        assert score(name, REFUSED, output()).reason


def test_an_answer_that_was_given_up_tells_nothing() -> None:
    assert score("figures_in_answer", case(), output(stop_reason="malformed_call")) == Scored(value=0.0)


@pytest.mark.parametrize(
    ("clocks", "used", "expected"),
    [
        (["created"], ["创建时间"], 1),
        (["created"], ["creation time"], 1),
        (["created"], ["完成时间"], 0),
        (["created"], ["创建时间", "完成时间"], 0),
        (["created", "finished"], ["创建时间", "完成时间"], 1),
        (["created", "finished"], ["创建时间"], 0),
        (["created"], ["创建时间", "派单时间"], 0),
        (["created"], [], 0),
    ],
)
def test_right_clock(clocks: list[str], used: list[str], expected: int) -> None:
    wanted = Case(id="n", query="?", case_type="count", expected={"outcome": "answer", "clocks": clocks})
    made = output(tool_calls=[call(clock=clock) for clock in used])
    assert score("right_clock", wanted, made) == Scored(value=expected)


def test_asking_is_right_about_the_right_thing_only() -> None:
    asks = output(clarification={"kind": "which_name"}, stop_reason="")
    assert score("asking_correctness", asked("which_name"), asks).value == 1
    assert score("asking_correctness", asked("time_range"), asks).value == 0
    assert score("asking_correctness", asked("which_name"), output()).value == 0
    assert score("asking_correctness", case(), asks).value == 0
    assert score("asking_correctness", case(), output()).value == 1


def test_refusing_is_right_where_it_must_be_only() -> None:
    refuses = output(stop_reason="refused")
    assert score("refusal_correctness", REFUSED, refuses).value == 1
    assert score("refusal_correctness", REFUSED, output(stop_reason="malformed_call")).value == 0
    assert score("refusal_correctness", case(), refuses).value == 0
    assert score("refusal_correctness", case(), output()).value == 1


def test_a_fault_is_caught_by_its_own_repair() -> None:
    wrong = {"answer": "没有", "tool_calls": []}
    mended = faulty("placeholder", repairs=[repair("strip_placeholder")])
    assert score("fault_caught", case(), mended) == Scored(value=1.0)
    assert score("fault_caught", case(), faulty("placeholder", **wrong)) == Scored(value=0.0)
    other = faulty("placeholder", repairs=[repair("align_chart")], **wrong)
    assert score("fault_caught", case(), other) == Scored(value=0.0)


def test_a_fault_without_a_place_says_nothing_of_the_repairs() -> None:
    assert score("fault_caught", case(), output()).value is None
    assert score("fault_caught", case(), faulty("cut_chart")).value is None
    assert score("fault_caught", case(), faulty("no_id", stop_reason="refused", answer="")).value is None


def test_an_invented_number_in_the_answer_is_caught_by_a_notice() -> None:
    made = faulty("invented_number", answer=f"{TABLE}\n另有 987654 单。")
    assert score("fault_caught", case(), made) == Scored(value=0.0)
    made["notices"].append("unsupported_number: 987654")
    assert score("fault_caught", case(), made) == Scored(value=1.0)


def test_false_alarms_are_the_corrections_that_nothing_warrants() -> None:
    steps = [repair(kind) for kind in sorted(STEPS)]
    assert score("false_alarms", case(), output(repairs=steps)) == Scored(value=0.0)
    wrong = [repair("strip_placeholder"), repair("align_chart")]
    assert score("false_alarms", case(), output(repairs=wrong)) == Scored(value=2.0)
    assert score("false_alarms", case(), faulty("placeholder", repairs=wrong)) == Scored(value=1.0)


def test_every_fault_has_its_repairs_and_every_repair_exists() -> None:
    assert set(WARRANTED) == set(FAULTS)
    assert frozenset().union(*WARRANTED.values(), STEPS) <= set(get_args(RepairKind))


@pytest.mark.parametrize(
    ("line", "figures"),
    [
        ("上个月（2026-03-01 至 2026-03-31），按创建时间：568 单", {568}),
        ("共 1,648 单", {1648}),
        ("3月有 12单，占 45.5%", {12}),
        ("WO-20260410-0001 归 T-012，21:34:50 完成", set()),
        ("last week (2026-04-06 to 2026-04-12): 134 orders", {134}),
        ("| 甲组 | 54 | 7 |", {54, 7}),
        ("最近7天：0 单", {0}),
    ],
)
def test_figures_of_a_line(line: str, figures: set[int]) -> None:
    assert figures_of(line) == figures


def test_a_name_in_a_table_fills_its_column() -> None:
    assert in_answer(["甲组", 50], TABLE, "line")
    assert not in_answer(["甲组", 33], TABLE, "line")  # 甲组二班 is another team
    assert not in_answer(["甲组", 51], TABLE, "line")
    assert not in_answer([7], "无\n```chart\n7\n```", "line")  # a chart is no statement
    assert in_answer(["a", "b"], "a\nb", "answer") and not in_answer(["a", "b"], "a\nb", "line")


def test_a_row_may_be_the_number_of_rows_or_that_of_a_name() -> None:
    listed = call([{"order_id": "A"}, {"order_id": "B"}], n_rows=40)
    assert in_rows([40], listed) and in_rows(["B"], listed) and not in_rows([2], listed)
    named = call([{"cnt": 51}], repairs=[{**repair("resolve_name"), "before": {"site_id": "城东站"}}])
    assert in_rows(["城东站", 51], named) and not in_rows(["城西站", 51], named)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_figure_is_found_in_a_line_that_states_it_and_in_no_other(stated: int, other: int) -> None:
    line = f"按创建时间（2026-03-01）：{stated:,} 单"
    assert figures_of(line) == {stated}
    assert in_answer([other], line, "line") == (stated == other)
