"""Replies of tools as rows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.types import CallToolResult, ImageContent, TextContent

from mindatlas.nodes.workdesk.parts import tool_results
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import Output
from mindatlas.nodes.workdesk.parts.tool_results import to_result

CALL = CheckedCall(id="a", tool="t", args={}, repairs=[], clock="")
OUTPUT = Output(rows="data.list", total="data.total", error="code", ok=0, message="msg")
ROWS = [{"k": 1}, {"k": 2}]


def read(
    *texts: str, output: Output | None = None, structured: Any = None, error: bool = False, most: int = 200
) -> ToolResult:
    reply = CallToolResult(
        content=[TextContent(type="text", text=text) for text in texts],
        structuredContent=structured,
        isError=error,
    )
    return to_result(CALL, reply, output, max_rows=most)


def test_rows_and_total_where_the_overlay_says() -> None:
    result = read(json.dumps({"code": 0, "data": {"list": ROWS, "total": 70}}), output=OUTPUT)
    assert (result["rows"], result["n_rows"], result["error"]) == (ROWS, 70, "")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"code": 4001, "msg": "start_time required"}, "start_time required (code 4001)"),
        ({"code": 500}, "code 500"),
        ({"list": ROWS}, "not the form"),
        ([1, 2], "not the form"),
    ],
)
def test_an_error_code_is_no_empty_result(data: Any, words: str) -> None:
    result = read(json.dumps(data), output=OUTPUT)
    assert (result["error_kind"], words in result["error"], result["rows"]) == ("tool_error", True, [])


def test_an_empty_list_is_an_empty_result() -> None:
    result = read(json.dumps({"code": 0, "data": {"list": [], "total": 0}}), output=OUTPUT)
    assert (result["rows"], result["n_rows"], result["error"]) == ([], 0, "")


@pytest.mark.parametrize(
    ("texts", "rows", "total"),
    [
        ([json.dumps(ROWS)], ROWS, 2),
        ([json.dumps({"data": {"items": ROWS}, "total": 9})], ROWS, 9),
        ([json.dumps({"a": {"b": ROWS}, "tags": ["x"]})], ROWS, 2),
        ([json.dumps({"id": 7, "name": "n"})], [{"id": 7, "name": "n"}], 1),
        ([json.dumps(row) for row in ROWS], ROWS, 2),
        (['["x", "y"]'], [{"value": "x"}, {"value": "y"}], 2),
        (["There are 5 orders."], [], 0),
        ([""], [], 0),
    ],
)
def test_a_reply_that_no_overlay_describes(texts: list[str], rows: list[dict[str, Any]], total: int) -> None:
    result = read(*texts)
    assert (result["rows"], result["n_rows"], result["error"]) == (rows, total, "")
    assert result["content"] == "\n".join(texts)


def test_structured_content_goes_first() -> None:
    assert read("shown to people", structured={"result": ROWS})["rows"] == ROWS


@pytest.mark.parametrize("data", [{"success": False, "message": "no right"}, {"error": "no right"}])
def test_errors_that_look_like_some(data: Any) -> None:
    assert read(json.dumps(data))["error"] == "no right"


def test_an_error_of_the_protocol() -> None:
    assert read("boom", error=True)["error"] == "boom"
    assert read(error=True)["error"] != ""


def test_what_is_no_text_is_named() -> None:
    reply = CallToolResult(content=[ImageContent(type="image", data="", mimeType="image/png")])
    assert to_result(CALL, reply, None, max_rows=1)["content"] == "[image]"


def test_long_results_are_cut_and_say_so() -> None:
    result = read(json.dumps(ROWS * 10), most=5)
    assert (len(result["rows"]), result["n_rows"], result["truncated"]) == (5, 20, True)


def test_a_reply_beyond_all_measure_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_results, "MOST_READ", 10)
    assert read("x" * 11)["error_kind"] == "oversized"
