from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from mindatlas.evals import files
from mindatlas.evals.files import read_jsonl
from mindatlas.evals.learning import merging
from mindatlas.evals.learning.merging import MergeReport, merge
from mindatlas.evals.learning.proposals import draft_id
from mindatlas.evals.learning.review import accept, edit, find_draft, reject
from mindatlas.evals.learning.review_terminal import go_through
from mindatlas.evals.learning.store import open_store
from mindatlas.evals.learning.suite_text import listed_with, raised
from mindatlas.evals.suite import read_suite
from mindatlas.nodes.errors import StoreError, UsageError
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from tests.evals.learning.drafts import CASE, complain, draft, drafts, write_suite

QUESTIONS = ("故宫门票多少钱", "三亚和万宁哪个更适合冲浪")
PALACE, SURF = (draft_id("mindtrip", question) for question in QUESTIONS)


@pytest.fixture
def suite(home: Path, places: KnowledgeBase, tmp_path: Path) -> Path:
    """A suite of one case, and two drafts that wait."""
    path = write_suite(tmp_path)
    for question in QUESTIONS:
        complain(question)
    draft(places.folder, path)
    return path


def decide(*accepted: str) -> None:
    with open_store() as store:
        for name in accepted:
            accept(store, name, who="王")


def merged(suite: Path, cases: Path | None = None) -> MergeReport:
    with open_store() as store:
        return merge(store, suite, cases)


def test_nothing_enters_the_set_unreviewed(suite: Path) -> None:
    before = suite.read_bytes()
    report = merged(suite)
    assert (report.merged, report.version) == ((), 3)
    assert suite.read_bytes() == before
    assert not (suite.parent / "cases" / "user_feedback.jsonl").exists()


def test_accepted_drafts_become_cases_and_raise_the_version(suite: Path) -> None:
    mode = suite.stat().st_mode
    decide(PALACE)
    report = merged(suite)
    assert (report.merged, report.version_before, report.version) == ((PALACE,), 3, 4)
    read = read_suite(suite)
    assert read.protocol_version == 4
    assert report.cases.stat().st_mode == suite.stat().st_mode == mode
    (new,) = [case for case in read.read_cases() if case.id == PALACE]
    assert (new.source, new.reviewed, new.query) == ("user_feedback", True, QUESTIONS[0])
    assert suite.read_text(encoding="utf-8").startswith("# a comment that stays\n")
    assert "protocol_version: 4 # raised by merging" in suite.read_text(encoding="utf-8")
    assert {queued.id: queued.state for queued in drafts()} == {PALACE: "merged", SURF: "waiting"}


def test_merging_again_changes_nothing_and_more_raises_again(suite: Path) -> None:
    decide(PALACE)
    merged(suite)
    before = (suite.read_bytes(), (suite.parent / "cases" / "user_feedback.jsonl").read_bytes())
    assert merged(suite).merged == ()
    assert (suite.read_bytes(), (suite.parent / "cases" / "user_feedback.jsonl").read_bytes()) == before
    decide(SURF)
    assert merged(suite).version == 5
    assert [line["id"] for line in read_jsonl(suite.parent / "cases" / "user_feedback.jsonl", "case")] == [
        PALACE,
        SURF,
    ]


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("writes", [0, 1])
def test_a_crash_between_the_writes_never_shows_new_cases_under_an_old_version(
    suite: Path, listed: bool, writes: int
) -> None:
    if listed:
        decide(PALACE)
        merged(suite)
    cases, version = len(read_suite(suite).read_cases()), read_suite(suite).protocol_version
    decide(PALACE, SURF) if not listed else decide(SURF)
    done: list[Any] = []

    def write(original: Any) -> Any:
        def once(*arguments: Any) -> None:
            if len(done) == writes:
                raise OSError(28, "No space left on device")
            original(*arguments)
            done.append(arguments)

        return once

    with (
        mock.patch.object(merging, "write_file", write(files.write_file)),
        mock.patch.object(merging, "_write_cases", write(merging._write_cases)),
        pytest.raises(StoreError, match="No space left"),
    ):
        merged(suite)
    crashed = read_suite(suite)
    assert len(crashed.read_cases()) == cases or crashed.protocol_version > version
    assert "accepted" in {queued.state for queued in drafts()}
    assert merged(suite).version > version
    assert {queued.state for queued in drafts()} == {"merged"}
    assert len(read_suite(suite).read_cases()) == 3


def test_an_id_that_stands_elsewhere_in_the_suite_is_refused(suite: Path, tmp_path: Path) -> None:
    write_suite(tmp_path, cases=[CASE, {**CASE, "id": PALACE}])
    decide(PALACE)
    with pytest.raises(UsageError, match=PALACE):
        merged(suite)
    assert read_suite(suite).protocol_version == 3


