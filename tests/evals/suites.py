"""Small suites, replies and pools for the tests of the bench."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.files import write_file, write_jsonl
from mindatlas.evals.suite import Suite, read_suite

SUITE = """
name: small
graph: mindtrip
protocol_version: {version}
cases: [cases.jsonl]
deterministic: {deterministic}
margin: 0.1
passes_when: {{context_recall_at_3: {{at_least: 1.0}}, refusal_correctness: {{at_least: 1.0}}}}
measures: {{context_recall_at_3: {{threshold: 0.1, direction: higher}}}}
"""
IDENTITY = {"settings": {}, "code": "abc"}


def line(name: str, **fields: Any) -> dict[str, Any]:
    """Return a line of a case file that expects the passage `p-<name>`."""
    expected = {"expected_entities": [name], "expected_context": [f"p-{name}"]}
    made = {"source": "hand", "reviewed": True, "created": "2026-12-01"}
    return {"id": name, "query": f"where is {name}", "case_type": "fact", **expected, **made, **fields}


def write_suite(
    folder: Path, names: Sequence[str], *, version: int = 1, deterministic: bool = True, **fields: Any
) -> Suite:
    """Write a suite of one case a name into `folder` and return it."""
    write_jsonl(folder / "cases.jsonl", [line(name, **fields) for name in names])
    text = SUITE.format(version=version, deterministic=str(deterministic).lower())
    write_file(folder / "small.yaml", text)
    return read_suite(folder / "small.yaml")


def output(name: str, *used: str, **fields: Any) -> dict[str, Any]:
    """Return an output of MindTrip that uses the passages `used` (by default the expected one of `name`)."""
    ids = list(used or (f"p-{name}",))
    views = [{"id": i, "title": i, "entity": i.removeprefix("p-"), "text": f"text of {i}"} for i in ids]
    return {
        "exclude_entities": [],
        "filters": {},
        "candidates": ids,
        "hits": [{"id": i, "ranks": {"bm25": n, "dense": n}} for n, i in enumerate(ids, start=1)],
        "ranking": [{"id": i} for i in ids],
        "passages": views,
        "answer": "\n".join(f"text of {i} [{i}]" for i in ids),
        "citations": [{"id": i, "title": i, "quote": f"text of {i}"} for i in ids],
        "answer_entities": [view["entity"] for view in views],
        "stop_reason": "answered",
        **fields,
    }


def reply(made: Mapping[str, Any] | None, error: str | None = None) -> dict[str, Any]:
    """Return what a worker replies."""
    out = None if made is None else dict(made)
    return {"output": out, "duration_s": 0.25, "cost": 0.0, "error": error, "started": "2026-12-01T00:00:00"}


def refusing(name: str) -> dict[str, Any]:
    """Return the output of a refusal."""
    return output(name, passages=[], candidates=[], citations=[], answer="", stop_reason="nothing_supported")


class FakePool:
    """Replies by a function, in this process, and counts what it was asked to run."""

    def __init__(
        self, replies: Callable[[Case], dict[str, Any]], identity: Mapping[str, Any] = IDENTITY
    ) -> None:
        self.ran: list[str] = []
        self._replies = replies
        self._identity = dict(identity)

    def identity(self) -> dict[str, Any]:
        return self._identity

    def run(self, cases: Sequence[Case]) -> Iterator[tuple[Case, dict[str, Any]]]:
        for case in cases:
            self.ran.append(case.id)
            yield case, self._replies(case)


def right(case: Case) -> dict[str, Any]:
    """Reply with the expected passage."""
    return reply(output(case.id))
