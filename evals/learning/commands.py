"""What the commands `mindatlas feedback …` do."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from mindatlas.evals.files import read_json, write_file
from mindatlas.evals.learning.feedback import Graph, Thumbs, keep, record_feedback
from mindatlas.evals.learning.funnel import funnel
from mindatlas.evals.learning.imports import ImportReport, import_file
from mindatlas.evals.learning.merging import merge
from mindatlas.evals.learning.outputs import feedback_of, read_outputs
from mindatlas.evals.learning.retention import delete_run, purge, set_retention
from mindatlas.evals.learning.review import DraftState, QueuedDraft, accept, edit, queue, reject
from mindatlas.evals.learning.review_terminal import go_through, queue_text
from mindatlas.evals.learning.stats_text import stats_text
from mindatlas.evals.learning.store import FeedbackStore, open_store
from mindatlas.graphs.console import print_json, print_text, say
from mindatlas.nodes.errors import FileReadError, StoreError, UsageError


@dataclass(frozen=True, kw_only=True)
class Given:
    """What `add` was told on the command line."""

    question: str | None
    answer: str
    graph: Graph
    run_id: str | None
    model: str
    thumbs: Thumbs | None
    comment: str


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """What `review` was told to decide."""

    accept: tuple[str, ...] = ()
    edit: str | None = None
    case: Path | None = None
    reject: tuple[str, ...] = ()
    reason: str = ""
    by: str | None = None

    @property
    def any(self) -> bool:
        """Whether there is something to decide."""
        return bool(self.accept or self.edit or self.reject)


def add(output: Path | None, given: Given, *, as_json: bool) -> int:
    """Store feedback about an output, or about a question given by hand, and print its ids."""
    if (output is None) == (given.question is None):
        raise UsageError("Give either the output of a command (a file, or - for stdin) or --question")
    ids = [_add_by_hand(given)] if output is None else _add_outputs(output, given)
    if as_json:
        print_json({"feedback": ids})
    else:
        print_text("\n".join(ids))
    return 0


def _add_outputs(path: Path, given: Given) -> list[str]:
    """Store the feedback about all outputs of a file, or none, and return its ids."""
    feedback = [feedback_of(output, given.thumbs, given.comment) for output in read_outputs(path)]
    with open_store() as store:
        keep(store, feedback)
    return [item.id for item in feedback]


def _add_by_hand(given: Given) -> str:
    if given.thumbs is None:
        raise UsageError("Say --thumbs up or --thumbs down")
    return record_feedback(
        given.question or "",
        given.answer,
        given.thumbs,
        comment=given.comment,
        run_id=given.run_id,
        model=given.model,
        graph=given.graph,
    )


def import_files(paths: Sequence[Path], *, as_json: bool) -> int:
    """Import files and return 1 when a line, or a file, could not be read; the others are taken."""
    reports: list[ImportReport] = []
    unread: list[str] = []
    with open_store() as store:
        for path in paths:
            try:
                reports.append(import_file(store, path))
            except FileReadError as error:
                if len(paths) == 1:
                    raise
                unread.append(str(error))
    for report in reports:
        for fault in report.broken:
            say(f"{report.path}: {fault}")
    for fault in unread:
        say(fault)
    if as_json:
        files = [{**asdict(report), "path": str(report.path)} for report in reports]
        print_json({"files": files, "unread": unread})
    else:
        print_text("\n".join(map(_import_line, reports)))
    return int(bool(unread) or any(report.broken for report in reports))


def _import_line(report: ImportReport) -> str:
    parts = [f"{report.path}: {report.kind}, {report.found} found, {report.added} new"]
    parts += [f"{len(report.passed_over)} private"] if report.passed_over else []
    return ", ".join([*parts, *([f"{len(report.broken)} broken lines"] if report.broken else [])])


def draft(
    kb: str,
    suites: list[str] | None,
    *,
    model: str,
    base_url: str | None,
    record: Path | None,
    replay: Path | None,
    as_json: bool,
) -> int:
    """Draft what is pending and print what came of it."""
    from mindatlas.evals.learning.drafting_run import DraftingSettings, draft_pending, drafting_text

    settings = DraftingSettings(
        kb=kb,
        suites=None if suites is None else tuple(suites),
        model=model,
        base_url=base_url,
        record=None if record is None else str(record),
        replay=None if replay is None else str(replay),
    )
    with open_store() as store:
        purge(store)
        summary = draft_pending(store, settings)
    if as_json:
        print_json(summary)
    else:
        print_text(drafting_text(summary))
    return 0


def review(decisions: Decisions, state: DraftState | Literal["all"], *, as_json: bool) -> int:
    """Take the decisions, or show the queue; in a terminal without either, go through it."""
    with open_store() as store:
        who = decisions.by or _login()
        if decisions.any:
            shown = _decide(store, decisions, who)
        else:
            shown = queue(store, None if state == "all" else state)
            if shown and not as_json and state == "waiting" and sys.stdin.isatty() and sys.stdout.isatty():
                return go_through(store, shown, who=who)
    if as_json:
        print_json({"drafts": [asdict(item) for item in shown]})
    else:
        print_text(queue_text(shown))
    return 0


def _decide(store: FeedbackStore, decisions: Decisions, who: str) -> list[QueuedDraft]:
    if (decisions.edit is None) != (decisions.case is None):
        raise UsageError("--edit ID goes with --case FILE")
    if decisions.reject and not decisions.reason.strip():
        raise UsageError("--reject ID goes with --reason TEXT")
    done = [accept(store, name, who=who) for name in decisions.accept]
    if decisions.edit and decisions.case:
        done.append(edit(store, decisions.edit, read_json(decisions.case), who=who))
    return done + [reject(store, name, reason=decisions.reason, who=who) for name in decisions.reject]


def _login() -> str:
    """Return the user's login name.

    Raises:
        UsageError: the system knows none.
    """
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError) as error:
        raise UsageError("The system does not say who you are; give --by NAME") from error


def merge_into(suite: str, cases: Path | None, *, as_json: bool) -> int:
    """Merge accepted drafts and print what changed."""
    with open_store() as store:
        report = merge(store, suite, cases)
    if as_json:
        print_json({**asdict(report), "suite": str(report.suite), "cases": str(report.cases)})
    elif report.merged:
        versions = f"protocol version {report.version_before} -> {report.version}"
        print_text(f"{len(report.merged)} cases written to {report.cases}; {report.suite}: {versions}")
    else:
        print_text(
            f"Nothing to merge: {len(report.unchanged)} accepted drafts stand in {report.cases} already"
        )
    return 0


def stats(plot: Path | None, *, as_json: bool) -> int:
    """Print the numbers, and write the page where one was asked for."""
    with open_store() as store:
        numbers = funnel(store)
    if plot is not None:
        from mindatlas.evals.learning.funnel_page import funnel_page

        try:
            write_file(plot, funnel_page(numbers))
        except OSError as error:
            raise StoreError(f"Cannot write {str(plot)!r}: {error.strerror}") from error
    if as_json:
        print_json(asdict(numbers))
    else:
        print_text(stats_text(numbers))
    return 0


def delete(run: str | None, *, expired: bool, retention: int | None, as_json: bool) -> int:
    """Set the retention, delete by run or by age, and print what went; 1 when no feedback is about the run."""
    if run is None and not expired and retention is None:
        raise UsageError("Say what to delete: --run ID, --expired, or set --retention DAYS")
    with open_store() as store:
        if retention is not None:
            set_retention(store, retention)
        gone = [delete_run(store, run)] if run is not None else []
        gone += [purge(store)] if expired else []
    merged = sorted({name for deletion in gone for name in deletion.merged_cases})
    counts = {name: sum(getattr(deletion, name) for deletion in gone) for name in ("feedback", "drafts")}
    if as_json:
        print_json({**counts, "merged_cases": merged})
    else:
        print_text(f"Deleted {counts['feedback']} pieces of feedback and {counts['drafts']} drafts")
        if merged:
            say(f"Already cases of an eval set, delete them there where they must go: {', '.join(merged)}")
    return int(run is not None and counts["feedback"] == 0)
