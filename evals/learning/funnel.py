"""From feedback to cases in numbers: collected, drafted, accepted, merged, and the question kinds over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from mindatlas.evals.learning.store import FeedbackStore


@dataclass(frozen=True, kw_only=True)
class Funnel:
    """How far feedback has come.

    Attributes:
        up: answers with a thumb up.
        down: bad answers and imported failures.
        pending: those of `down` that are not drafted yet.
        drafts: drafts made; each stands for one or more bad answers.
        covered: drafts that an existing case asks already, not decided.
        waiting: drafts that wait for a person.
        accepted: drafts accepted, merged ones included.
        rejected: drafts rejected.
        merged: drafts that are cases now.
        failures: bad answers by failure type.
        kinds: bad answers by month (`2026-12`) and question kind.
        untested_kinds: kinds that no existing case had when they were first drafted, with how many bad answers.
    """

    up: int
    down: int
    pending: int
    drafts: int
    covered: int
    waiting: int
    accepted: int
    rejected: int
    merged: int
    failures: Mapping[str, int]
    kinds: Mapping[str, Mapping[str, int]]
    untested_kinds: Mapping[str, int]


_DRAFTED = """
SELECT substr(feedback.created, 1, 7) AS month, drafts.kind, drafts.kind_cases, drafts.failure, COUNT(*) AS count
FROM feedback JOIN draft_sources ON feedback = feedback.id JOIN drafts ON drafts.id = draft
GROUP BY month, drafts.kind, drafts.kind_cases, drafts.failure ORDER BY month, drafts.kind, drafts.failure
"""


def funnel(store: FeedbackStore) -> Funnel:
    """Return the numbers; an empty store gives zeros."""
    thumbs = _counts(store, "SELECT thumbs, COUNT(*) FROM feedback GROUP BY thumbs")
    states = _counts(store, "SELECT state, COUNT(*) FROM drafts GROUP BY state")
    pending = _counts(store, "SELECT 'pending', COUNT(*) FROM feedback WHERE thumbs = 'down' AND drafted = 0")
    kinds: dict[str, Counter[str]] = {}
    failures: Counter[str] = Counter()
    untested: Counter[str] = Counter()
    for row in store.rows(_DRAFTED):
        kinds.setdefault(row["month"], Counter())[row["kind"]] += row["count"]
        failures[row["failure"]] += row["count"]
        untested[row["kind"]] += 0 if row["kind_cases"] else row["count"]
    return Funnel(
        up=thumbs["up"],
        down=thumbs["down"],
        pending=pending["pending"],
        drafts=states.total(),
        covered=states["covered"],
        waiting=states["waiting"],
        accepted=states["accepted"] + states["merged"],
        rejected=states["rejected"],
        merged=states["merged"],
        failures=dict(failures.most_common()),
        kinds={month: dict(sorted(counts.items())) for month, counts in kinds.items()},
        untested_kinds={kind: count for kind, count in untested.most_common() if count},
    )


def _counts(store: FeedbackStore, query: str) -> Counter[str]:
    return Counter({str(row[0]): int(row[1]) for row in store.rows(query)})
