"""Replies of tools as rows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import CallToolResult, ImageContent, TextContent

from mindatlas.nodes.workdesk.parts import tool_results
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import Output
from mindatlas.nodes.workdesk.parts.tool_results import to_result

CALL = CheckedCall(id="a", tool="t", args={}, repairs=[], clock="")
OUTPUT = Output(rows="data.list", total="data.total", error="code", ok=0, message="msg")
ROWS = [{"k": 1}, {"k": 2}]
KEYS = [
    "code",
    "msg",
    "data",
    "list",
    "items",
    "total",
    "result",
    "error",
    "success",
    "rows",
    "columns",
    "id",
    "k",
]


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
        ([json.dumps({"code": 200, "data": {"records": ROWS, "total": 50}})], ROWS, 50),
        ([json.dumps({"items": ROWS, "pagination": {"total": 70}})], ROWS, 70),
        ([json.dumps({"date": "2026-03", "teams": ROWS})], ROWS, 2),
        ([json.dumps({"data": [], "filters": ["a", "b"]})], [], 0),
        (
            [json.dumps({"columns": ["k", "n"], "rows": [[1, 2], [3, 4]]})],
            [{"k": 1, "n": 2}, {"k": 3, "n": 4}],
            2,
        ),
        (
            [json.dumps({"data": {"order_id": "WO-1", "history": ROWS}})],
            [{"order_id": "WO-1", "history": ROWS}],
            1,
        ),
        ([json.dumps({"code": 0, "data": 42})], [{"value": 42}], 1),
        ([json.dumps({"total": 0})], [{"total": 0}], 1),
        ([json.dumps({"code": 0, "msg": "ok"})], [], 0),
        (["Here they are:", json.dumps(ROWS)], ROWS, 2),
        ([f"Found 2:\n```json\n{json.dumps(ROWS)}\n```"], ROWS, 2),
        (['{"k": NaN}'], [{"k": None}], 1),
        (["[" * 100_000], [], 0),
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


@pytest.mark.parametrize(
    "data",
    [
        {"success": False, "message": "no right"},
        {"error": "no right"},
        {"status": "error", "msg": "no right"},
        {"ok": False, "reason": "no right", "data": []},
    ],
)
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


def test_a_code_that_is_not_fine_is_an_error_without_an_overlay_too() -> None:
    assert (
        read(json.dumps({"code": 4001, "msg": "start_time required"}))["error"]
        == "start_time required (code 4001)"
    )


def test_rows_that_have_moved_are_found_and_no_empty_result_is_made_up() -> None:
    moved = {"code": 0, "data": {"items": ROWS, "total": 9}}
    result = read(json.dumps(moved), output=OUTPUT)
    assert (result["rows"], result["n_rows"], result["error"]) == (ROWS, 9, "")
    assert read(json.dumps({"data": {"list": ROWS}}), output=OUTPUT)["rows"] == ROWS
    assert (
        read(json.dumps({"code": "0", "data": {"list": ROWS, "total": "70"}}), output=OUTPUT)["n_rows"] == 70
    )
    assert read(json.dumps({"code": 0, "data": None}), output=OUTPUT)["n_rows"] == 0
    assert read("There are 5 orders.", output=OUTPUT)["error_kind"] == "tool_error"


def test_the_message_of_an_error_is_taken_out_of_its_reply() -> None:
    text = json.dumps({"code": 4006, "msg": "invalid query_id"})
    assert read(text, output=OUTPUT, error=True)["error"] == "invalid query_id (code 4006)"


def test_half_a_character_can_be_written_again() -> None:
    row = read('[{"k": "\\ud83d"}]')["rows"][0]
    assert json.dumps(row, ensure_ascii=False).encode()


def test_large_rows_are_cut_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = read(json.dumps([{"k": "x" * 20_000, "n": ["y" * 20_000]}]))
    assert (len(cut["rows"][0]["k"]), len(cut["rows"][0]["n"][0]), cut["truncated"]) == (10_001, 10_001, True)
    monkeypatch.setattr(tool_results, "MOST_KEPT", 50)
    few = read(json.dumps([{"k": "x" * 20}] * 5))
    assert (len(few["rows"]), few["n_rows"], few["truncated"]) == (1, 5, True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=20,
)


@given(data=JSON, described=st.booleans())
def test_any_reply_is_read_or_refused(data: Any, described: bool) -> None:
    result = read(json.dumps(data), output=OUTPUT if described else None, most=3)
    assert len(result["rows"]) <= min(3, result["n_rows"])
    assert bool(result["error"]) == (result["error_kind"] is not None)
    assert not (result["error"] and result["rows"])
    json.dumps(result, allow_nan=False)
