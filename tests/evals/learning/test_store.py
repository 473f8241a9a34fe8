from __future__ import annotations

import multiprocessing
import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindatlas.evals.learning.feedback import Feedback, keep, read_feedback, record_feedback
from mindatlas.evals.learning.retention import delete_run, purge, retention_days, set_retention
from mindatlas.evals.learning.store import FORMAT, FeedbackStore, open_store
from mindatlas.nodes.errors import SetupError, StoreError, UsageError
from tests.evals.learning.personal import PLANTED


def stored() -> list[Feedback]:
    with open_store() as store:
        return [read_feedback(row) for row in store.rows("SELECT * FROM feedback ORDER BY created, id")]


def raw(home: Path) -> bytes:
    """The bytes of the store and of its log."""
    return b"".join(path.read_bytes() for path in sorted(home.glob("feedback.sqlite*")))


def test_what_is_recorded_is_kept(home: Path) -> None:
    name = record_feedback(
        "哪里看海", "三亚湾", "down", comment="不全", passages=[{"id": "a", "entity": "三亚湾", "text": "看海"}],
        tool_rows=[{"n": 1}], run_id="abc123", model="builtin", settings={"kb": "hainan"}, stop_reason="answered",
        created=datetime(2026, 12, 1, 8, tzinfo=UTC),
    )  # fmt: skip
    (feedback,) = stored()
    assert (feedback.id, feedback.run_id, feedback.model, feedback.graph) == (
        name,
        "abc123",
        "builtin",
        "mindtrip",
    )
    assert (feedback.created, feedback.thumbs, feedback.comment) == (
        "2026-12-01T08:00:00+00:00",
        "down",
        "不全",
    )
    assert feedback.passages == [{"id": "a", "entity": "三亚湾", "text": "看海"}]
    assert feedback.tool_rows == [{"n": 1}]
    assert feedback.settings_hash is not None
    assert len(feedback.settings_hash) == 64


@given(
    planted=PLANTED,
    place=st.sampled_from(
        ["question", "answer", "comment", "model", "passages", "tool_rows", "run_id", "settings"]
    ),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_planted_personal_data_never_reaches_the_disk(
    home: Path, planted: tuple[str, str], place: str
) -> None:
    written, secret = planted
    values: dict[str, Any] = {
        "question": f"请问 {written} 好吗", "answer": written, "comment": written, "model": written, "run_id": written,
        "passages": [{"text": f"见 {written}。", written: 1}], "tool_rows": [[written]], "settings": {"note": written},
    }  # fmt: skip
    record_feedback(**{"question": "哪里", "answer": "那里", "thumbs": "down", place: values[place]})
    assert secret.encode() not in raw(home)


def test_numbers_in_rows_never_reach_the_disk_either(home: Path) -> None:
    record_feedback(
        "谁", "他", "down", tool_rows=[{"电话": 13812345678, "姓名": "瞿娜娜", "卡": 4111111111111111}]
    )
    content = raw(home)
    assert not [
        secret for secret in ("13812345678", "瞿娜娜", "4111111111111111") if secret.encode() in content
    ]
    assert b"[PHONE]" in content


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"question": " "}, "question"),
        ({"thumbs": "sideways"}, "'sideways'"),
        ({"graph": "other"}, "'other'"),
        ({"settings_hash": "13812345678"}, "SHA-256"),
    ],
)
def test_wrong_feedback_is_named(home: Path, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        record_feedback(**{"question": "哪里", "answer": "那里", "thumbs": "down", **wrong})


def _write(count: int, writer: int) -> None:
    for number in range(count):
        record_feedback(f"问 {writer} {number}", "答", "down", run_id=f"run-{writer}-{number}")


def _write_at_once(count: int) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(count, writer)) for writer in range(2)]
    for process in writers:
        process.start()
    for process in writers:
        process.join()
    assert [process.exitcode for process in writers] == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("count", [5000])
def test_two_writers_lose_nothing(home: Path, count: int) -> None:
    _write_at_once(count)
    runs = {feedback.run_id for feedback in stored()}
    assert runs == {f"run-{writer}-{number}" for writer in range(2) for number in range(count)}


