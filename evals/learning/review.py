"""The review queue: drafts with what stands behind them, and the decisions a person takes; each with who and when."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from mindatlas.evals.learning.case_check import checked_case
from mindatlas.evals.learning.masking import mask, mask_text
from mindatlas.evals.learning.store import FeedbackStore
from mindatlas.nodes.errors import UsageError

DraftState = Literal["waiting", "covered", "accepted", "rejected", "merged"]
Action = Literal["accept", "edit", "reject"]

_LISTED = """
SELECT drafts.*, (SELECT COUNT(*) FROM draft_sources WHERE draft = drafts.id) AS count FROM drafts
WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR id = ?2)
ORDER BY kind_cases > 0, kind, count DESC, created, id
"""
_OPEN = ("waiting", "covered", "accepted", "rejected")


@dataclass(frozen=True, kw_only=True)
class QueuedDraft:
    """A draft in the queue.

    Attributes:
        kind_cases: existing cases of its question kind when it was drafted; 0 is a kind that nothing tests yet.
        count: how many pieces of feedback ask the same.
        like_case: the existing case that asks the same.
        case: the case as it would be merged.
        decisions: what was decided, oldest first: `{at, who, action, reason}`.
    """

    id: str
    graph: str
    created: str
    kind: str
    kind_cases: int
    failure: str
    reason: str
    reader: str
    like_case: str | None
    state: DraftState
    merged_at: str | None
    count: int
    case: Mapping[str, Any]
    decisions: tuple[Mapping[str, str], ...]


def queue(store: FeedbackStore, state: DraftState | None = "waiting") -> list[QueuedDraft]:
    """Return the drafts in `state` (None: all): new question kinds first, the most frequent first within a kind."""
    return [_queued(store, row) for row in store.rows(_LISTED, (state, None))]


def find_draft(store: FeedbackStore, name: str) -> QueuedDraft:
    """Return the draft `name`.

    Raises:
        UsageError: there is none.
    """
    rows = store.rows(_LISTED, (None, name))
    if not rows:
        raise UsageError(f"There is no draft {name!r}; the ids stand in: mindatlas feedback review")
    return _queued(store, rows[0])


def accept(store: FeedbackStore, name: str, *, who: str) -> QueuedDraft:
    """Accept a draft as it stands and return it.

    Raises:
        UsageError: there is no such draft, it is merged, or it expects nothing that could be scored.
    """
    draft = find_draft(store, name)
    return _decide(
        store, draft, "accept", who, "", case=checked_case(draft.case, draft.graph, f"The draft {name!r}")
    )


def edit(store: FeedbackStore, name: str, case: Mapping[str, Any], *, who: str) -> QueuedDraft:
    """Accept a draft with another content, and return it; the draft keeps its id.

    Raises:
        UsageError: there is no such draft, it is merged, or `case` is no case.
    """
    draft = find_draft(store, name)
    if case.get("id", name) != name:
        raise UsageError(f"The edited case has the id {case['id']!r}; it must keep {name!r}")
    kept = {key: draft.case[key] for key in ("id", "source", "created")}
    return _decide(
        store,
        draft,
        "edit",
        who,
        "",
        case=checked_case(mask({**case, **kept}), draft.graph, "The edited case"),
    )


def reject(store: FeedbackStore, name: str, *, reason: str, who: str) -> QueuedDraft:
    """Reject a draft and return it.

    Raises:
        UsageError: there is no such draft, it is merged, or there is no reason.
    """
    if not reason.strip():
        raise UsageError("A rejection needs a reason")
    draft = find_draft(store, name)
    return _decide(store, draft, "reject", who, mask_text(reason), case=draft.case)


def _decide(
    store: FeedbackStore,
    draft: QueuedDraft,
    action: Action,
    who: str,
    reason: str,
    *,
    case: Mapping[str, Any],
) -> QueuedDraft:
    if not who.strip():
        raise UsageError("A decision needs the name of who takes it")
    state = "rejected" if action == "reject" else "accepted"
    content = json.dumps({**case, "reviewed": state == "accepted"}, ensure_ascii=False, allow_nan=False)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    with store.transaction() as connection:
        places = ", ".join("?" * len(_OPEN))
        update = f"UPDATE drafts SET state = ?, content = ? WHERE id = ? AND state IN ({places})"
        if connection.execute(update, (state, content, draft.id, *_OPEN)).rowcount == 0:
            raise UsageError(f"The draft {draft.id!r} is merged: change the case in the eval set itself")
        connection.execute(
            "INSERT INTO decisions VALUES (?, ?, ?, ?, ?)", (draft.id, at, who.strip(), action, reason)
        )
    return find_draft(store, draft.id)


def _queued(store: FeedbackStore, row: sqlite3.Row) -> QueuedDraft:
    data = dict(row)
    taken = store.rows(
        "SELECT at, who, action, reason FROM decisions WHERE draft = ? ORDER BY rowid", (data["id"],)
    )
    return QueuedDraft(case=json.loads(data.pop("content")), decisions=tuple(map(dict, taken)), **data)
