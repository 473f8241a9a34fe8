from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.graphs.command import run, run_process

SURF = "万宁除了日月湾还有什么冲浪的地方？"
OUTPUT = {
    "run_id", "question", "model", "prompt_versions", "rewritten_query", "exclude_entities", "exclude_reason", "filters",
    "answer", "citations", "passages", "candidates", "set_aside", "notices", "stop_reason", "path", "timings_ms", "usage",
}  # fmt: skip


def test_json_is_one_object_on_stdout_as_the_contract_says(kb: Path) -> None:
    done = run("ask", SURF, "--kb", kb, "--json")
    assert done.code == 0
    assert set(done.json) == OUTPUT
    assert done.json["exclude_entities"] == ["日月湾"]
    assert done.json["passages"][0]["entity"] == "石梅湾"
    assert "日月湾" not in {passage["entity"] for passage in done.json["passages"]}


def test_text_is_the_answer_and_its_sources_with_notices_on_stderr(kb: Path) -> None:
    done = run("ask", "推荐万宁评分4.7以上能冲浪的海湾", "--kb", kb, "--model", "faulty:1")
    assert done.code == 0
    assert "[shimei]" in done.out
    assert done.out.splitlines()[-1].strip() == "[shimei] 石梅湾"
    assert "note: " in done.err
    assert "note: " not in done.out


def test_an_error_is_said_on_stderr_without_a_traceback(kb: Path) -> None:
    done = run("ask", "", "--kb", kb)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("mindatlas: The question is empty")
    assert len(done.err.splitlines()) == 1


def test_an_error_is_an_object_where_json_was_asked_for(kb: Path) -> None:
    done = run("ask", "湾" * 10_000, "--kb", kb, "--json")
    assert done.code == 2
    assert done.json["error"]["type"] == "UsageError"
    assert "10,000" in done.json["error"]["message"]
    assert "10,000" in done.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ask", "哪里能冲浪？", "--kb", "KB"], 0),
        (["ask", "哪里有滑雪场？", "--kb", "KB"], 1),
        (["ask", "🏄🏄🏄", "--kb", "KB"], 1),
        (["ask", "  ", "--kb", "KB"], 2),
        (["ask", "冲浪", "--kb", "KB", "--filter", "三亚"], 2),
        (["ask", "冲浪", "--kb", "KB", "--filter", "weather=sunny"], 2),
        (["ask", "冲浪", "--kb", " "], 2),
        (["ask", "冲浪", "--kb", "KB", "--model", "bogus"], 2),
        (["ask", "冲浪", "--kb", "KB", "--reranker", "bogus"], 2),
        (["ask", "冲浪", "--kb", "KB", "--disable", "bogus"], 2),
        (["ask", "冲浪", "--kb", "KB", "--base-url", "localhost"], 2),
        (["ask", "冲浪", "--kb", "KB", "--no-such-option"], 2),
        (["ask", "冲浪", "--kb", "KB", "--resume"], 2),
        (["ask", "冲浪", "--kb", "nowhere"], 3),
        (["ask", "冲浪", "--kb", "KB", "--model", "openai:any"], 3),
        (["ask", "冲浪", "--kb", "KB", "--model", "openai:any", "--replay", "nowhere"], 3),
        (["kb", "info", "nowhere"], 3),
        (["kb", "delete", "nowhere", "--yes"], 2),
        (["kb", "delete", "KB"], 2),
        (["draw", "nothing"], 2),
        (["resume", "nothing"], 2),
        (["resume", "../x"], 2),
        (["no-such-command"], 2),
        (["ingest", "nowhere.md", "--kb", "new"], 2),
        (["ingest", "nowhere.md"], 2),
    ],
)
def test_exit_codes(kb: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = run(*(str(kb) if argument == "KB" else argument for argument in arguments))
    assert done.code == code, done.err
    assert "Traceback" not in done.err
    assert code == 0 or done.err or done.out


def test_a_filter_holds(kb: Path) -> None:
    done = run("ask", "哪里能冲浪？", "--kb", kb, "--filter", "city=三亚", "--filter", "price<=10", "--json")
    assert [passage["id"] for passage in done.json["passages"]] == ["houhai"]
    assert done.json["filters"] == {"city": "三亚", "price": {"max": 10}}
    unknown = run("ask", "哪里能冲浪？", "--kb", kb, "--filter", "weather=sunny")
    assert "'weather'" in unknown.err
    assert "city" in unknown.err


def test_steps_are_shown_on_stderr_and_then_the_verified_text(kb: Path) -> None:
    done = run("ask", "哪里能冲浪？", "--kb", kb, "--stream")
    steps = [line.removeprefix("· ") for line in done.err.splitlines() if line.startswith("· ")]
    assert steps[0] == "resolve_followup"
    assert steps[-1] == "verify_answer"
    assert "[shimei]" in done.out


def test_a_chat_answers_line_by_line_with_memory(kb: Path) -> None:
    done = run("ask", "--kb", kb, stdin="万宁哪里能冲浪？\n还有别的吗\n\n哪里能冲浪？\n")
    assert done.code == 0
    first, *_ = done.out.splitlines()
    assert "石梅湾" in first or "日月湾" in first
    assert done.out.count("[houhai]") == 0, "the empty line ends the chat"


def test_a_chat_goes_on_after_a_bad_question(kb: Path) -> None:
    done = run("ask", "--kb", kb, stdin="湾" * 10_000 + "\n万宁哪里能冲浪？\n")
    assert done.code == 0
    assert "10,000" in done.err
    assert "石梅湾" in done.out


@pytest.mark.slow
def test_the_command_in_a_process_of_its_own(kb: Path, home: Path) -> None:
    answered = run_process("ask", SURF, "--kb", kb, "--json")
    assert (answered.code, answered.json["stop_reason"]) == (0, "answered")
    assert answered.err == ""
    refused = run_process("ask", "哪里有滑雪场？", "--kb", kb)
    assert refused.code == 1
    wrong = run_process("ask", "", "--kb", kb, "--json")
    assert (wrong.code, wrong.json["error"]["type"]) == (2, "UsageError")
    missing = run_process("ask", "冲浪", "--kb", "nowhere")
    assert missing.code == 3
    assert all("Traceback" not in done.err for done in (refused, wrong, missing))


@pytest.mark.slow
def test_output_into_a_closed_pipe_ends_quietly(kb: Path) -> None:
    import subprocess

    command = [sys.executable, "-m", "mindatlas.graphs", "draw", "mindtrip"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read().decode()
        process.wait(timeout=60)
    assert "Traceback" not in errors
    assert process.returncode in {0, 1}


def test_no_machine_path_stands_in_an_answer(kb: Path) -> None:
    done = run("ask", SURF, "--kb", kb, "--json")
    assert not re.search(re.escape(str(kb)), json.dumps(done.json))
