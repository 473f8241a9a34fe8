"""Feedback and drafts for tests, in a store under MINDATLAS_HOME."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from mindatlas.evals.files import write_jsonl
from mindatlas.evals.learning.drafting_run import DraftingSettings, draft_pending
from mindatlas.evals.learning.feedback import record_feedback
from mindatlas.evals.learning.review import QueuedDraft, queue
from mindatlas.evals.learning.store import open_store

CASE = {
    "id": "old-1", "query": "日月湾适合冲浪吗", "expected_entities": ["日月湾"], "expected_context": ["riyue"],
    "forbidden_entities": [], "expected": None, "case_type": "entity_fact", "source": "hand", "reviewed": True,
    "created": "2026-11-01",
}  # fmt: skip


def write_suite(folder: Path, graph: str = "mindtrip", cases: list[dict[str, Any]] | None = None) -> Path:
    """Write a suite with one case file and return its path."""
    write_jsonl(folder / "cases" / "first.jsonl", cases or [CASE])
    path = folder / "suite.yaml"
    path.write_text(
        f"# a comment that stays\nname: small\ngraph: {graph}\nprotocol_version: 3 # raised by merging\n"
        "cases:\n  - cases/first.jsonl # the first\nsettings: {}\npasses_when: {refusal_correctness: {at_least: 1.0}}\n"
        "measures: {refusal_correctness: {threshold: 0.9, direction: higher}}\n",
        encoding="utf-8",
    )
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["protocol_version"] == 3
    return path


def complain(
    question: str, answer: str = "", *, comment: str = "", used: dict[str, str] | None = None, **more: Any
) -> str:
    """Record a bad answer that rested on passages, given as id and subject."""
    passages = [{"id": name, "entity": entity, "text": "…"} for name, entity in (used or {}).items()]
    return record_feedback(question, answer, "down", comment=comment, passages=passages, **more)


def draft(kb: Path, suite: Path) -> dict[str, Any]:
    """Draft all that is pending."""
    with open_store() as store:
        return draft_pending(store, DraftingSettings(kb=str(kb), suites=(str(suite),)))


def drafts(state: Any = None) -> list[QueuedDraft]:
    """Return the drafts in the queue, of all states by default."""
    with open_store() as store:
        return queue(store, state)
