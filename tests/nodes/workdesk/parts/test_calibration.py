from __future__ import annotations

from typing import Any

import pytest

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.calibration import calibrate
from tests.nodes.workdesk.parts.test_reply_verifier import CASES

CALL = "order_get(order_id='WO-1')"


def line(reply: str, label: str, **fields: Any) -> dict[str, Any]:
    return {"id": reply[:8], "reply": reply, "tools": ["order_get"], "label": label, **fields}


def test_longer_pseudo_calls_move_the_thresholds() -> None:
    lines = [line(CALL + "好" * filler, "pseudo_call") for filler in range(0, 300, 10)]
    proposal = calibrate([*lines, *(line("您好。", "ok") for _ in range(10))])
    assert proposal["length"] >= 310
    assert proposal["coverage"] < 0.1
    assert (proposal["caught"], proposal["wrongly_accused"]) == (30, 0)
    assert proposal["caught_by_defaults"] < 30


def test_replies_that_are_no_calls_hold_the_thresholds_back() -> None:
    pseudo = [line(CALL, "pseudo_call"), line(CALL + "好" * 100, "pseudo_call")]
    others = [line(CALL + "好" * 90, "ok") for _ in range(5)]
    proposal = calibrate([*pseudo, *others])
    assert (proposal["caught"], proposal["wrongly_accused"]) == (1, 0)


def test_what_is_outside_the_rule_is_counted() -> None:
    lines = [
        line(CALL, "pseudo_call"),
        line("<tool_call>", "pseudo_call"),
        line(CALL, "pseudo_call", tool_results=[{"tool": "order_get", "content": "ok"}]),
        line("没有数据。", "false_negative"),
    ]
    proposal = calibrate(lines)
    assert (proposal["pseudo_calls"], proposal["outside_the_rule"], proposal["others"]) == (3, 2, 1)


def test_the_shipped_cases_keep_the_defaults_harmless() -> None:
    proposal = calibrate(CASES)
    assert proposal["wrongly_accused_by_defaults"] == 0
    assert proposal["caught"] >= proposal["caught_by_defaults"] > 0


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ([], "pseudo_call"),
        ([line("您好。", "ok")], "pseudo_call"),
        ([line("您好。", "pseudo_call")], "prints a call"),
        ([line(CALL, "bad")], "'bad'"),
        ([{"id": 7, "reply": CALL}], "7"),
        ([{"id": "line-3", "error": {"type": "UsageError", "message": "Line 3 is no JSON"}}], "Line 3"),
    ],
)
def test_damaged_or_useless_lines_are_named(lines: list[dict[str, Any]], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        calibrate(lines)
