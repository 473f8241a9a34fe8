"""Recording feedback: one call for hosts, one for the output of a command.

Example:
    >>> record_feedback("三亚哪里看日落？", "去蜈支洲岛。", "down", comment="问的是三亚湾")  # doctest: +SKIP
    '5f0c…'
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from mindatlas.evals.files import digest
from mindatlas.evals.learning.masking import mask, mask_text
from mindatlas.evals.learning.store import FeedbackStore, store_path
from mindatlas.nodes.errors import UsageError

Thumbs = Literal["up", "down"]
Graph = Literal["mindtrip", "atlassplit", "workdesk"]
Origin = Literal["user", "workdesk", "audit"]

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """One piece of feedback as it is stored, masked.

    Attributes:
        id: unique; the same import gives the same id.
        created: UTC, ISO 8601 to the second.
        passages: what the answer rested on (MindTrip), as the output holds it.
        tool_rows: the rows that tools or programs returned (Workdesk, AtlasSplit).
        run_id: the run it is about, as `run_key` wrote it.
        stop_reason: how the run ended, where it is known.
        imported_case: the draft that another tool made already, or what a failed run leaves for one.
    """

    id: str
    created: str
    graph: Graph
    thumbs: Thumbs
    question: str
    answer: str = ""
    passages: Sequence[Any] = ()
    tool_rows: Sequence[Any] = ()
    comment: str = ""
    run_id: str | None = None
    model: str = ""
    settings_hash: str | None = None
    stop_reason: str = ""
    origin: Origin = "user"
    imported_case: Mapping[str, Any] | None = None


def record_feedback(
    question: str,
    answer: str,
    thumbs: Thumbs,
    *,
    comment: str = "",
    passages: Sequence[Any] = (),
    tool_rows: Sequence[Any] = (),
    run_id: str | None = None,
    model: str = "",
    settings: Mapping[str, Any] | None = None,
    settings_hash: str | None = None,
    graph: Graph = "mindtrip",
    stop_reason: str = "",
    created: datetime | None = None,
) -> str:
    """Mask and store one piece of feedback under MINDATLAS_HOME and return its id; safe from many processes.

    Args:
        question: what was asked.
        answer: what was answered.
        thumbs: `up` is counted, `down` becomes a draft of a case.
        comment: what the user said about the answer.
        passages: the passages of the answer, as MindTrip's output holds them.
        tool_rows: rows that tools returned.
        run_id: the run, by which it can be deleted again.
        model: the model that answered.
        settings: the settings of the run; only their hash is stored.
        settings_hash: the SHA-256 of the settings in hex, where the host has no more than that.
        graph: which graph answered.
        stop_reason: how the run ended.
        created: when; now by default. Without a time zone it is taken as UTC.

    Raises:
        UsageError: the question is empty, or a value is none of its closed set.
        StoreError: the store cannot be written; nothing is.
    """
    if settings is not None:
        settings_hash = settings_digest(settings)
    feedback = Feedback(
        id=new_id(),
        created=time_stamp(created),
        graph=graph,
        thumbs=thumbs,
        question=question,
        answer=answer,
        passages=passages,
        tool_rows=tool_rows,
        comment=comment,
        run_id=run_id,
        model=model,
        settings_hash=settings_hash,
        stop_reason=stop_reason,
    )
    keep(_process_store(), [feedback])
    return feedback.id


def new_id() -> str:
    """Return a fresh id for feedback."""
    return uuid.uuid4().hex


def time_stamp(moment: datetime | None = None) -> str:
    """Return `moment` (now by default; without a time zone it is UTC) as it is stored: UTC, to the second."""
    moment = moment or datetime.now(UTC)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def settings_digest(settings: Mapping[str, Any]) -> str:
    """Return the SHA-256 of settings, masked first, so that a guessed secret cannot be checked against it."""
    return digest(mask(settings))


def keep(store: FeedbackStore, feedback: Sequence[Feedback]) -> int:
    """Mask and store `feedback` in one transaction and return how many of it were new.

    Raises:
        UsageError: one of it is not such as its fields say; none is stored.
        StoreError: the store cannot be written; none is.
    """
    rows = [_row(item) for item in feedback]
    if not rows:
        return 0
    names = ", ".join(rows[0])
    places = ", ".join("?" * len(rows[0]))
    with store.transaction() as connection:
        before = connection.total_changes
        insert = f"INSERT OR IGNORE INTO feedback ({names}) VALUES ({places})"
        connection.executemany(insert, [tuple(row.values()) for row in rows])
        return connection.total_changes - before


def read_feedback(row: sqlite3.Row) -> Feedback:
    """Return the feedback in a row of the store."""
    data = {name: row[name] for name in row.keys() if name != "drafted"}  # noqa: SIM118 - a Row iterates over values
    parsed = {name: json.loads(data[name]) for name in ("passages", "tool_rows")}
    case = data["imported_case"]
    return Feedback(**{**data, **parsed, "imported_case": None if case is None else json.loads(case)})


def run_key(run_id: str) -> str:
    """Return how a run id is stored: as it is, or its hash where it holds personal data or is no plain name."""
    plain = re.fullmatch(r"[\w.:/@-]{1,200}", run_id, re.ASCII) and mask_text(run_id) == run_id
    return run_id if plain else f"sha256:{digest(run_id)}"


def _row(item: Feedback) -> dict[str, Any]:
    _require(item)
    texts = {
        name: mask_text(getattr(item, name))
        for name in ("question", "answer", "comment", "model", "stop_reason")
    }
    values = {name: _json(mask(list(getattr(item, name)))) for name in ("passages", "tool_rows")}
    case = None if item.imported_case is None else _json(mask(item.imported_case))
    run_id = None if item.run_id is None else run_key(item.run_id)
    return {**vars(item), **texts, **values, "imported_case": case, "run_id": run_id}


def _require(item: Feedback) -> None:
    if not item.question.strip():
        raise UsageError("Feedback needs the question it is about; it is empty")
    for name, value, known in (
        ("thumbs", item.thumbs, get_args(Thumbs)),
        ("graph", item.graph, get_args(Graph)),
    ):
        if value not in known:
            raise UsageError(f"The feedback's {name!r} must be one of {', '.join(known)}, not {value!r}")
    if item.settings_hash is not None and not _SHA256.fullmatch(item.settings_hash):
        raise UsageError(
            f"The settings hash {item.settings_hash!r} is no SHA-256 in hex; give the settings themselves"
        )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _process_store() -> FeedbackStore:
    """Return the store that this process keeps open, another one once the file was replaced."""
    path = store_path()
    if not path.exists():
        FeedbackStore(path).close()
    return _shared_store(path, path.stat().st_ino, os.getpid())


@lru_cache(maxsize=4)
def _shared_store(path: Path, inode: int, process: int) -> FeedbackStore:  # noqa: ARG001 - they tell stores apart
    """Return an open store: opening one costs more than a write does."""
    return FeedbackStore(path)
