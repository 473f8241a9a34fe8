from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mindatlas.graphs import mindtrip_commands
from mindatlas.graphs.mindtrip import MindTripSettings
from mindatlas.graphs.runs import run as run_graph
from tests.graphs.command import run


def batch(path: Path, *lines: dict[str, Any] | str) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def line(name: Any, question: str = "哪里能冲浪？", **more: Any) -> dict[str, Any]:
    return {"id": name, "question": question, **more}


def stored(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_bytes().splitlines()]


def test_results_stand_in_the_order_of_the_input(kb: Path, tmp_path: Path) -> None:
    questions = batch(
        tmp_path / "q.jsonl", line("b"), line("a", "哪里有滑雪场？"), line(3, "故宫门票多少钱？")
    )
    done = run("ask", "--batch", questions, "--kb", kb)
    assert done.code == 0
    assert [result["id"] for result in done.lines] == ["b", "a", 3]
    assert [result["stop_reason"] for result in done.lines] == ["answered", "nothing_supported", "answered"]
    assert len({result["run_id"] for result in done.lines}) == 3
    assert done.err == ""


@pytest.mark.parametrize(
    ("bad", "name", "error"),
    [
        (line("x", ""), "x", "UsageError"),
        (line("x", "湾" * 10_000), "x", "UsageError"),
        (line("x", filters={"weather": "sunny"}), "x", "UsageError"),
        (line("x", filters=["city"]), "x", "UsageError"),
        ({"id": "x"}, "x", "UsageError"),
        ({"id": "x", "question": 7}, "x", "UsageError"),
        (line("x", history=["no message"]), "x", "UsageError"),
        ("{broken", "line-2", "UsageError"),
        ("[1]", "line-2", "UsageError"),
        ('{"question": "no id"}', "line-2", "UsageError"),
    ],
)
def test_a_bad_line_never_stops_the_rest(
    kb: Path, tmp_path: Path, bad: dict[str, Any] | str, name: str, error: str
) -> None:
    done = run("ask", "--batch", batch(tmp_path / "q.jsonl", line(1), bad, line(2)), "--kb", kb)
    assert done.code == 1
    first, failed, last = done.lines
    assert (first["id"], last["id"]) == (1, 2)
    assert first["stop_reason"] == last["stop_reason"] == "answered"
    assert set(failed) == {"id", "error"}
    assert (failed["id"], failed["error"]["type"]) == (name, error)
    assert failed["error"]["message"]


def test_blank_lines_are_skipped_and_an_empty_batch_is_done(kb: Path, tmp_path: Path) -> None:
    assert len(run("ask", "--batch", batch(tmp_path / "q.jsonl", "", line(1), "  "), "--kb", kb).lines) == 1
    empty = run("ask", "--batch", batch(tmp_path / "empty.jsonl"), "--kb", kb)
    assert (empty.code, empty.out) == (0, "")


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_a_line_ends_at_a_newline_only(kb: Path, tmp_path: Path, separator: str) -> None:
    """JSON may hold U+2028 and its like unescaped; they are no ends of lines."""
    questions = batch(tmp_path / "q.jsonl", line(1, f"哪里能{separator}冲浪？"))
    done = run("ask", "--batch", questions, "--kb", kb)
    assert [result.get("stop_reason") for result in done.lines] == ["answered"]


def test_each_line_has_its_own_filters(kb: Path, tmp_path: Path) -> None:
    questions = batch(
        tmp_path / "q.jsonl", line(1, filters={"city": "三亚"}), line(2), line(3, filters={"rating": ">=4.7"})
    )
    first, second, third = run("ask", "--batch", questions, "--kb", kb).lines
    assert {passage["id"] for passage in first["passages"]} == {"houhai"}
    assert len(second["passages"]) == 3
    assert "riyue" not in {passage["id"] for passage in third["passages"]}


def test_a_filter_of_the_command_is_not_dropped_silently(kb: Path, tmp_path: Path) -> None:
    questions = batch(tmp_path / "q.jsonl", line(1))
    done = run("ask", "--batch", questions, "--kb", kb, "--filter", "city=三亚")
    assert done.code == 2 or {passage["id"] for passage in done.lines[0]["passages"]} == {"houhai"}


def test_lines_of_one_thread_are_one_conversation(kb: Path, tmp_path: Path) -> None:
    questions = batch(
        tmp_path / "q.jsonl",
        line(1, "万宁哪里能冲浪？", thread="a"),
        line(2, "三亚哪里能冲浪？", thread=7),
        line(3, "那三亚呢？", thread="a"),
        line(4, "它怎么去？"),
    )
    first, second, third, fourth = run("ask", "--batch", questions, "--kb", kb).lines
    assert {passage["id"] for passage in first["passages"]} == {"riyue", "shimei"}
    assert third["rewritten_query"] == "三亚哪里能冲浪？"
    assert [p["id"] for p in third["passages"]] == [p["id"] for p in second["passages"]]
    assert fourth["rewritten_query"] == "它怎么去？", "a line without a thread stands alone"


