"""The case that a bad answer is drafted into: what a good answer should rest on, proposed for a person to check."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from mindatlas.evals.learning.complaint import Complaint
from mindatlas.evals.learning.failure_types import Failure
from mindatlas.evals.learning.feedback import Feedback
from mindatlas.evals.learning.question_kinds import case_type_of
from mindatlas.evals.learning.question_reading import QuestionReader
from mindatlas.nodes.text import fold

MOST_PASSAGES = 10  # as many as MindTrip fuses
_NEEDED = 3  # as many as an answer may use


def draft_id(graph: str, question: str) -> str:
    """Return the id of the case for a question: the same for the same words, whenever and wherever drafted."""
    return f"fb-{graph}-{hashlib.sha256(fold(question).encode()).hexdigest()[:12]}"


def propose_case(complaint: Complaint, failure: Failure, kind: str, reader: QuestionReader) -> dict[str, Any]:
    """Return the draft for a question of MindTrip, unreviewed.

    Expected are the passages that support an answer today and those about what the comment asks for; forbidden is
    what the question excludes and what the comment complains about.
    """
    question = complaint.feedback.question
    forbidden = _forbidden(complaint, reader)
    passages = [name for name in _context(complaint, reader) if reader.entity_of(name) not in forbidden][
        :MOST_PASSAGES
    ]
    entities = [entity for name in passages if (entity := reader.entity_of(name))]
    return {
        **case_head(complaint.feedback, draft_id("mindtrip", question), case_type_of(kind)),
        "query": question,
        "expected_entities": list(dict.fromkeys((*entities, *complaint.asked_for))),
        "expected_context": passages,
        "forbidden_entities": forbidden,
        "expected": None,
        **_needed(complaint, passages, reader),
        "note": note_of(complaint.feedback, f"{failure.type}: {failure.reason}"),
    }


def case_head(feedback: Feedback, name: str, case_type: str) -> dict[str, Any]:
    """Return what every draft begins with."""
    created = feedback.created[:10]
    return {
        "id": name,
        "case_type": case_type,
        "source": "user_feedback",
        "reviewed": False,
        "created": created,
    }


def note_of(feedback: Feedback, failure: str) -> str:
    """Return the failure and the user's comment in one line."""
    return "; ".join(filter(None, (failure, f"comment: {feedback.comment}" if feedback.comment else "")))


def _forbidden(complaint: Complaint, reader: QuestionReader) -> list[str]:
    excluded = complaint.reading.excluded if complaint.reading else ()
    resolved = (reader.base.entities.resolve(name) or name for name in excluded)
    return list(dict.fromkeys((*resolved, *complaint.denied)))


def _context(complaint: Complaint, reader: QuestionReader) -> Iterable[str]:
    """Return the passages proposed: those about what the comment names first, then what supports an answer."""
    named = [reader.base.ids[row] for name in complaint.asked_for for row in reader.base.rows_named(name)]
    supported = complaint.reading.supported if complaint.reading else ()
    return dict.fromkeys((*named, *supported))


def _needed(complaint: Complaint, passages: list[str], reader: QuestionReader) -> dict[str, Any]:
    """Return how much of the context an answer needs: something about each town compared, else up to three passages."""
    towns = complaint.reading.towns if complaint.reading else ()
    groups = [
        [name for name in passages if town in reader.base.stated(reader.base.rows[name], "city")]
        for town in towns
    ]
    if len(groups) > 1 and all(groups):
        return {"context_groups": groups}
    return {"context_needed": min(_NEEDED, len(passages))} if passages else {}
