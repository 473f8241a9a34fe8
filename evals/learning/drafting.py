"""From bad answers to drafts of cases: what failed, what was expected, and which of them ask the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mindatlas.evals.learning.complaint import complaint_of
from mindatlas.evals.learning.failure_types import FailureReader
from mindatlas.evals.learning.feedback import Feedback, Graph, read_feedback
from mindatlas.evals.learning.known_cases import KnownCases
from mindatlas.evals.learning.masking import mask
from mindatlas.evals.learning.near_duplicates import Wording, most_alike, wording_of
from mindatlas.evals.learning.proposals import case_head, draft_id, note_of, propose_case
from mindatlas.evals.learning.question_kinds import question_kind
from mindatlas.evals.learning.question_reading import QuestionReader
from mindatlas.evals.learning.store import FeedbackStore

_FAILED_RUN = "other"  # a failed run says how it failed in its note; the types of answers do not fit it


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A draft as it goes into the queue; `like_case` is the existing case that asks the same."""

    id: str
    graph: Graph
    created: str
    kind: str
    kind_cases: int
    failure: str
    reason: str
    reader: str
    like_case: str | None
    content: Mapping[str, Any]


@dataclass
class DraftReport:
    """What a drafting did: new drafts, feedback that joined one, and feedback an existing case covers."""

    drafted: list[str] = field(default_factory=list)
    joined: list[str] = field(default_factory=list)
    covered: list[str] = field(default_factory=list)


class Drafter:
    """Drafts cases for the feedback of one graph.

    Args:
        store: where feedback and drafts lie.
        graph: the graph it is about.
        failures: tells why an answer was bad.
        known: the cases that exist.
        reader: reads questions over the knowledge base; None for graphs without one.
    """

    def __init__(
        self,
        store: FeedbackStore,
        graph: Graph,
        *,
        failures: FailureReader,
        known: KnownCases,
        reader: QuestionReader | None,
    ) -> None:
        self._store, self._failures = store, failures
        self._graph: Graph = graph
        self._known, self._reader = known, reader
        self._queue = [(row["id"], self._wording(_query(row["content"]))) for row in self._drafts()]

    def _drafts(self) -> Sequence[Mapping[str, Any]]:
        query = "SELECT id, content FROM drafts WHERE graph = ? ORDER BY id"
        return [dict(row) for row in self._store.rows(query, (self._graph,))]

    def draft_all(self, *, progress: Callable[[int, int], None]) -> DraftReport:
        """Draft what was not drafted yet, oldest first, each written on its own, and return what came of it.

        Raises:
            ModelTransportError: the model could not be reached; what was drafted before stays.
            StoreError: the store cannot be written; what was drafted before stays.
        """
        report = DraftReport()
        waiting = pending(self._store, self._graph)
        for done, feedback in enumerate(waiting, start=1):
            self._draft(feedback, report)
            progress(done, len(waiting))
        return report

    def _draft(self, feedback: Feedback, report: DraftReport) -> None:
        wording = self._wording(feedback.question)
        joined = most_alike(wording, self._queue)
        if joined is not None:
            self._write(feedback, joined, None)
            report.joined.append(joined)
            return
        draft = self._draft_of(feedback, self._known.like(wording))
        self._write(feedback, draft.id, draft)
        self._queue.append((draft.id, wording))
        (report.covered if draft.like_case else report.drafted).append(draft.id)

    def _wording(self, question: str) -> Wording:
        return wording_of(question, self._reader)

    def _draft_of(self, feedback: Feedback, like_case: str | None) -> Draft:
        imported = feedback.imported_case
        kind, failure, reason, name, content = (
            self._imported(feedback, imported) if imported else self._judged(feedback)
        )
        return Draft(
            id=content["id"],
            graph=self._graph,
            created=feedback.created,
            kind=kind,
            kind_cases=self._known.kinds[kind],
            failure=failure,
            reason=reason,
            reader=name,
            like_case=like_case,
            content=mask(content),
        )

    def _imported(
        self, feedback: Feedback, case: Mapping[str, Any]
    ) -> tuple[str, str, str, str, dict[str, Any]]:
        name = draft_id(self._graph, feedback.question)
        content = {**case, **case_head(feedback, name, str(case["case_type"]))}
        return str(case["case_type"]), _FAILED_RUN, str(case.get("note", "")), feedback.origin, content

    def _judged(self, feedback: Feedback) -> tuple[str, str, str, str, dict[str, Any]]:
        complaint = complaint_of(feedback, self._reader)
        failure = self._failures.read(complaint)
        if complaint.reading and self._reader:
            kind = question_kind(complaint.reading)
            content = propose_case(complaint, failure, kind, self._reader)
        else:
            kind = failure.type
            name = draft_id(self._graph, feedback.question)
            note = note_of(feedback, f"{failure.type}: {failure.reason}")
            content = {
                **case_head(feedback, name, kind),
                "query": feedback.question,
                "expected": None,
                "note": note,
            }
        return kind, failure.type, failure.reason, self._failures.name, content

    def _write(self, feedback: Feedback, draft_name: str, draft: Draft | None) -> None:
        """Write a new draft, and that the feedback stands behind it, in one transaction."""
        with self._store.transaction() as connection:
            if draft is not None:
                values = {**vars(draft), "content": json.dumps(draft.content, ensure_ascii=False)}
                values["state"] = "covered" if draft.like_case else "waiting"
                names, places = ", ".join(values), ", ".join("?" * len(values))
                insert = f"INSERT OR IGNORE INTO drafts ({names}) VALUES ({places})"
                connection.execute(insert, tuple(values.values()))
            connection.execute(
                "INSERT OR IGNORE INTO draft_sources (draft, feedback) VALUES (?, ?)",
                (draft_name, feedback.id),
            )
            connection.execute("UPDATE feedback SET drafted = 1 WHERE id = ?", (feedback.id,))


def pending(store: FeedbackStore, graph: Graph | None = None) -> list[Feedback]:
    """Return the bad answers without a draft, of one graph or of all, oldest first."""
    query = "SELECT * FROM feedback WHERE thumbs = 'down' AND drafted = 0 AND (?1 IS NULL OR graph = ?1)"
    return [read_feedback(row) for row in store.rows(f"{query} ORDER BY created, id", (graph,))]


def _query(content: str) -> str:
    case = json.loads(content)
    return str(case.get("query", case.get("request")))
