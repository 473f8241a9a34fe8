"""Accepted drafts become cases of an evaluation set, and the set gets a new protocol version.

The order of writing makes a crash harmless: a listed case file changes only after the version was raised, and a new
case file is listed (with the new version) only after it was written. Merging again finishes what a crash left.
"""

from __future__ import annotations

import stat
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock

from mindatlas.evals.cases import read_cases
from mindatlas.evals.files import read_jsonl, read_text, write_file, write_jsonl
from mindatlas.evals.learning.case_check import checked_case
from mindatlas.evals.learning.review import QueuedDraft, queue
from mindatlas.evals.learning.store import FeedbackStore
from mindatlas.evals.learning.suite_text import listed_with, raised, relative_to
from mindatlas.evals.suite import Suite, read_suite
from mindatlas.nodes.errors import StoreError, UsageError
from mindatlas.nodes.storage import ensure_folder, home

CASE_FILE = "user_feedback.jsonl"


@dataclass(frozen=True, kw_only=True)
class MergeReport:
    """What a merge did; the versions are equal where nothing changed.

    Attributes:
        merged: ids of the cases that are new or changed.
        unchanged: ids of accepted drafts whose cases stand in the file already.
    """

    suite: Path
    cases: Path
    merged: tuple[str, ...]
    unchanged: tuple[str, ...]
    version_before: int
    version: int


def merge(store: FeedbackStore, suite_name: str | Path, cases: Path | None = None) -> MergeReport:
    """Write the accepted drafts of the suite's graph into its case file and return what changed.

    Args:
        store: where the drafts lie.
        suite_name: a suite file, or the name of a bundled suite.
        cases: the case file; by default `user_feedback.jsonl` beside the suite's first one.

    Raises:
        UsageError: there is no such suite, no accepted draft is of its graph, a case breaks the schema, or an id
            stands in another file of the suite.
        StoreError: a file cannot be written; the drafts stay accepted, and merging again finishes.
    """
    lock = FileLock(ensure_folder(home()) / "feedback-merge.lock")
    with lock:
        suite = read_suite(suite_name)
        path = cases or suite.cases[0].parent / CASE_FILE
        drafts = _of_graph(queue(store, "accepted"), suite)
        report = _write(suite, path, drafts)
        _mark_merged(store, drafts)
    return report


def _of_graph(accepted: Sequence[QueuedDraft], suite: Suite) -> list[QueuedDraft]:
    drafts = [draft for draft in accepted if draft.graph == suite.graph]
    if accepted and not drafts:
        graphs = ", ".join(sorted({draft.graph for draft in accepted}))
        raise UsageError(
            f"The suite {suite.name!r} is of {suite.graph}; the accepted drafts are of: {graphs}"
        )
    return drafts


def _write(suite: Suite, path: Path, drafts: Sequence[QueuedDraft]) -> MergeReport:
    old = {line["id"]: line for line in read_jsonl(path, "case")} if path.exists() else {}
    new = {draft.id: checked_case(draft.case, draft.graph, f"The draft {draft.id!r}") for draft in drafts}
    changed = tuple(sorted(name for name, case in new.items() if old.get(name) != case))
    listed = path.resolve() in {case.resolve() for case in suite.cases}
    version = suite.protocol_version
    if changed or (new and not listed):
        _require_whole(suite, path, old | new)
        version = _replace(suite, path, old | new, listed=listed)
    return MergeReport(
        suite=suite.path,
        cases=path,
        merged=changed,
        unchanged=tuple(sorted(set(new) - set(changed))),
        version_before=suite.protocol_version,
        version=version,
    )


def _require_whole(suite: Suite, path: Path, cases: Mapping[str, Any]) -> None:
    """Raise where the suite with the new case file could not be read."""
    others = [case for case in suite.cases if case.resolve() != path.resolve()]
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder, path.name)
        write_jsonl(trial, cases.values())
        read_cases([*others, trial])


def _replace(suite: Suite, path: Path, cases: Mapping[str, Any], *, listed: bool) -> int:
    """Write case file and suite, in the order that a crash may cut short, and return the new version."""
    mode = stat.S_IMODE(suite.path.stat().st_mode)  # an atomic write makes a file that only its owner reads
    text = raised(read_text(suite.path), suite.path)
    if not listed:
        text = listed_with(text, relative_to(path, suite.path), suite.path)
    try:
        if not listed:
            _write_cases(path, cases)
        write_file(suite.path, text)
        if listed:
            _write_cases(path, cases)
        for written in (path, suite.path):
            written.chmod(mode)
    except OSError as error:
        raise StoreError(
            f"Cannot write {str(suite.path)!r} and {str(path)!r} ({error.strerror}); the drafts stay accepted: "
            "merge again when they can be written"
        ) from error
    return read_suite(suite.path).protocol_version


def _write_cases(path: Path, cases: Mapping[str, Any]) -> None:
    write_jsonl(path, cases.values())


def _mark_merged(store: FeedbackStore, drafts: Sequence[QueuedDraft]) -> None:
    """Note that drafts are merged, those that somebody decided anew meanwhile left out."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    with store.transaction() as connection:
        for draft in drafts:
            connection.execute(
                "UPDATE drafts SET state = 'merged', merged_at = ? WHERE id = ? AND state = 'accepted'",
                (at, draft.id),
            )
