"""Calls are mended, asked about or refused where they must be, and left alone where they are right."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mindatlas.nodes.workdesk.parts.call_validator import CallValidator, Validation
from mindatlas.nodes.workdesk.parts.calls import RawCall, RepairKind
from mindatlas.nodes.workdesk.parts.parameters import corrected_schema
from tests.nodes.workdesk.validation_cases import Case, load, problem
from tests.orders_desk import BY_NAME, context, result

MAY = {"start_time": "2026-05-01 00:00:00", "end_time": "2026-05-31 23:59:59"}
REMARK = {"order_id": "WO-20260314-0007", "content": "已联系"}
REMARK_QUESTION = "给 WO-20260314-0007 加备注：已联系"


def validate(question: str, *calls: tuple[str, Any], truncated: bool = False, **fields: Any) -> Validation:
    raw = [RawCall(id=f"c{number}", tool=tool, args=args) for number, (tool, args) in enumerate(calls)]
    return CallValidator().validate(raw, truncated=truncated, context=context(question, **fields))


@pytest.mark.parametrize(
    "case", [*load("calls.jsonl"), *load("calls_fresh.jsonl")], ids=lambda case: case["id"]
)
def test_a_case(case: Case) -> None:
    assert problem(case) == ""


def argument_texts(count: int) -> list[tuple[str, str]]:
    """Return tools and valid argument texts for them, the same at each run."""
    rng = random.Random(7)
    texts = []
    for number in range(count):
        args: dict[str, Any] = {"group_by": rng.choice(["team", "site", "none"]), **MAY}
        args |= rng.choice([{}, {"priority": 1}, {"team_id": "T-020"}, {"status": "3"}, {"overdue": 0}])
        choices = [
            ("order_stat", args),
            ("order_list", {**MAY, "keyword": rng.choice(["漏水", 'a"b\\c', "😀", "}{"]), "page_no": number}),
            ("order_get", {"order_id": f"WO-202605{number % 28 + 1:02}-{number:04}"}),
            ("find_parts", {"query": "阀门", "tags": ["a", "b"], "options": {"deep": [1, 2.5, None, True]}}),
        ]
        tool, chosen = rng.choice(choices)
        texts.append(
            (tool, json.dumps(chosen, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 2])))
        )
    return texts


def test_no_prefix_of_a_thousand_argument_texts_runs() -> None:
    question = "上个月巡检一队状态3的漏水紧急工单和 WO-20260501-0000"
    texts = argument_texts(1000)
    ran = 0
    for tool, text in texts:
        prefixes = [text[:length] for length in range(len(text)) if text[:length].strip() != text.strip()]
        ran += len(validate(question, *((tool, prefix) for prefix in prefixes)).calls)
    assert ran == 0
    assert sum(len(validate(question, pair, truncated=True).calls) for pair in texts) == 0
    assert validate(question, texts[0]).calls  # whole, it does run


@given_by(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3), max_leaves=6,
).flatmap(lambda value: st.just({"query": "阀门", "options": {"a": value}})))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_no_prefix_of_any_object_runs(args: dict[str, Any]) -> None:
    text = json.dumps(args)
    assert validate("找阀门", *(("find_parts", text[:length]) for length in range(len(text)))).calls == []


_ANY = (
    st.none() | st.booleans() | st.integers(-3, 60) | st.floats(-2, 60)
    | st.sampled_from(["", "null", "none", "<id>", "{{x}}", "7", "7.5", "true", "紧急", "T-017", "东区抢修组", "上个月", "3"])
    | st.text(max_size=6) | st.lists(st.sampled_from(["a", "", None, 0]), max_size=2)
)  # fmt: skip
_NAMES = [
    "query", "in_stock", "max_price", "tags", "options", "unit", "note", "limit", "group_by", "team_id", "site_id",
    "person_id", "type_code", "status", "priority", "overdue", "start_time", "end_time", "time_type", "order_id",
    "other", "page_no",
]  # fmt: skip
_ARGS = st.fixed_dictionaries({}, optional=dict.fromkeys(_NAMES, _ANY))


@given_by(
    st.sampled_from(["order_stat", "order_list", "order_get", "find_parts", "person_list"]),
    _ARGS,
    st.sampled_from(["上个月紧急工单有多少", "各班组有多少工单", "find a valve", "东区抢修组一班昨天的单子"]),
)
@settings(max_examples=400, deadline=None)
def test_checked_arguments_satisfy_the_corrected_schema(
    tool: str, args: dict[str, Any], question: str
) -> None:
    for call in validate(question, (tool, args)).calls:
        Draft202012Validator(corrected_schema(BY_NAME[tool])).validate(call["args"])


@given_by(st.sampled_from([0, False, 0.0]), st.sampled_from(["in_stock", "max_price", "limit"]))
def test_zero_and_false_say_something(value: Any, name: str) -> None:
    validation = validate("find a valve", ("find_parts", {"query": "valve", name: value}))
    assert not any(repair["kind"].startswith("strip") for repair in validation.repairs)


@given_by(_ARGS)
@settings(max_examples=150, deadline=None)
def test_a_checked_call_is_checked_again_unchanged(args: dict[str, Any]) -> None:
    question = "上个月紧急工单有多少"
    for call in validate(question, ("order_stat", args)).calls:
        again = validate(question, ("order_stat", call["args"]))
        assert [other["args"] for other in again.calls] == [call["args"]]


def test_ids_are_made_unique() -> None:
    raw = [RawCall(id=call_id, tool="type_dict", args={}) for call_id in (None, "a", "a", "", "r1")]
    earlier = [result("team_list", call_id="r1")]
    validation = CallValidator().validate(raw, context=context("有哪些类型", results=earlier))
    ids = [call["id"] for call in validation.calls]
    assert len(set(ids)) == 5
    assert ids[1] == "a"
    assert "r1" not in ids
    assert [repair["kind"] for repair in validation.repairs] == ["unique_call_id"] * 4


def test_a_sound_call_stands_beside_a_faulty_one() -> None:
    validation = validate(
        "WO-20260314-0007 的详情",
        ("order_get", REMARK["order_id"]),
        ("order_get", {"order_id": REMARK["order_id"]}),
    )
    assert [call["args"] for call in validation.calls] == [{"order_id": REMARK["order_id"]}]
    assert [fault["kind"] for fault in validation.faults] == ["not_json"]


def test_no_call_is_made_while_the_user_is_asked() -> None:
    question = "上个月东区抢修组有多少工单"
    validation = validate(
        question,
        ("order_stat", {"group_by": "none", **MAY}),
        ("order_stat", {"group_by": "none", "team_id": "T-017", **MAY}),
    )
    assert validation.calls == []
    assert validation.clarification is not None
    assert [choice["value"] for choice in validation.clarification["choices"]] == ["T-017", "T-018"]
    assert validation.clarification["review_configs"][0]["allowed_decisions"] == ["respond", "reject"]


def test_the_answer_states_who_and_which_days_were_meant() -> None:
    validation = validate(
        "上个月巡检二队有多少工单", ("order_stat", {"group_by": "none", "team_id": "巡检二队"})
    )
    assert validation.stated == ["时间范围：2026-05-01 至 2026-05-31（上个月）", "“巡检二队”指 T-021"]


def test_a_fault_names_the_nearest_parameter_and_tool() -> None:
    wrong_key = validate("上个月张伟的单子", ("order_list", {"person": "张伟", **MAY})).faults
    assert [fault for fault in wrong_key if "'person_id'" in fault["message"]]
    wrong_tool = validate("统计", ("order_stats", {})).faults
    assert "order_stat" in wrong_tool[0]["message"]


def approval(**fields: Any) -> Validation:
    return validate(REMARK_QUESTION, ("order_remark", REMARK), turn="t1", **fields)


def test_a_writing_call_is_made_only_after_its_own_approval() -> None:
    asked = approval().clarification
    assert asked is not None
    assert asked["kind"] == "approve_call"
    assert asked["action_requests"][0]["args"] == REMARK
    assert [call["args"] for call in approval(approved=[asked["key"]]).calls] == [REMARK]
    made = [result("order_remark", args=REMARK)]
    assert approval(approved=[asked["key"]], results=made).calls == []  # once only
    other_turn = validate(REMARK_QUESTION, ("order_remark", REMARK), turn="t2", approved=[asked["key"]])
    assert other_turn.calls == []


def test_the_same_writing_call_twice_in_a_plan_is_asked_twice() -> None:
    asked = approval().clarification
    assert asked is not None
    twice = validate(
        REMARK_QUESTION,
        ("order_remark", REMARK),
        ("order_remark", REMARK),
        turn="t1",
        approved=[asked["key"]],
    )
    assert twice.calls == []
    assert twice.clarification is not None
    assert twice.clarification["key"] != asked["key"]


def test_a_call_that_the_user_edited_is_made_as_edited() -> None:
    asked = approval().clarification
    assert asked is not None
    edited = {**REMARK, "content": "已电话联系"}
    answered = approval(choices={asked["key"]: {"args": edited}})
    assert [call["args"] for call in answered.calls] == [edited]
    again = approval(choices={asked["key"]: {"args": edited}}, results=[result("order_remark", args=edited)])
    assert again.calls == []


def test_approval_cannot_be_switched_off() -> None:
    assert approval(disabled=["ask_user"]).calls == []


def test_the_users_days_are_taken_for_this_question_only() -> None:
    call = ("order_stat", {"group_by": "team"})
    asked = validate("各班组有多少工单？", call, turn="t1").clarification
    assert asked is not None
    choices = {asked["key"]: "2026-05-01/2026-05-31"}
    assert (
        validate("各班组有多少工单？", call, turn="t1", choices=choices).calls[0]["args"]["end_time"]
        == MAY["end_time"]
    )
    assert validate("各班组有多少工单？", call, turn="t2", choices=choices).clarification is not None


def test_the_users_answer_fills_what_was_missing() -> None:
    asked = validate("查一下工单", ("order_get", {}), turn="t1").clarification
    assert asked is not None
    choices = {asked["key"]: "WO-20260314-0007"}
    answered = validate("查一下工单", ("order_get", {}), turn="t1", choices=choices)
    assert answered.calls[0]["args"] == {"order_id": "WO-20260314-0007"}


@pytest.mark.parametrize(
    ("kind", "question", "call", "ends"),
    [
        ("cut_tool_name", "有哪些类型", ("functions.type_dict", {}), "unknown_tool"),
        ("decode_arguments", "有哪些类型", ("find_parts", '"{\\"query\\": \\"a\\"}"'), "not_object"),
        ("split_arguments", "a b", ("find_parts", '{"query": "a"}{"query": "b"}'), "not_json"),
        ("coerce_argument", "上个月紧急工单", ("order_list", {"priority": "1", **MAY}), "wrong_type"),
        ("fill_time_range", "上个月的工单", ("order_list", {}), "asked"),
        ("strip_unsupported", "上个月的工单", ("order_list", {"priority": 1, **MAY}), "called"),
        ("strip_placeholder", "上个月的工单", ("order_list", {"keyword": "<keyword>", **MAY}), "called"),
        ("strip_empty_argument", "上个月的工单", ("order_list", {"keyword": "", **MAY}), "called"),
        ("resolve_name", "上个月巡检二队的工单", ("order_list", {"team_id": "巡检二队", **MAY}), "called"),
        ("correct_time_range", "昨天的工单", ("order_list", MAY), "called"),
        ("correct_clock", "上个月完成的工单", ("order_stat", {"group_by": "none", "time_type": 1, **MAY}), "called"),
        ("fill_default", "上个月的工单", ("order_list", MAY), "called"),
        ("ask_user", "多少工单", ("order_stat", {"group_by": "none"}), "missing_argument"),
    ],
)  # fmt: skip
def test_each_repair_can_be_switched_off(
    kind: RepairKind, question: str, call: tuple[str, Any], ends: str
) -> None:
    on = validate(question, call)
    off = validate(question, call, disabled=[kind])
    if kind == "ask_user":
        assert on.clarification is not None
    else:
        assert kind in {repair["kind"] for repair in on.repairs}
    assert kind not in {repair["kind"] for repair in off.repairs}
    faults: set[str] = {fault["kind"] for fault in off.faults}
    seen = {"asked"} if off.clarification else faults or {"called"}
    assert ends in seen