def test_a_store_that_was_moved_away_is_made_anew(home: Path) -> None:
    record_feedback("一", "", "up")
    for path in home.glob("feedback.sqlite*"):
        path.unlink()
    record_feedback("二", "", "up")
    assert [feedback.question for feedback in stored()] == ["二"]


def test_a_newer_store_is_refused(home: Path) -> None:
    home.mkdir()
    with sqlite3.connect(home / "feedback.sqlite") as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    with pytest.raises(StoreError, match="upgrade mindatlas"):
        record_feedback("哪里", "", "up")


def test_a_file_that_is_no_store_is_refused_and_left_alone(home: Path) -> None:
    home.mkdir()
    (home / "feedback.sqlite").write_bytes(b"no database, but of some length, so that it is read" * 30)
    before = raw(home)
    with pytest.raises(StoreError, match="no store of mindatlas"):
        record_feedback("哪里", "", "up")
    assert raw(home) == before


def test_a_folder_that_cannot_be_made_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINDATLAS_HOME", "/proc/nowhere/home")
    with pytest.raises(SetupError, match="MINDATLAS_HOME"):
        record_feedback("哪里", "", "up")


def _fill(store: FeedbackStore) -> None:
    pages = store.rows("PRAGMA page_count")[0][0]
    store.rows(f"PRAGMA max_page_count = {pages}")


def _lock(store: FeedbackStore) -> None:
    store.rows("PRAGMA query_only = ON")


@pytest.mark.parametrize(
    ("spoil", "message"), [(_fill, "full.*free some space"), (_lock, "readonly.*writable")]
)
def test_a_disk_that_takes_nothing_is_named_and_loses_nothing(
    home: Path, spoil: Callable[[FeedbackStore], None], message: str
) -> None:
    with open_store() as store:
        one = Feedback(
            id="1", created="2026-12-01T00:00:00+00:00", graph="mindtrip", thumbs="down", question="先"
        )
        keep(store, [one])
        spoil(store)
        many = [
            Feedback(**{**vars(one), "id": str(number), "answer": "长" * 4000}) for number in range(2, 40)
        ]
        with pytest.raises(StoreError, match=message):
            keep(store, many)
    assert [feedback.id for feedback in stored()] == ["1"]


def test_deleting_a_run_leaves_no_byte_of_it(home: Path) -> None:
    record_feedback("秘密的问题", "秘密的回答", "down", run_id="gone")
    record_feedback("别的问题", "别的", "down", run_id="stays")
    with open_store() as store:
        deletion = delete_run(store, "gone")
    assert deletion.feedback == 1
    assert [feedback.run_id for feedback in stored()] == ["stays"]
    assert "秘密的".encode() not in raw(home)


def test_a_run_id_with_a_phone_number_is_stored_hashed_and_still_deleted(home: Path) -> None:
    record_feedback("哪里", "", "down", run_id="order-13812345678")
    record_feedback("哪里", "", "down", run_id="order-13812345679")
    with open_store() as store:
        assert delete_run(store, "order-13812345678").feedback == 1
    assert len(stored()) == 1


def test_what_is_older_than_the_retention_goes(home: Path) -> None:
    now = datetime(2026, 12, 1, tzinfo=UTC)
    for days in (0, 29, 31):
        record_feedback(f"{days}", "", "up", created=now - timedelta(days=days))
    with open_store() as store:
        assert purge(store, now=now).feedback == 0  # nothing is set
        set_retention(store, 30)
        assert retention_days(store) == 30
        assert purge(store, now=now).feedback == 1
        set_retention(store, 0)
        assert retention_days(store) is None
        with pytest.raises(UsageError, match="-1"):
            set_retention(store, -1)
    assert {feedback.question for feedback in stored()} == {"0", "29"}


def test_a_process_that_was_forked_opens_a_store_of_its_own(home: Path) -> None:
    record_feedback("从前", "", "up")
    child = os.fork()
    if child == 0:
        record_feedback("孩子", "", "up")
        os._exit(0)
    _, status = os.waitpid(child, 0)
    record_feedback("以后", "", "up")
    assert status == 0
    assert {feedback.question for feedback in stored()} == {"从前", "孩子", "以后"}