def test_a_conversation_held_elsewhere_comes_with_its_line(kb: Path, tmp_path: Path) -> None:
    history = [{"role": "user", "content": "故宫好玩吗"}, {"role": "assistant", "content": "好玩。"}]
    done = run(
        "ask",
        "--batch",
        batch(tmp_path / "q.jsonl", line(1, "它的门票多少钱？", history=history)),
        "--kb",
        kb,
    )
    assert done.lines[0]["passages"][0]["id"] == "palace"


def test_results_go_to_a_file(kb: Path, tmp_path: Path) -> None:
    questions, out = batch(tmp_path / "q.jsonl", line(1), line(2)), tmp_path / "out.jsonl"
    done = run("ask", "--batch", questions, "--kb", kb, "--out", out)
    assert (done.code, done.out) == (0, "")
    assert [result["id"] for result in stored(out)] == [1, 2]


def test_resume_skips_what_is_there_and_cuts_off_half_a_line(kb: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    questions = batch(tmp_path / "q.jsonl", line("一"), line(2), line("三", ""), line(4))
    run(
        "ask",
        "--batch",
        batch(tmp_path / "first.jsonl", line("一"), line("三", "")),
        "--kb",
        kb,
        "--out",
        out,
    )
    before = out.read_bytes()
    out.write_bytes(before + '{"id": 2, "question": "哪'.encode()[:-1])
    done = run("ask", "--batch", questions, "--kb", kb, "--out", out, "--resume")
    assert done.code == 0
    assert out.read_bytes().startswith(before)
    assert [result["id"] for result in stored(out)] == ["一", "三", 2, 4]
    assert run("ask", "--batch", questions, "--kb", kb, "--out", out, "--resume").code == 0
    assert len(stored(out)) == 4


def test_resume_goes_on_after_a_run_that_was_interrupted(
    kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions, out = batch(tmp_path / "q.jsonl", *(line(n) for n in range(4))), tmp_path / "out.jsonl"
    answered = run_graph

    def interrupted(*given: Any, **named: Any) -> Any:
        if out.read_bytes().count(b"\n") == 2:
            raise KeyboardInterrupt
        return answered(*given, **named)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(mindtrip_commands, "run", interrupted)
        mindtrip_commands.ask_batch(MindTripSettings(kb=str(kb)), questions, out, resume=False)
    assert [result["id"] for result in stored(out)] == [0, 1]
    assert run("ask", "--batch", questions, "--kb", kb, "--out", out, "--resume").code == 0
    assert [result["id"] for result in stored(out)] == [0, 1, 2, 3]


def test_an_output_that_exists_is_not_overwritten(kb: Path, tmp_path: Path) -> None:
    questions, out = batch(tmp_path / "q.jsonl", line(1)), tmp_path / "out.jsonl"
    out.write_text("precious\n")
    done = run("ask", "--batch", questions, "--kb", kb, "--out", out)
    assert done.code == 2
    assert out.read_text() == "precious\n"
    assert "--resume" in done.err


def test_an_output_that_is_no_batch_output_is_not_gone_on_with(kb: Path, tmp_path: Path) -> None:
    questions, out = batch(tmp_path / "q.jsonl", line(1)), tmp_path / "out.jsonl"
    out.write_text("precious\n")
    done = run("ask", "--batch", questions, "--kb", kb, "--out", out, "--resume")
    assert done.code == 2
    assert out.read_text() == "precious\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--batch", "nowhere.jsonl"],
        ["--batch", "Q", "--resume"],
        ["--batch", "Q", "--out", "nowhere/out.jsonl"],
        ["--batch", "FOLDER"],
    ],
)
def test_wrong_use_is_said(
    kb: Path, tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"Q": str(batch(tmp_path / "q.jsonl", line(1))), "FOLDER": str(tmp_path)}
    done = run("ask", "--kb", kb, *(names.get(argument, argument) for argument in arguments))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("mindatlas: ")


def test_a_bug_in_one_line_does_not_lose_the_others(
    kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = run_graph

    def buggy(graph: Any, inputs: Any, **named: Any) -> Any:
        if "故宫" in inputs["question"]:
            raise ZeroDivisionError("a bug")
        return answered(graph, inputs, **named)

    monkeypatch.setattr(mindtrip_commands, "run", buggy)
    questions = batch(tmp_path / "q.jsonl", line(1), line(2, "故宫"), line(3))
    done = run("ask", "--batch", questions, "--kb", kb)
    assert done.code == 1
    assert done.lines[1] == {"id": 2, "error": {"type": "ZeroDivisionError", "message": "a bug"}}
    assert done.lines[2]["stop_reason"] == "answered"
