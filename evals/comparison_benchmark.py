"""`make bench-compare`: how long a large comparison takes, from its file to the report, beside pandas with scipy.

    python -m mindatlas.evals.comparison_benchmark [--cases 5000] [--repetitions 2]

The observations are made here, with a fixed seed. The peer reads the same lines and computes the lift and its
bootstrap interval alone: no check of completeness, no test, no repetitions, no measures.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table
from scipy.stats import bootstrap

from mindatlas.evals.experiments.comparison import Comparison, compare
from mindatlas.evals.experiments.observations import Observation, read_rows
from mindatlas.evals.experiments.plan import Plan
from mindatlas.evals.experiments.report import facts_of, sections_of
from mindatlas.evals.experiments.report_forms import to_html
from mindatlas.evals.files import write_jsonl

MEASURES = ("recall", "precision", "faithfulness")


def write_observations(path: Path, plan: Plan, *, seed: int = 0) -> None:
    """Write a complete experiment in which the candidate passes 84 % of its runs and the baseline 80 %."""
    chance = random.Random(seed)
    lines = []
    for arm in plan.arms():
        passed = chance.random() < (0.84 if arm.variant == plan.variants[1] else 0.80)
        scores = {name: round(chance.random(), 4) for name in MEASURES}
        one = Observation(
            protocol=plan.protocol, arm=arm, state="scored", passed=passed, budget_exceeded=False,
            duration_s=chance.random(), cost=0.001, reason="", scores=scores, started="2026-01-01T00:00:00Z",
        )  # fmt: skip
        lines.append(one.to_dict())
    write_jsonl(path, lines)


def report_of(path: Path, plan: Plan) -> Comparison:
    """Return the comparison of the lines in `path`, after rendering its page."""
    found = compare(plan, read_rows(path))
    to_html("benchmark", found.headline, facts_of(found), sections_of(found), "", blocked=False)
    return found


def peer_lift(path: Path) -> tuple[float, float, float]:
    """Return lift and interval by pandas and scipy."""
    frame = pd.read_json(path, lines=True)
    means = frame.pivot_table(index="case", columns="variant", values="passed", aggfunc="mean")
    differences = (means["candidate"] - means["baseline"]).to_numpy()
    ends = bootstrap(
        (differences,),
        np.mean,
        n_resamples=10_000,
        batch=800,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    return float(differences.mean()), float(ends.low), float(ends.high)


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--repetitions", type=int, default=2)
    options = parser.parse_args()
    cases = tuple(f"case-{number:05d}" for number in range(options.cases))
    plan = Plan(protocol="b" * 64, cases=cases, repetitions=options.repetitions)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "observations.jsonl"
        write_observations(path, plan)
        table = Table(title=f"{options.cases} cases × 2 variants × {options.repetitions} repetitions")
        table.add_column("what")
        table.add_column("seconds", justify="right")
        table.add_row(
            "compared, all checks and intervals, page rendered",
            f"{seconds(lambda: report_of(path, plan)):.1f}",
        )
        table.add_row("lift and interval alone, pandas and scipy", f"{seconds(lambda: peer_lift(path)):.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
