"""Making a release: records are checked as they are written aside, and the folder appears whole or not at all."""

from __future__ import annotations

import heapq
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from mindatlas.evals.files import json_line
from mindatlas.evals.migrations.audit_stream import AuditStream
from mindatlas.evals.release import bundle
from mindatlas.evals.release.checks import (
    Finding,
    business_terms,
    literal_findings,
    seen_terms,
    term_findings,
)
from mindatlas.evals.release.counts import Counts
from mindatlas.evals.release.keys import hasher, read_key
from mindatlas.evals.release.reclassify import type_of_record
from mindatlas.evals.release.record_schema import schema_fault
from mindatlas.evals.release.records import SetAside, records_of
from mindatlas.evals.release.runs import runs_in
from mindatlas.evals.release.seen import seen_in
from mindatlas.evals.release.workbooks import BookShelf
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.storage import home

SAMPLE: Final = 100
SHOWN_FINDINGS: Final = 20


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a release.

    Attributes:
        folder: Where it lies; None when a check blocked it.
        counts: Of its records.
        findings: The first `SHOWN_FINDINGS` things that block it.
        blocked: How many there are.
        stream: The audit logs, with their broken lines.
        sampled: Records in the review sample.
    """

    folder: Path | None
    counts: Counts
    findings: tuple[Finding, ...]
    blocked: int
    stream: AuditStream
    sampled: int


def make_release(
    audits: Sequence[Path], folder: Path, *, key: Path | None = None, terms: Path | None = None
) -> Outcome:
    """Return what became of a release of audit logs; the folder is written only when no check finds anything.

    Args:
        audits: Audit logs.
        folder: A new or empty folder.
        key: File with the key for ids; None takes the one under home.
        terms: File with more business terms, one a line.

    Raises:
        UsageError: The folder holds something, a log is missing, or no round failed.
        FileReadError: A log, the key or the terms cannot be read, or no line is an audit line.
        SetupError: The folder cannot be written, or the disk is full; nothing of the release is left.
    """
    bundle.require_empty(folder)
    stream = AuditStream(audits)
    release = _Release(read_key(key, outside=folder), business_terms(terms))
    with bundle.aside(folder) as place:
        with (place / "records.jsonl").open("w", encoding="utf-8") as file:
            for run in runs_in(stream):
                release.add(run, file)
        stream.require_lines()
        if not release.counts.records and not release.blocked:
            raise UsageError(f"nothing to release: {_nothing(release.counts)}")
        if not release.blocked:
            bundle.complete(place, folder, release.counts, release.sample, release.looked_for)
    return Outcome(
        folder=None if release.blocked else folder,
        counts=release.counts,
        findings=tuple(release.findings),
        blocked=release.blocked,
        stream=stream,
        sampled=len(release.sample),
    )


def _nothing(counts: Counts) -> str:
    aside = "; ".join(f"{number} set aside: {reason}" for reason, number in counts.set_aside.items())
    return aside or f"none of {counts.runs} runs has a failed round"


class _Release:
    """Writes records and keeps what is told of them."""

    def __init__(self, key: bytes, terms: tuple[str, ...]) -> None:
        self.counts = Counts()
        self.findings: list[Finding] = []
        self.blocked = 0
        self._terms = terms
        self._key = key
        self._task_id = hasher(key)
        self._shelf = BookShelf(home() / "cache" / "workbooks")
        self._sample: list[tuple[bytes, str]] = []
        self._most_seen = 0

    @property
    def sample(self) -> list[str]:
        """The lines of the review sample, in the order of their ids."""
        return sorted(line for _, line in self._sample)

    @property
    def looked_for(self) -> tuple[int, int]:
        """How many business terms were looked for in each record, and names and cells in all."""
        return len(self._terms), self._most_seen

    def add(self, run: Sequence[dict[str, Any]], file: IO[str]) -> None:
        """Write the records of a run, and check each."""
        self.counts.runs += 1
        if all(line["error_type"] is None for line in run):
            return
        self.counts.failed_runs += 1
        books = self._shelf.get(run[0])
        self.counts.unread += books is None
        seen = seen_terms(seen_in(run) | (books.terms if books else frozenset()))
        self._most_seen += len(seen)
        for made in records_of(run, books, self._task_id):
            if isinstance(made, SetAside):
                self.counts.set_aside[made.reason] += 1
            else:
                self._check(made, seen)
                self.counts.add(made, run[0]["model"])
                line = json_line(made)
                file.write(line)
                self._offer(made["task_id"], line)

    def _check(self, record: dict[str, Any], seen: set[str]) -> None:
        for finding in _findings(record, self._terms, seen):
            self.blocked += 1
            if len(self.findings) < SHOWN_FINDINGS:
                self.findings.append(finding)

    def _offer(self, task_id: str, line: str) -> None:
        """Keep the records with the highest keyed hashes: a random sample that the same key draws again."""
        rank = hmac.digest(self._key, b"review " + task_id.encode(), "sha256")
        push = heapq.heappush if len(self._sample) < SAMPLE else heapq.heappushpop
        push(self._sample, (rank, line))


def _findings(record: dict[str, Any], terms: tuple[str, ...], seen: set[str]) -> Iterator[Finding]:
    fault = schema_fault(record)
    if fault is not None:
        yield Finding(check="schema", task_id=record["task_id"], field="record", text=fault)
        return
    if type_of_record(record) != record["error_type"]:
        yield Finding(check="type_changed", task_id=record["task_id"], field="error_type", text="")
    yield from term_findings(record, terms, "business_term")
    yield from term_findings(record, seen, "seen_in_the_run")
    yield from literal_findings(record)
