"""The verdicts on whole replies: all cases, the named misfires, and the shares that the cases must keep."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.reply_verifier import VerifierSettings, verify
from mindatlas.nodes.workdesk.parts.verify_reply_lines import verify_line

TOOLS = ["order_stat", "order_list", "order_get", "order_remark"]
CALL = 'order_stat(group_by="team")'
STAT = [
    {"tool": "order_stat", "content": '[{"name": "东区抢修组", "cnt": 123}, {"name": "北区班", "cnt": 82}]'}
]
REMARK = [{"tool": "order_remark", "content": '{"code": 0, "msg": "ok", "data": {"remark_id": "R-5521"}}'}]


def cases() -> Iterator[dict[str, Any]]:
    folder = files("mindatlas.evals").joinpath("cases", "workdesk")
    for name in ("replies.jsonl", "replies_fresh.jsonl"):
        for line in folder.joinpath(name).read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_cases(case: dict[str, Any]) -> None:
    result = verify_line(case)
    assert result["kind"] == case["label"], result["reason"]
    if case["label"] == "ok":
        assert result["flags"] == case["flags"]


def test_there_are_cases_of_every_kind() -> None:
    labels = [case["label"] for case in CASES]
    assert min(labels.count(label) for label in ("pseudo_call", "false_negative", "ok")) >= 50


@pytest.mark.parametrize(
    ("reply", "results"),
    [
        ('备注已加：order_remark(order_id="WO-1", content="已联系")', REMARK),
        ("好的，理解了", []),
        ("这个字段你指的是 order_id？", []),
        (f"您问的是这条调用的含义：{CALL}，" + "其中 group_by 决定按什么分组。" * 15, []),
        ("说明：" + 'order_list(start_time="2026-03-01 00:00:00", end_time="2026-03-31 23:59:59", page_no=1)' * 2 + "每个参数的含义如上。" * 9, []),
    ],
    ids=["report after a call", "understood", "which field", "long text", "long text, quoting much"],
)  # fmt: skip
def test_the_misfires_of_the_single_rule(reply: str, results: list[dict[str, Any]]) -> None:
    assert verify(reply, tool_results=results, tools=TOOLS).kind == "ok"


@pytest.mark.parametrize(
    ("filler", "kind"),
    [(0, "pseudo_call"), (173, "ok"), (40, "pseudo_call"), (41, "ok")],
)
def test_the_rule_needs_its_share(filler: int, kind: str) -> None:
    """27 characters of call: with 40 more it covers 40.3 %, with 41 it covers 39.7 %."""
    assert len(CALL) == 27
    assert verify(CALL + "好" * filler, tools=TOOLS).kind == kind


@pytest.mark.parametrize(("length", "kind"), [(200, "pseudo_call"), (199, "ok")])
def test_the_rule_needs_a_short_reply(length: int, kind: str) -> None:
    reply = CALL + "好" * 173
    settings = VerifierSettings(length=length, coverage=0.1)
    assert verify(reply, tools=TOOLS, settings=settings).kind == kind


def test_the_rule_needs_registered_names_and_no_result() -> None:
    assert verify(CALL, tools=["other"]).kind == "ok"
    assert verify(CALL, tools=[]).kind == "ok"
    assert verify(CALL, tools=TOOLS, tool_results=STAT).kind == "ok"
    assert verify("order_stat（group_by=“team”）", tools=TOOLS).detector == "short_call"


@pytest.mark.parametrize(
    ("reply", "detector"),
    [
        (CALL, "short_call"),
        ('<tool_call>{"name": "x", "arguments": {}}</tool_call>', "call_tag"),
        ('{"name": "order_stat", "arguments": {}}', "call_object"),
        ("```\norder_stat()\n```", "fenced_call"),
        ("Action: order_stat\nAction Input: {}", "action_lines"),
        ("[order_stat(), order_list()]", "listed_calls"),
        ("备注已添加成功。", "completion_claim"),
    ],
)
def test_each_detector_is_counted_and_can_be_switched_off(reply: str, detector: str) -> None:
    verdict = verify(reply, tools=TOOLS)
    assert detector in verdict.found
    rest = VerifierSettings(disabled=frozenset(verdict.found) - {detector})
    assert verify(reply, tools=TOOLS, settings=rest).found == [detector]
    off = VerifierSettings(disabled=frozenset(verdict.found))
    assert verify(reply, tools=TOOLS, settings=off).kind == "ok"


def test_a_value_that_only_repeats_the_question_does_not_excuse_none() -> None:
    reply = "东区抢修组上个月没有工单。"
    assert verify(reply, tool_results=STAT, tools=TOOLS).kind == "ok"
    asked = verify(reply, tool_results=STAT, tools=TOOLS, question="东区抢修组上个月有多少工单？")
    assert asked.kind == "false_negative"


def test_figures_and_ids_of_the_question_may_be_repeated() -> None:
    reply = "工单 WO-20260399-0001 不在其中，共 205 单，没有超过您说的 900 单。"
    flags = verify(
        reply, tool_results=STAT, tools=TOOLS, question="WO-20260399-0001 在吗？有 900 单吗？"
    ).flags
    assert flags == []


def test_thresholds_out_of_range_are_named() -> None:
    with pytest.raises(UsageError, match="coverage"):
        VerifierSettings(coverage=40)
    with pytest.raises(UsageError, match="length"):
        VerifierSettings(length=-1)


@given(st.text(max_size=300))
def test_any_text_gets_a_verdict(reply: str) -> None:
    assert verify(reply, tool_results=STAT, tools=TOOLS).kind in ("ok", "pseudo_call", "false_negative")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_any_content_can_be_read(content: Any) -> None:
    results = [{"tool": "order_stat", "content": content}]
    assert verify("没有数据，共 7 单。", tool_results=results, tools=TOOLS).kind in ("ok", "false_negative")


def test_figures_of_one_clock_add_up() -> None:
    def counted(count: int, clock: str) -> dict[str, Any]:
        return {"tool": "order_stat", "rows": [{"cnt": count}], "n_rows": 1, "content": "", "clock": clock}

    results = [
        counted(16, "创建"),
        counted(9, "完成"),
        counted(13, "创建"),
        counted(7, "完成"),
        counted(500, "创建"),
    ]
    assert verify("按创建时间：529 单。", tool_results=results, tools=TOOLS).flags == []
    assert verify("按创建时间：530 单。", tool_results=results, tools=TOOLS).flags == [
        "unsupported_number: 530"
    ]


def test_records_within_a_record_are_counted() -> None:
    order = '{"order_id": "WO-20260314-0007", "history": [{"kind": "a"}, {"kind": "b"}, {"kind": "c"}]}'
    results = [{"tool": "order_get", "content": order}]
    assert verify("WO-20260314-0007 共 3 条经过。", tool_results=results, tools=TOOLS).flags == []


def test_what_the_builtin_planner_says_is_never_accused() -> None:
    text = files("mindatlas.nodes.workdesk.parts").joinpath("desk_messages.yaml").read_text(encoding="utf-8")
    said = [message for messages in yaml.safe_load(text).values() for message in messages.values()]
    assert len(said) > 40
    for message in said:
        assert verify(message, tools=TOOLS).kind == "ok", message
