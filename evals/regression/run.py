"""Running a suite: what is kept already, what is missing, and the results in the order of the cases."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mindatlas.evals.cases import Case, set_hash
from mindatlas.evals.files import digest, write_json, write_jsonl
from mindatlas.evals.measures.registry import measures_of
from mindatlas.evals.regression.pool import Pool, ProcessPool, Reply
from mindatlas.evals.regression.scoring import Observation, observe
from mindatlas.evals.regression.store import OutputStore, key_of
from mindatlas.evals.regression.summary import summarize, thresholds_of
from mindatlas.evals.suite import Suite

FORMAT = 1
Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class SuiteRun:
    """A finished run: what it was, what it came to, and one observation a case in the order of the cases.

    Attributes:
        head: date, elapsed time, suite, protocol, identity, summary and thresholds; JSON-like.
    """

    head: dict[str, Any]
    observations: list[Observation]

    @property
    def complete(self) -> bool:
        """Whether every case was scored."""
        return bool(self.head["summary"]["infra_errors"] == 0)


def protocol_of(suite: Suite, cases: Sequence[Case], identity: dict[str, Any]) -> dict[str, Any]:
    """Return everything that decides the results, JSON-like; its digest stands in every observation."""
    return {
        "suite": suite.name,
        "graph": suite.graph,
        "protocol_version": suite.protocol_version,
        "case_set": set_hash(cases),
        "identity": identity,
        "measures": {name: measure.version for name, measure in measures_of(suite.graph).items()},
        "passes_when": {name: vars(bound) for name, bound in suite.passes_when.items()},
    }


def run_suite(
    suite: Suite,
    *,
    pool: Pool | None = None,
    store: OutputStore | None = None,
    workers: int | None = None,
    fresh: bool = False,
    progress: Progress = lambda *_: None,
) -> SuiteRun:
    """Run the cases of `suite` that are not kept yet and return all results.

    Args:
        suite: what to run.
        pool: where cases run; by default processes.
        store: where outputs are kept; by default under home.
        workers: how many processes; by default one for each core, at most 4.
        fresh: forget what is kept for these cases first.
        progress: hears how many of how many cases are done.

    Raises:
        UsageError: a case or a setting cannot be run.
        SetupError: a model, its key or its package is missing.
    """
    started, clock = datetime.now(UTC), time.perf_counter()
    cases = suite.read_cases()
    with _opened(suite, pool, store, workers) as (opened, kept):
        identity = opened.identity()
        replies, ran = _replies(suite, cases, opened, kept, identity, fresh=fresh, progress=progress)
    protocol = protocol_of(suite, cases, identity)
    measures = measures_of(suite.graph)
    observations = [observe(suite, measures, case, replies[case.id], digest(protocol)) for case in cases]
    summary = summarize(observations)
    head = {
        "format": FORMAT,
        "date": started.isoformat(timespec="seconds"),
        "elapsed_s": round(time.perf_counter() - clock, 3),
        "ran": ran,
        "kept": len(cases) - ran,
        "protocol": protocol,
        "protocol_hash": digest(protocol),
        "deterministic": suite.deterministic,
        "summary": summary,
        "thresholds": thresholds_of(suite, summary),
    }
    return SuiteRun(head=head, observations=observations)


def write_run(run: SuiteRun, folder: Path) -> None:
    """Write `results.jsonl` and `summary.json` into `folder`, each atomically."""
    write_jsonl(folder / "results.jsonl", [dict(observation) for observation in run.observations])
    write_json(folder / "summary.json", run.head)


def _replies(
    suite: Suite,
    cases: Sequence[Case],
    pool: Pool,
    store: OutputStore,
    identity: dict[str, Any],
    *,
    fresh: bool,
    progress: Progress,
) -> tuple[dict[str, Reply], int]:
    """Return the reply of each case by id, and how many were run now; an infrastructure error is not kept."""
    keys = {case.id: key_of(case, suite.graph, identity, 0) for case in cases}
    if fresh:
        store.forget(list(keys.values()))
    replies = {name: reply for name, key in keys.items() if (reply := store.get(key)) is not None}
    missing = [case for case in cases if case.id not in replies]
    progress(len(replies), len(cases))
    for case, reply in pool.run(missing) if missing else ():
        if reply["error"] is None:
            store.put(keys[case.id], reply)
        replies[case.id] = reply
        progress(len(replies), len(cases))
    return replies, len(missing)


@contextmanager
def _opened(
    suite: Suite, pool: Pool | None, store: OutputStore | None, workers: int | None
) -> Iterator[tuple[Pool, OutputStore]]:
    own_store = store or OutputStore()
    own_pool = None if pool else ProcessPool(suite.graph, suite.settings, size=workers or _cores())
    opened = pool or own_pool
    assert opened is not None
    try:
        yield opened, own_store
    finally:
        if own_pool is not None:
            own_pool.close()
        if store is None:
            own_store.close()


def _cores() -> int:
    return min(4, os.cpu_count() or 1)
