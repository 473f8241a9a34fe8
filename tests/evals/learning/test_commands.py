from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from tests.chat_server import MODEL, ChatServer, structured
from tests.evals.learning.drafts import drafts, write_suite
from tests.graphs.command import run


@pytest.fixture
def answered(home: Path, places: KnowledgeBase, tmp_path: Path) -> Path:
    """The output of a real question about a price."""
    done = run("ask", "故宫门票多少钱", "--kb", places.folder, "--json")
    path = tmp_path / "answer.json"
    path.write_text(done.out, encoding="utf-8")
    return path


def test_from_an_answer_to_a_case(answered: Path, places: KnowledgeBase, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "set")
    (name,) = run("feedback", "add", answered, "--thumbs", "down", "--comment", "票价过期了", "--json").json[
        "feedback"
    ]
    assert name
    drafted = run("feedback", "draft", "--kb", places.folder, "--suite", suite, "--json").json
    (draft,) = drafted["drafted"]
    assert drafted["kinds"][0] == {"kind": "price", "feedback": 1, "cases": 0}
    listed = run("feedback", "review").out
    assert "price (NEW: no existing case)" in listed
    assert "wrong_figure" in listed
    (queued,) = run("feedback", "review", "--json").json["drafts"]
    assert (queued["id"], queued["failure"], queued["case"]["expected_entities"][0]) == (
        draft,
        "wrong_figure",
        "故宫",
    )
    (accepted,) = run("feedback", "review", "--accept", draft, "--by", "王", "--json").json["drafts"]
    assert accepted["decisions"][0]["who"] == "王"
    merged = run("feedback", "merge", "--suite", suite, "--json").json
    assert (merged["merged"], merged["version"]) == ([draft], 4)
    assert "already" in run("feedback", "merge", "--suite", suite).out
    assert run("feedback", "stats", "--json").json["merged"] == 1
    assert "collected 1 -> drafted 1 -> accepted 1 -> merged 1" in run("feedback", "stats").out


def test_the_settings_of_a_remembered_run_are_hashed(answered: Path) -> None:
    run("feedback", "add", answered, "--thumbs", "up")
    from mindatlas.evals.learning.store import open_store

    with open_store() as store:
        (row,) = store.rows("SELECT * FROM feedback")
    assert row["run_id"] == json.loads(answered.read_text(encoding="utf-8"))["run_id"]
    assert len(row["settings_hash"]) == 64
    assert json.loads(row["passages"])[0]["id"] == "palace"


def test_edit_reject_and_delete(answered: Path, places: KnowledgeBase, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "set")
    run_id = json.loads(answered.read_text(encoding="utf-8"))["run_id"]
    run("feedback", "add", answered, "--thumbs", "down")
    run("feedback", "draft", "--kb", places.folder, "--suite", suite)
    (queued,) = drafts()
    assert (
        "zu vage" in run("feedback", "review", "--reject", queued.id, "--reason", "zu vage", "--by", "李").out
    )
    case = tmp_path / "case.json"
    case.write_text(json.dumps({**queued.case, "expected": "60元"}), encoding="utf-8")
    assert run("feedback", "review", "--edit", queued.id, "--case", case, "--by", "王").code == 0
    assert [(d["action"], d["who"]) for d in drafts()[0].decisions] == [("reject", "李"), ("edit", "王")]
    assert "Deleted 1 pieces of feedback and 1 drafts" in run("feedback", "delete", "--run", run_id).out
    assert run("feedback", "delete", "--run", run_id).code == 1
    assert run("feedback", "delete", "--retention", 30, "--expired").code == 0


def test_an_empty_store_is_no_error(home: Path, tmp_path: Path) -> None:
    assert run("feedback", "review", "--json").json == {"drafts": []}
    assert "feedback draft" in run("feedback", "review").out
    assert run("feedback", "stats", "--json").json["down"] == 0
    assert run("feedback", "draft", "--json").json == {
        "drafted": [],
        "joined": {},
        "covered": [],
        "kinds": [],
    }
    merged = run("feedback", "merge", "--suite", write_suite(tmp_path), "--json").json
    assert (merged["merged"], merged["version_before"], merged["version"]) == ([], 3, 3)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["add"], 2, "--question"),
        (["add", "--question", "x"], 2, "--thumbs"),
        (["add", "nowhere.json", "--thumbs", "up"], 2, "nowhere.json"),
        (["delete"], 2, "--run"),
        (["review", "--edit", "x"], 2, "--case"),
        (["review", "--reject", "x"], 2, "--reason"),
        (["review", "--accept", "x", "--by", "me"], 2, "no draft 'x'"),
        (["merge", "--suite", "nothing"], 2, "no suite 'nothing'"),
        (["draft", "--model", "faulty"], 2, "faulty"),
        (["import", "nowhere.jsonl"], 2, "nowhere.jsonl"),
    ],
)
def test_wrong_use_is_named(home: Path, arguments: list[str], code: int, message: str) -> None:
    done = run("feedback", *arguments)
    assert done.code == code
    assert message in done.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("{broken", "line 1"),
        ('{"question": "a", "passages": []}\nbroken', "line 2"),
        ('{"x": 1}', "'question'"),
        ('{"question": "a", "passages": []}\n{"question": "b"}', "no known graph"),
        ('{"question": "a", "passages": []}\n{"question": "b", "passages": [], "thumbs": "?"}', "'?'"),
    ],
)
def test_a_broken_output_stores_nothing(home: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "output.json"
    path.write_text(text, encoding="utf-8")
    done = run("feedback", "add", path, "--thumbs", "up")
    assert (done.code, message in done.err) == (2, True)
    assert run("feedback", "stats", "--json").json["up"] == 0


def test_the_page_needs_nothing_from_the_network(
    answered: Path, places: KnowledgeBase, tmp_path: Path
) -> None:
    run("feedback", "add", answered, "--thumbs", "down")
    run("feedback", "draft", "--kb", places.folder, "--suite", write_suite(tmp_path / "set"))
    page, again = tmp_path / "stats.html", tmp_path / "again.html"
    assert run("feedback", "stats", "--plot", page).code == 0
    run("feedback", "stats", "--plot", again)
    text = page.read_text(encoding="utf-8")
    assert again.read_text(encoding="utf-8") == text
    assert text.count("<svg") == 2
    assert ">price</text>" in text
    assert not [mark for mark in ("<script", "src=", "@import", "<link") if mark in text]
    for part in text.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>")


def test_a_page_that_cannot_be_written_is_named(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    done = run("feedback", "stats", "--plot", folder)
    assert done.code == 2
    assert "folder" in done.err


def test_a_chat_model_over_http_tells_the_failure_and_an_absent_one_loses_nothing(
    answered: Path, places: KnowledgeBase, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "set")
    run("feedback", "add", answered, "--thumbs", "down")
    reply = structured({"type": "time_limited", "reason": "zu knapp"})
    with ChatServer([reply]) as server:
        common = ("feedback", "draft", "--kb", places.folder, "--suite", suite, "--model", f"openai:{MODEL}")
        gone = run(*common, "--base-url", "http://127.0.0.1:9/v1")
        assert (gone.code, "127.0.0.1:9" in gone.err) == (1, True)
        assert run("feedback", "stats", "--json").json["pending"] == 1
        assert run(*common, "--base-url", server.base_url).code == 0
    (queued,) = drafts()
    assert (queued.failure, queued.reason) == ("time_limited", "zu knapp")
