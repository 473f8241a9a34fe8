"""The command sheet with a chat model behind a real HTTP endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.chat_server import ChatServer, structured, text
from tests.graphs.command import run
from tests.sheets import BY_STORE, write_workbook

REQUEST = "按门店汇总销售额"
PROPOSED = {"assertions": [{"kind": "row_count", "expected": 2, "description": "one row a store"}]}
MEAN = BY_STORE.replace("sum", "mean")


@pytest.fixture
def workbook(tmp_path: Path, home: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")


def fenced(code: str) -> Any:
    return text(f"Here it is:\n```python\n{code}```")


def test_a_model_over_http_is_checked_recorded_and_replayed(workbook: Path, tmp_path: Path) -> None:
    asked = ("sheet", workbook, REQUEST, "--model", "openai:scripted", "--json")
    with ChatServer([structured(PROPOSED), fenced(MEAN), fenced(BY_STORE)]) as server:
        live = run(*asked, "--base-url", server.base_url, "--record", tmp_path / "calls")
    assert live.code == 0, live.err
    assert [round_["strategy"] for round_ in live.json["rounds"]] == ["generate", "repair"]
    failed = {item["kind"] for item in live.json["rounds"][0]["assertions"] if not item["passed"]}
    assert failed == {"group_sums_match_total", "writers_agree"}
    assert {item["source"] for item in live.json["assertions"]} == {"writer", "conservation"}
    assert live.json["usage"]["input_tokens"] > 0
    assert "atlassplit/generate" in live.json["prompt_versions"]
    again = run(*asked, "--base-url", server.base_url, "--replay", tmp_path / "calls")
    assert again.code == 0, again.err
    assert again.json["result"] == live.json["result"]


def test_in_a_private_run_no_cell_value_is_sent(workbook: Path) -> None:
    broken = "result = df['门店'].astype(float).to_frame()\n"
    asked = ("sheet", workbook, REQUEST, "--model", "openai:scripted", "--private", "--json")
    with ChatServer([structured(PROPOSED), fenced(broken), fenced(MEAN), fenced(BY_STORE)]) as server:
        done = run(*asked, "--base-url", server.base_url)
        sent = "\n".join(str(request["messages"]) for request in server.requests)
    assert done.code == 0, done.err
    assert "could not convert string to float" in sent
    assert "group sums match total" in sent
    assert not any(value in sent for value in ("朝阳店", "徐汇店", "2024-01", "200"))


def test_a_model_that_says_it_cannot_is_a_refusal(workbook: Path) -> None:
    with ChatServer([structured({"assertions": []}), text("CANNOT: no column holds costs")]) as server:
        done = run(
            "sheet", workbook, "算利润", "--model", "openai:m", "--base-url", server.base_url, "--json"
        )
    assert (done.code, done.json["stop_reason"]) == (1, "refused")
    assert done.json["refusal"] == {"kind": "outside", "about": "no column holds costs", "candidates": []}


def test_a_model_that_is_down_ends_the_command_and_the_run_can_go_on(workbook: Path) -> None:
    done = run("sheet", workbook, REQUEST, "--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1")
    assert done.code == 1
    assert "127.0.0.1:9" in done.err
    assert "mindatlas resume" in done.err
