"""The whole graph over a chat model behind a real endpoint that misbehaves, streamed and not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from mindatlas.graphs.workdesk import WorkdeskParts, WorkdeskSettings, build_workdesk
from mindatlas.nodes.workdesk.parts.chat_planner import ChatPlanner
from mindatlas.nodes.workdesk.parts.chat_reply_writer import ChatReplyWriter
from mindatlas.nodes.workdesk.parts.write_journal import WriteJournal
from tests.chat_server import Behaviour, ChatServer, text, written_calls
from tests.desk import MARCH, OVERLAY, TODAY, TableAccess

pytestmark = pytest.mark.slow

CREATED = "三月份创建了多少工单？"
ARGS = json.dumps({**MARCH, "time_type": 1})
GOOD, NONE = text("北区班 7 单，东区抢修组 5 单。"), text("没有查到任何数据。")
PRINTED = text('count(start_time="2026-03-01 00:00:00")')


def called(arguments: str = ARGS, name: str = "count", **how: Any) -> Behaviour:
    return written_calls(("c1", name, arguments), **how)


@pytest.fixture(params=[False, True], ids=["streamed", "whole"])
def whole(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether replies come in one piece."""
    yield bool(request.param)


def asked(
    script: list[Behaviour], *, whole: bool, question: str = CREATED, **settings: Any
) -> tuple[dict[str, Any], TableAccess, list[dict[str, Any]]]:
    """Return the output, the tools with the calls that arrived, and what the endpoint was sent."""
    access = TableAccess()
    with ChatServer(script) as server:
        model = ChatOpenAI(
            base_url=server.base_url, api_key=SecretStr("none"), model="scripted", max_retries=0,
            disable_streaming=whole, stream_usage=True,
        )  # fmt: skip
        parts = WorkdeskParts(
            settings=WorkdeskSettings(today=TODAY, **settings), access=access, overlays={"desk": OVERLAY},
            planner=ChatPlanner(model), writer=ChatReplyWriter(model), journal=WriteJournal(),
        )  # fmt: skip
        output = build_workdesk(parts).compile().invoke({"question": question})
    return dict(output), access, server.requests


CASES: list[tuple[str, list[Behaviour], str, list[str], int]] = [
    ("clean", [called(), GOOD], "answered", [], 1),
    ("printed, then called", [PRINTED, called(), GOOD], "answered", ["retry_pseudo_call"], 1),
    ("printed twice", [PRINTED, PRINTED], "pseudo_call", ["retry_pseudo_call"], 0),
    ("a claim without a call", [text("好的，我已经统计完成了。"), called(), GOOD], "answered", ["retry_pseudo_call"], 1),
    ("a wrong none", [called(), NONE, GOOD], "answered", ["retry_false_negative"], 1),
    ("none, confirmed", [called(), NONE, NONE], "answered", ["retry_false_negative"], 1),
    ("nothing said", [called(), text(""), text(""), text("")], "empty_reply", ["retry_empty_reply"], 1),
    ("cut by the length limit", [called(ARGS[:-9], finish_reason="length"), called(), GOOD], "answered",
     ["retry_malformed_call"], 1),
    ("cut, and said to be whole", [called(ARGS[:-9]), called(), GOOD], "answered", ["retry_malformed_call"], 1),
    ("cut twice", [called(ARGS[:-9]), called(ARGS[:-4])], "malformed_call", ["retry_malformed_call"], 0),
    ("an unknown tool", [called(name="counts"), called(), GOOD], "answered", ["retry_malformed_call"], 1),
    ("a prefix on the name", [called(name="functions.count"), GOOD], "answered", ["cut_tool_name"], 1),
    ("an invented condition", [called(json.dumps({**MARCH, "time_type": 1, "team_id": "T-01"})), GOOD], "answered",
     ["strip_unsupported"], 1),
    ("a placeholder", [called(json.dumps({**MARCH, "time_type": 1, "team_id": "<team_id>"})), GOOD], "answered",
     ["strip_placeholder"], 1),
    ("a null as text", [called(json.dumps({**MARCH, "time_type": 1, "team_id": "null"})), GOOD], "answered",
     ["strip_empty_argument"], 1),
    ("a number as text", [called(json.dumps({**MARCH, "time_type": "1"})), GOOD], "answered", ["coerce_argument"], 1),
    ("no days", [called(json.dumps({"time_type": 1})), GOOD], "answered", ["fill_time_range"], 1),
    ("the clock that was not asked for", [called(json.dumps({**MARCH, "time_type": 2})), GOOD], "answered",
     ["correct_clock"], 1),
    ("a chart cut off", [called(), text('7 和 5。\n```chart\n{"type":"bar","title":"t","labels":["北区班"],"series":[{"name":"x","data":[7')],
     "answered", ["repair_chart_tail", "align_chart"], 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "stop", "kinds", "made"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_what_a_model_does_wrong_is_repaired_once_or_said_plainly(
    script: list[Behaviour], stop: str, kinds: list[str], made: int, whole: bool
) -> None:
    output, access, _ = asked(script, whole=whole)
    assert (output["stop_reason"], len(access.made)) == (stop, made)
    assert [repair["kind"] for repair in output["repairs"]] == kinds
    assert all(call["args"] == {**MARCH, "time_type": 1} for call in access.made)


def test_the_retry_requires_a_call_and_names_the_fault(whole: bool) -> None:
    _, _, requests = asked([PRINTED, called(), GOOD], whole=whole)
    assert [request.get("tool_choice") for request in requests] == [None, "required", None]
    assert CREATED in requests[1]["messages"][-1]["content"]
    assert "printed call" in requests[1]["messages"][-1]["content"]


def test_only_prompts_that_were_rendered_have_a_version(whole: bool) -> None:
    clean, _, _ = asked([called(), GOOD], whole=whole)
    assert set(clean["prompt_versions"]) == {"workdesk/plan_call"}
    retried, _, _ = asked([PRINTED, called(), text(""), GOOD], whole=whole)
    assert set(retried["prompt_versions"]) == {
        "workdesk/plan_call", "workdesk/plan_call_retry", "workdesk/retry_call", "workdesk/reply",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "script"),
    [
        ("retry_pseudo_call", [PRINTED]), ("retry_false_negative", [called(), NONE]),
        ("retry_empty_reply", [called(), text(""), text("")]),
    ],
)  # fmt: skip
def test_a_retry_that_is_switched_off_is_not_made_and_its_finding_still_stands(
    kind: str, script: list[Behaviour], whole: bool
) -> None:
    output, _, _ = asked(script, whole=whole, disabled=(kind,))
    assert output["repairs"] == []
    assert output["verification"][0]["verdict"] == kind.removeprefix("retry_")


def test_usage_is_what_the_endpoint_counted(whole: bool) -> None:
    output, _, requests = asked([called(), GOOD], whole=whole)
    assert len(requests) == 2
    assert (output["usage"]["input_tokens"], output["usage"]["output_tokens"]) == (22, 14)
