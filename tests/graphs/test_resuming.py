from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mindatlas.graphs import mindtrip_commands
from mindatlas.graphs.mindtrip import MindTripParts, MindTripSettings, open_parts
from mindatlas.nodes.mindtrip.parts.answers import AnswerRequest, Claim
from tests.graphs.command import Done, run


class Killed(BaseException):
    """What a killed process looks like from inside: nobody catches it."""


class Deadly:
    def answer(self, request: AnswerRequest) -> Sequence[Claim]:
        raise Killed


def deadly(settings: MindTripSettings) -> MindTripParts:
    return replace(open_parts(settings), answerer=lambda _: Deadly())


def run_ids(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "runs").iterdir())


def killed(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(mindtrip_commands, "open_parts", deadly)
        run(*arguments)


def test_a_run_that_was_killed_goes_on_where_it_stopped(
    kb: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(monkeypatch, "ask", "万宁除了日月湾哪里能冲浪？", "--kb", kb)
    (run_id,) = run_ids(home)
    done = run("resume", run_id, "--json")
    assert done.code == 0, done.err
    assert done.json["run_id"] == run_id
    assert done.json["stop_reason"] == "answered"
    assert done.json["exclude_entities"] == ["日月湾"]
    path = done.json["path"]
    assert len(path) == len(set(path)), "what was done before is not done again"
    assert path[-2:] == ["answer", "verify_answer"]


def test_a_run_of_a_thread_goes_on_in_its_thread(
    kb: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(monkeypatch, "ask", "万宁哪里能冲浪？", "--kb", kb, "--thread", "trip")
    (run_id,) = run_ids(home)
    assert run("resume", run_id).code == 0
    follow = run("ask", "那三亚呢？", "--kb", kb, "--thread", "trip", "--json")
    assert follow.json["rewritten_query"] == "三亚哪里能冲浪？"


def test_a_resumed_refusal_exits_as_the_command_would(
    kb: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(monkeypatch, "ask", "万宁哪里能冲浪？", "--kb", kb, "--model", "faulty:1")
    (run_id,) = run_ids(home)
    done = run("resume", run_id, "--json")
    assert (done.code, done.json["model"]) == (0, "faulty:1")


def test_a_run_that_has_ended_has_nothing_to_go_on_with(kb: Path, home: Path) -> None:
    done = run("ask", "哪里能冲浪？", "--kb", kb, "--json")
    again = run("resume", done.json["run_id"])
    assert again.code == 2
    assert done.json["run_id"] in again.err


def test_an_unknown_run_is_named(home: Path) -> None:
    done: Done = run("resume", "0123456789ab")
    assert done.code == 2
    assert "'0123456789ab'" in done.err


def test_the_run_id_is_told_before_anything_can_go_wrong(
    kb: Path, home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who cannot see the id of a run that died cannot resume it."""
    done = run("ask", "哪里？", "--kb", kb, "--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1")
    (run_id,) = run_ids(home)
    assert done.code == 1
    assert run_id in done.err


def test_a_record_of_a_newer_version_is_refused(kb: Path, home: Path) -> None:
    run_id = run("ask", "哪里能冲浪？", "--kb", kb, "--json").json["run_id"]
    record = home / "runs" / run_id / "run.json"
    record.write_text(record.read_text().replace('"format": 1', '"format": 9'))
    done = run("resume", run_id)
    assert done.code == 2
    assert "upgrade mindatlas" in done.err
