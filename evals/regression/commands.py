"""The commands `eval run` and `eval gate`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from mindatlas.evals.files import json_line, write_file, write_json
from mindatlas.evals.regression.baseline import (
    Baseline,
    make_baseline,
    pinned_path,
    read_baseline,
    write_baseline,
)
from mindatlas.evals.regression.gate import Gated, gate
from mindatlas.evals.regression.report import make_report
from mindatlas.evals.regression.report_html import to_html
from mindatlas.evals.regression.report_markdown import to_markdown
from mindatlas.evals.regression.report_terminal import print_report
from mindatlas.evals.regression.run import Progress as Callback
from mindatlas.evals.regression.run import SuiteRun, run_suite, write_run
from mindatlas.evals.suite import Suite, read_suite
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.storage import home


@dataclass(frozen=True, kw_only=True)
class GateOptions:
    """What a run is compared with, and what it becomes after a pass; the texts are the reasons."""

    baseline: Path | None = None
    pinned: Path | None = None
    update: str | None = None
    pin: str | None = None


def run(
    name: str, out: Path | None, *, workers: int | None, fresh: bool, by_type: bool, as_json: bool
) -> int:
    """Run a suite, write its results and reports, and return the exit code: 1 when a case could not be scored."""
    suite = read_suite(name)
    result = _run(suite, workers=workers, fresh=fresh)
    _tell(result, None, _folder(suite, out), by_type=by_type, as_json=as_json)
    return 0 if result.complete else 1


def gate_suite(
    name: str,
    options: GateOptions,
    out: Path | None,
    *,
    workers: int | None,
    fresh: bool,
    by_type: bool,
    as_json: bool,
) -> int:
    """Run a suite, compare it with its baselines, and return the exit code of the verdict.

    Raises:
        UsageError: there is no baseline and none is to be made, or one is to be made without a pass.
    """
    suite = read_suite(name)
    path = options.baseline or suite.path.parent.parent / "baselines" / f"{suite.name}.json"
    baselines = _baselines(path, options)
    result = _run(suite, workers=workers, fresh=fresh)
    gated = gate(suite, result, baselines)
    _tell(result, gated, _folder(suite, out), by_type=by_type, as_json=as_json)
    _accept(suite, result, gated, path, options, baselines)
    return gated.exit_code


def _baselines(path: Path, options: GateOptions) -> dict[str, Baseline]:
    if not path.exists() and options.update is None:
        raise UsageError(
            f"There is no baseline {str(path)!r}; make one: --update-baseline 'the first results'"
        )
    release = options.pinned or pinned_path(path)
    if options.pinned is not None and not release.exists():
        raise UsageError(f"There is no release baseline {str(release)!r}; make one: --pin 'release 1.0'")
    wanted = {"baseline": path, "release": release}
    return {name: read_baseline(file) for name, file in wanted.items() if file.exists()}


def _accept(
    suite: Suite,
    result: SuiteRun,
    gated: Gated,
    path: Path,
    options: GateOptions,
    baselines: dict[str, Baseline],
) -> None:
    """Write the baselines that are asked for; only a pass becomes one, or the first run of another protocol version.

    Raises:
        UsageError: the run is no pass.
    """
    wanted = {
        path: (options.update, "baseline"),
        options.pinned or pinned_path(path): (options.pin, "release"),
    }
    for file, (reason, name) in wanted.items():
        if reason is None:
            continue
        if gated.verdict != "pass" and not _is_new_protocol(suite, gated, baselines):
            raise UsageError(
                f"No {name} is written: the verdict is {gated.verdict!r}, and only a pass becomes one"
            )
        write_baseline(file, make_baseline(result, reason, baselines.get(name)))


def _is_new_protocol(suite: Suite, gated: Gated, baselines: dict[str, Baseline]) -> bool:
    """Return whether all that keeps a run from a pass is that the cases are a newer set than the baseline's."""
    versions = [baseline["protocol"]["protocol_version"] for baseline in baselines.values()]
    older = sum(version < suite.protocol_version for version in versions)
    return gated.verdict == "undecided" and older == len(gated.reasons) == len(versions)


def _run(suite: Suite, *, workers: int | None, fresh: bool) -> SuiteRun:
    with _progress(suite.name) as progress:
        return run_suite(suite, workers=workers, fresh=fresh, progress=progress)


@contextmanager
def _progress(name: str) -> Iterator[Callback]:
    """Yield a callback that shows on stderr how far a run is and how long the rest will take."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _folder(suite: Suite, out: Path | None) -> Path:
    return out or home() / "runs" / "eval" / suite.name


def _tell(result: SuiteRun, gated: Gated | None, folder: Path, *, by_type: bool, as_json: bool) -> None:
    """Write the results and the reports into `folder`, and print one of them."""
    report = make_report(result, gated)
    data = {**result.head, **({"gate": gated.to_dict()} if gated else {})}
    write_run(result, folder)
    write_json(folder / "report.json", data)
    write_file(folder / "report.md", to_markdown(report))
    write_file(folder / "report.html", to_html(report, result))
    if as_json:
        sys.stdout.write(json_line({**json.loads(json.dumps(data)), "folder": str(folder)}))
    else:
        print_report(report, _console(), by_type=by_type)
        sys.stderr.write(f"Reports: {folder}\n")


def _console() -> Console:
    """Return the terminal, or a width that holds the table where the output goes to a file or a pipe."""
    return Console() if sys.stdout.isatty() else Console(width=120)
