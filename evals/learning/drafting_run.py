"""One run of `feedback draft`: everything pending, graph by graph, with what it needs opened once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mindatlas.evals.learning.chat_failure_reader import ChatFailureReader
from mindatlas.evals.learning.drafting import Drafter, pending
from mindatlas.evals.learning.failure_types import FailureReader, RuleFailureReader
from mindatlas.evals.learning.feedback import Graph
from mindatlas.evals.learning.known_cases import bundled_suites, known_cases
from mindatlas.evals.learning.question_kinds import KindCount, count_kinds
from mindatlas.evals.learning.question_reading import QuestionReader
from mindatlas.evals.learning.store import FeedbackStore
from mindatlas.graphs.console import say
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models import ModelSettings, model_kind, open_chat_model


@dataclass(frozen=True, kw_only=True)
class DraftingSettings:
    """How drafts are made.

    Attributes:
        kb: the knowledge base that passages are proposed from.
        suites: the suites whose cases exist; None for all bundled ones.
        model: `builtin`, or `provider:model` that tells the failure type.
    """

    kb: str = "hainan"
    suites: tuple[str, ...] | None = None
    model: str = "builtin"
    base_url: str | None = None
    record: str | None = None
    replay: str | None = None


def draft_pending(store: FeedbackStore, settings: DraftingSettings) -> dict[str, Any]:
    """Draft all that is pending and return, JSON-like, what came of it and the question kinds in the queue.

    Raises:
        UsageError: the model cannot judge, or there is no such suite.
        SetupError: the knowledge base, the model, its key or its package is missing.
        ModelTransportError: the model could not be reached; what was drafted before stays.
        StoreError: the store cannot be written; what was drafted before stays.
    """
    chat = _chat_reader(settings)
    graphs: list[Graph] = sorted({feedback.graph for feedback in pending(store)})
    outcome: dict[str, Any] = {"drafted": [], "joined": {}, "covered": []}
    joined: Counter[str] = Counter()
    for graph in graphs:
        reader = QuestionReader(settings.kb) if graph == "mindtrip" else None
        drafter = Drafter(
            store,
            graph,
            failures=chat or RuleFailureReader(reader),
            known=known_cases(settings.suites or bundled_suites(), graph, reader),
            reader=reader,
        )
        report = drafter.draft_all(progress=_progress)
        outcome["drafted"] += report.drafted
        outcome["covered"] += report.covered
        joined.update(report.joined)
    return {
        **outcome,
        "joined": dict(sorted(joined.items())),
        "kinds": [vars(count) for count in kind_counts(store)],
    }


def kind_counts(store: FeedbackStore) -> list[KindCount]:
    """Return the question kinds of all drafted feedback, those without an existing case first."""
    query = "SELECT kind, kind_cases FROM drafts JOIN draft_sources ON draft = id"
    rows = store.rows(query)
    known = {row["kind"]: row["kind_cases"] for row in rows}
    return count_kinds((row["kind"] for row in rows), Counter(known).elements())


def drafting_text(outcome: Mapping[str, Any]) -> str:
    """Return the outcome as text for a terminal."""
    joined = sum(outcome["joined"].values())
    head = f"{len(outcome['drafted'])} drafts for review, {joined} joined to one that asks the same, "
    lines = [head + f"{len(outcome['covered'])} covered by an existing case"]
    for count in outcome["kinds"]:
        known = f"{count['cases']} existing cases" if count["cases"] else "NEW: no existing case"
        lines.append(f"  {count['kind']}: {count['feedback']} bad answers, {known}")
    return "\n".join(lines)


def _chat_reader(settings: DraftingSettings) -> FailureReader | None:
    kind = model_kind(settings.model)
    if kind == "faulty":
        raise UsageError(
            "The faulty model makes faults on purpose and judges none; use builtin or provider:model"
        )
    if kind == "builtin":
        return None
    opened = ModelSettings(
        model=settings.model, base_url=settings.base_url, record=settings.record, replay=settings.replay
    )
    return ChatFailureReader(open_chat_model(opened), settings.model)


def _progress(done: int, total: int) -> None:
    if done == total or done % 50 == 0:
        say(f"{done}/{total} drafted")