def test_a_suite_of_another_graph_is_refused(suite: Path, tmp_path: Path) -> None:
    decide(PALACE)
    other = write_suite(tmp_path / "other", graph="atlassplit")
    with pytest.raises(UsageError, match="mindtrip"):
        merged(other)


def test_decisions_say_who_and_when_and_why(suite: Path) -> None:
    with open_store() as store:
        reject(store, PALACE, reason="不清楚，电话13812345678", who="李")
        accept(store, PALACE, who="王")
        decisions = find_draft(store, PALACE).decisions
    assert [(d["who"], d["action"], d["reason"]) for d in decisions] == [
        ("李", "reject", "不清楚，电话[PHONE]"), ("王", "accept", ""),
    ]  # fmt: skip
    assert all(d["at"].endswith("+00:00") for d in decisions)


def test_an_edited_case_keeps_its_id_and_is_checked(suite: Path) -> None:
    with open_store() as store:
        case = {**find_draft(store, PALACE).case, "expected": "60元", "note": "a@b.cn"}
        for wrong, message in (
            ({**case, "id": "other"}, "'other'"),
            ({**case, "case_type": "Not A Type"}, "case_type"),
            ({**case, "expected_context": [], "expected_entities": []}, "could not be scored"),
        ):
            with pytest.raises(UsageError, match=message):
                edit(store, PALACE, wrong, who="王")
        assert find_draft(store, PALACE).state == "waiting"
        edited = edit(store, PALACE, {**case, "source": "hand"}, who="王")
    assert (edited.state, edited.case["expected"], edited.case["source"]) == (
        "accepted",
        "60元",
        "user_feedback",
    )
    assert edited.case["note"] == "[MAIL]"


def test_what_is_merged_is_decided_no_more(suite: Path) -> None:
    decide(PALACE)
    merged(suite)
    with open_store() as store, pytest.raises(UsageError, match="merged"):
        reject(store, PALACE, reason="doch nicht", who="王")


def test_wrong_decisions_are_named(suite: Path) -> None:
    with open_store() as store:
        with pytest.raises(UsageError, match="'nothing'"):
            accept(store, "nothing", who="王")
        with pytest.raises(UsageError, match="reason"):
            reject(store, PALACE, reason=" ", who="王")
        with pytest.raises(UsageError, match="name"):
            accept(store, PALACE, who="")


def test_going_through_the_queue_in_a_terminal(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replies = iter(["x", "r", "", "r", "zu vage", "a"])
    with open_store() as store:
        waiting = drafts("waiting")
        go_through(store, waiting, who="王", ask=lambda _: next(replies))
    assert [find.state for find in (next(d for d in drafts() if d.id == w.id) for w in waiting)] == [
        "rejected",
        "accepted",
    ]
    assert QUESTIONS[0] in capsys.readouterr().out


def test_a_damaged_store_loses_no_case(suite: Path, home: Path) -> None:
    decide(PALACE)
    before = suite.read_bytes()
    with sqlite3.connect(home / "feedback.sqlite") as connection:
        connection.execute("DROP TABLE decisions")
    connection.close()
    with pytest.raises(StoreError, match="no such table"):
        merged(suite)
    assert suite.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["{protocol_version: 3, cases: [a.jsonl]}", "protocol_version:\n  3\ncases: [a.jsonl]\n"]
)
def test_a_suite_written_otherwise_is_left_to_the_user(text: str) -> None:
    with pytest.raises(UsageError, match="by hand"):
        listed_with(raised(text, Path("s.yaml")), "b.jsonl", Path("s.yaml"))


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("cases:\n- a.jsonl\nx: 1\n", "cases:\n- a.jsonl\n- b c.jsonl\nx: 1\n"),
        ("cases:\n  # why\n  - a.jsonl # first\n  - d.jsonl", "cases:\n  # why\n  - a.jsonl # first\n  - d.jsonl\n  - b c.jsonl\n"),
    ],
)  # fmt: skip
def test_a_case_file_is_listed_last(text: str, listed: str) -> None:
    assert listed_with(text, "b c.jsonl", Path("s.yaml")).replace('"', "") == listed


def test_cases_are_one_json_object_a_line(suite: Path, tmp_path: Path) -> None:
    decide(PALACE)
    report = merged(suite, tmp_path / "cases" / "mine.jsonl")
    (line,) = report.cases.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["id"] == PALACE
    assert read_suite(suite).cases[-1].resolve() == report.cases.resolve()
