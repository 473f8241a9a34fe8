from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.chat_server import ChatServer, status, structured
from tests.graphs.command import run

SURF = "万宁除了日月湾还有什么冲浪的地方？"
OUTPUT = {
    "run_id", "question", "model", "prompt_versions", "rewritten_query", "exclude_entities", "exclude_reason", "filters",
    "answer", "citations", "passages", "candidates", "set_aside", "notices", "stop_reason", "path", "timings_ms", "usage",
}  # fmt: skip
NEGATION = {
    "reading": "excluded", "exclude_entities": ["日月湾"], "keep_only": [],
    "rewritten_query": "万宁还有什么冲浪的地方？", "reason": "“除了”读作排除。",
}  # fmt: skip


def sentences(text: str, quote: str) -> dict[str, Any]:
    return {"sentences": [{"text": text, "passage": 1, "quote": quote}]}


def test_a_model_over_http_is_checked_recorded_and_replayed(kb: Path, tmp_path: Path) -> None:
    script = [
        structured(NEGATION),
        structured(sentences("石梅湾长60公里。", "石梅湾沙滩细白")),
        structured(sentences("石梅湾沙滩细白。", "石梅湾沙滩细白")),
    ]
    asked = ("ask", SURF, "--kb", kb, "--model", "openai:scripted", "--json")
    with ChatServer(script) as server:
        live = run(*asked, "--base-url", server.base_url, "--record", tmp_path / "calls")
    assert live.code == 0, live.err
    assert "answer_again" in live.json["path"]
    assert live.json["citations"][0]["quote"] == "石梅湾沙滩细白"
    assert live.json["usage"]["input_tokens"] > 0
    assert set(live.json["prompt_versions"]) == {"mindtrip/answer", "mindtrip/rewrite_negation"}
    again = run(*asked, "--base-url", server.base_url, "--replay", tmp_path / "calls")
    same = set(OUTPUT) - {"run_id", "timings_ms", "usage"}
    assert {name: again.json[name] for name in same} == {name: live.json[name] for name in same}


def test_a_model_that_is_down_ends_the_command_with_its_address(kb: Path) -> None:
    done = run("ask", SURF, "--kb", kb, "--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1")
    assert done.code == 1
    assert "127.0.0.1:9" in done.err
    assert "Traceback" not in done.err


def test_doctor_asks_the_model(home: Path) -> None:
    with ChatServer([structured({"ready": True})]) as server:
        done = run("doctor", "--model", "openai:m", "--base-url", server.base_url, "--json")
    assert (done.code, done.json["model_reachable"]) == (0, True)
    with ChatServer([status(401)]) as server:
        done = run("doctor", "--model", "openai:m", "--base-url", server.base_url, "--json")
    assert (done.code, done.json["model_reachable"]) == (3, False)
    assert done.json["model_reason"]
