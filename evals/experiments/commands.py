"""The commands `eval compare` and `eval ablate`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from mindatlas.evals.experiments.ablation import ablation_variants, analyse
from mindatlas.evals.experiments.ablation_report import ablation_headline, ablation_plot, ablation_sections
from mindatlas.evals.experiments.comparison import Comparison, compare, compare_variants
from mindatlas.evals.experiments.completeness import Checked
from mindatlas.evals.experiments.dry_run import estimate
from mindatlas.evals.experiments.execution import Progress
from mindatlas.evals.experiments.experiment import Experiment, default_folder, open_experiment
from mindatlas.evals.experiments.headline import say_switches
from mindatlas.evals.experiments.observations import read_rows
from mindatlas.evals.experiments.plan import BASELINE, CANDIDATE, read_plan
from mindatlas.evals.experiments.plots import lifts_svg
from mindatlas.evals.experiments.report import Section, facts_of, sections_of
from mindatlas.evals.experiments.report_forms import print_sections, to_html, to_markdown, to_text
from mindatlas.evals.experiments.variant import Variant, read_variant, shipped_pair
from mindatlas.evals.files import json_line, write_file, write_json
from mindatlas.evals.suite import find_suite
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models_settings import model_kind

SIMULATED = "Simulated faults, not a language model: this exercises the flow and shows no benefit."


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How an experiment is run and told.

    Attributes:
        settings: of the graph, over those of every variant.
        out: its folder; None = under `MINDATLAS_HOME`, by protocol.
    """

    repetitions: int = 1
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    out: Path | None = None
    resume: bool = False
    retry_errors: bool = False
    dry_run: bool = False
    as_json: bool = False


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where a comparison comes from: two variants, a shipped experiment, or results with their plan."""

    baseline: Path | None = None
    candidate: Path | None = None
    experiment: str | None = None
    observations: Path | None = None
    plan: Path | None = None


@dataclass(frozen=True, kw_only=True)
class _Report:
    title: str
    headline: str
    facts: str
    sections: Sequence[Section]
    plot: str
    data: Mapping[str, Any]
    complete: bool


def compare_sources(sources: Sources, options: RunOptions) -> int:
    """Compare what `sources` name, and return the exit code: 1 when a result is missing or invalid.

    Raises:
        UsageError: they name no comparison, or more than one.
    """
    given = {name for name, value in vars(sources).items() if value is not None}
    if given == {"observations", "plan"} and sources.observations and sources.plan:
        return compare_files(sources.observations, sources.plan, options.out, as_json=options.as_json)
    if given == {"experiment"} and sources.experiment:
        return compare_variant_files(*shipped_pair(sources.experiment), options)
    if given == {"baseline", "candidate"} and sources.baseline and sources.candidate:
        return compare_variant_files(sources.baseline, sources.candidate, options)
    raise UsageError("Give --baseline with --candidate, or --observations with --plan, or --experiment alone")


def model_settings(
    model: str | None, base_url: str | None, record: Path | None, replay: Path | None
) -> dict[str, Any]:
    """Return the settings of a graph that name its model; what was not given is left to suite and variant."""
    given = {
        "model": model,
        "base_url": base_url,
        "record": None if record is None else str(record),
        "replay": None if replay is None else str(replay),
    }
    return {name: value for name, value in given.items() if value is not None}


def compare_files(observations: Path, plan: Path, out: Path | None, *, as_json: bool) -> int:
    """Compare results that somebody else produced, and return the exit code: 1 when they are incomplete."""
    found = compare(read_plan(plan), read_rows(observations))
    return _tell(_comparison_report(found, ()), out, as_json=as_json)


def compare_variant_files(baseline: Path, candidate: Path, options: RunOptions) -> int:
    """Run two variants against each other, and return the exit code: 1 when a result is missing or invalid."""
    variants = {BASELINE: read_variant(baseline), CANDIDATE: read_variant(candidate)}
    experiment = _open(variants, options)
    if options.dry_run:
        return _tell_estimate(experiment, as_json=options.as_json)
    folder, checked = _run(experiment, options)
    found = compare_variants(experiment.plan, checked, BASELINE, CANDIDATE)
    return _tell(_comparison_report(found, _notes(experiment)), folder, as_json=options.as_json)


def ablate(graph: str, suite: str | None, options: RunOptions) -> int:
    """Switch the repairs of a graph off in turn, and return the exit code: 1 when a result is missing or invalid."""
    variants = ablation_variants(graph, find_suite(suite or graph), options.settings)
    experiment = _open(variants, options)
    if experiment.suite.graph != graph:
        raise UsageError(
            f"The suite {experiment.suite.name!r} is one of {experiment.suite.graph}, not of {graph}"
        )
    if options.dry_run:
        return _tell_estimate(experiment, as_json=options.as_json)
    folder, checked = _run(experiment, options)
    found = analyse(graph, experiment.plan, checked)
    report = _Report(
        title=f"Ablation of {graph}",
        headline=ablation_headline(found),
        facts=f"protocol {found.plan.protocol[:12]}",
        sections=[*_notes(experiment), *ablation_sections(found)],
        plot=ablation_plot(found),
        data=found.to_dict(),
        complete=found.complete,
    )
    return _tell(report, folder, as_json=options.as_json)


def _open(variants: Mapping[str, Variant], options: RunOptions) -> Experiment:
    given = {name: variant.with_settings(options.settings) for name, variant in variants.items()}
    return open_experiment(given, repetitions=options.repetitions, seed=options.seed)


def _run(experiment: Experiment, options: RunOptions) -> tuple[Path, Checked]:
    folder = options.out or default_folder(experiment.protocol)
    with _progress() as progress:
        checked = experiment.run(
            folder, resume=options.resume, retry_errors=options.retry_errors, progress=progress
        )
    return folder, checked


def _comparison_report(found: Comparison, notes: Sequence[Section]) -> _Report:
    lift = found.lift
    return _Report(
        title="Paired experiment",
        headline=found.headline,
        facts=facts_of(found),
        sections=[*notes, *sections_of(found)],
        plot=lifts_svg([("lift", lift.points, lift.interval)]) if lift else "",
        data=found.to_dict(),
        complete=found.complete,
    )


def _notes(experiment: Experiment) -> list[Section]:
    settings = experiment.protocol.content["settings"].values()
    simulated = any(model_kind(one["model"]) == "faulty" for one in settings)
    return [Section(title="Note", items=(SIMULATED,))] if simulated else []


def _tell_estimate(experiment: Experiment, *, as_json: bool) -> int:
    content = experiment.protocol.content
    runs = len(content["cases"]) * content["repetitions"]
    found = estimate(experiment.suite.graph, content["settings"].values(), runs)
    switches = say_switches(content["switches"])
    if as_json:
        told = {
            "runs": found.runs,
            "calls": found.calls,
            "cost": found.cost,
            "protocol": experiment.protocol.sha256,
        }
        sys.stdout.write(
            json_line({**told, "variants": content["variants"], "switches": content["switches"]})
        )
    else:
        Console().print(f"{found.to_text()}\n{switches}", markup=False)
    return 0


def _tell(report: _Report, folder: Path | None, *, as_json: bool) -> int:
    """Print a report, write all its forms to `folder`, and return the exit code."""
    text = (report.title, report.headline, report.facts, report.sections)
    if as_json:
        sys.stdout.write(json_line(report.data))
    else:
        print_sections(report.headline, report.facts, report.sections, Console())
    if folder is not None:
        write_json(folder / "report.json", report.data)
        write_file(folder / "report.txt", to_text(report.headline, report.facts, report.sections))
        write_file(folder / "report.md", to_markdown(*text))
        write_file(folder / "report.html", to_html(*text, report.plot, blocked=not report.complete))
        sys.stderr.write(f"Reports are in {folder}\n")
    return 0 if report.complete else 1


@contextmanager
def _progress() -> Iterator[Progress]:
    """Show how many runs are done and the time left, on stderr."""
    columns = (
        TextColumn("runs"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("runs", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
