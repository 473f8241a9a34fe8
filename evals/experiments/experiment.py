"""An experiment in its folder: protocol written first, runs appended, compared at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mindatlas.evals.cases import Case
from mindatlas.evals.experiments.completeness import Checked, check
from mindatlas.evals.experiments.execution import Contestant, Progress, run_plan
from mindatlas.evals.experiments.observations import ObservationLog, read_rows
from mindatlas.evals.experiments.plan import Plan, check_repetitions
from mindatlas.evals.experiments.protocol import (
    FILE,
    Protocol,
    changed_keys,
    make_protocol,
    read_protocol,
    write_protocol,
)
from mindatlas.evals.experiments.scoring import judge_by_suite
from mindatlas.evals.experiments.variant import Variant, check_pair
from mindatlas.evals.runners import open_runner
from mindatlas.evals.suite import Suite, read_suite
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.storage import home

OBSERVATIONS = "observations.jsonl"


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """An experiment that is ready to run."""

    suite: Suite
    cases: Sequence[Case]
    contestants: Mapping[str, Contestant]
    protocol: Protocol

    @property
    def plan(self) -> Plan:
        """The plan that follows from the protocol."""
        return self.protocol.plan()

    def run(
        self,
        folder: Path,
        *,
        resume: bool = False,
        retry_errors: bool = False,
        progress: Progress | None = None,
    ) -> Checked:
        """Make the runs that `folder` does not hold yet, and return what counts.

        Raises:
            UsageError: the folder holds runs and `resume` was not asked, or those of another protocol.
        """
        prepare_folder(folder, self.protocol, resume=resume or retry_errors)
        log = ObservationLog(folder / OBSERVATIONS)
        judge = judge_by_suite(self.suite)
        run_plan(
            self.plan, self.cases, self.contestants, judge, log, retry_errors=retry_errors, progress=progress
        )
        return check(self.plan, read_rows(log.path))


def open_experiment(variants: Mapping[str, Variant], *, repetitions: int, seed: int) -> Experiment:
    """Return the experiment of `variants` by name, the baseline first; runners are opened, nothing is run.

    Raises:
        UsageError: the variants do not fit together, or a setting or figure is impossible.
        SetupError: a model, its key or its package is missing.
    """
    check_repetitions(repetitions)
    check_pair(variants)
    suite = read_suite(next(iter(variants.values())).suite)
    cases = suite.read_cases()
    contestants = {
        name: Contestant(
            runner=open_runner(suite.graph, {**suite.settings, **variant.settings}), prompts=variant.prompts
        )
        for name, variant in variants.items()
    }
    identities = {name: contestant.runner.identity() for name, contestant in contestants.items()}
    protocol = make_protocol(suite, cases, variants, identities, repetitions=repetitions, seed=seed)
    return Experiment(suite=suite, cases=cases, contestants=contestants, protocol=protocol)


def prepare_folder(folder: Path, protocol: Protocol, *, resume: bool) -> None:
    """Write the protocol to a new folder, or check that the folder goes on with the same one.

    Raises:
        UsageError: the folder holds runs and `resume` was not asked, or those of another protocol.
    """
    if not (folder / FILE).exists():
        write_protocol(protocol, folder)
        return
    kept = read_protocol(folder)
    if kept.sha256 != protocol.sha256:
        changed = ", ".join(changed_keys(kept, protocol))
        raise UsageError(
            f"{str(folder)!r} holds runs of another protocol ({changed} differ): choose another folder"
        )
    if not resume and (folder / OBSERVATIONS).exists():
        raise UsageError(
            f"{str(folder)!r} holds runs of this protocol: add --resume, or choose another folder"
        )


def default_folder(protocol: Protocol) -> Path:
    """Return where an experiment lies that was given no folder: under `MINDATLAS_HOME`, by its protocol."""
    return home() / "experiments" / protocol.sha256[:12]
