from __future__ import annotations

from typing import Any

import pytest

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.verify_reply_lines import verify_line

ROWS = {"code": 0, "msg": "ok", "data": {"list": [{"name": "北区班", "cnt": 7}], "total": 1}}


@pytest.mark.parametrize(
    "content",
    [
        ROWS,
        '{"code": 0, "msg": "ok", "data": {"list": [{"name": "北区班", "cnt": 7}], "total": 1}}',
        '"{\\"rows\\": [{\\"name\\": \\"北区班\\", \\"cnt\\": 7}]}"',
        [{"type": "text", "text": '[{"name": "北区班", "cnt": 7}]'}],
        "北区班 7",
    ],
    ids=["object", "JSON text", "JSON within JSON", "MCP content", "plain text"],
)
def test_content_may_come_in_any_form(content: Any) -> None:
    line = {"id": 1, "tools": ["order_stat"], "tool_results": [{"tool": "order_stat", "content": content}]}
    none = verify_line({**line, "reply": "没有查询到数据。"})
    assert (none["id"], none["kind"], none["detector"]) == (1, "false_negative", "false_negative")
    assert verify_line({**line, "reply": "北区班 7 单。"}) == {
        "id": 1, "kind": "ok", "detector": "", "reason": "", "flags": []
    }  # fmt: skip
    assert verify_line({**line, "reply": "北区班 8 单。"})["flags"] == ["unsupported_number: 8"]


def test_fields_may_be_left_out() -> None:
    assert verify_line({"id": "a", "reply": "您好！"})["kind"] == "ok"
    assert verify_line({"id": "a", "reply": None})["flags"] == ["empty_reply"]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ({"id": 1}, "'reply'"),
        ({"id": 1, "reply": 3}, "'reply'"),
        ({"id": 1, "reply": "x", "tool_results": {}}, "'tool_results'"),
        ({"id": 1, "reply": "x", "tool_results": [{"tool": "a"}]}, "Tool result 1"),
        ({"id": 1, "reply": "x", "tool_results": ["a"]}, "Tool result 1"),
        ({"id": 1, "reply": "x", "tools": "order_stat"}, "'tools'"),
        ({"id": 1, "reply": "x", "tools": [1]}, "'tools'"),
        ({"id": 1, "reply": "x", "question": 1}, "'question'"),
    ],
)
def test_a_damaged_line_is_named(line: dict[str, Any], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        verify_line(line)


def test_thresholds_are_taken_over() -> None:
    line = {"id": 1, "reply": "order_get(order_id='WO-1')" + "好" * 60, "tools": ["order_get"]}
    assert verify_line(line)["kind"] == "ok"
    assert verify_line(line, coverage=0.2)["kind"] == "pseudo_call"
    with pytest.raises(UsageError, match="coverage"):
        verify_line(line, coverage=2)
