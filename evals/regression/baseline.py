"""Baselines: an accepted run, kept case by case with the reason, one line a case so that a change of one reads as one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mindatlas.evals.files import canonical, read_json, write_file
from mindatlas.evals.regression.run import FORMAT, SuiteRun
from mindatlas.nodes.errors import UsageError

Baseline = dict[str, Any]
_KEPT = ("content_hash", "case_type", "passed", "scores", "trace")


def read_baseline(path: Path) -> Baseline:
    """Return the baseline in `path`.

    Raises:
        FileReadError: the file cannot be read, or is no baseline.
    """
    return read_json(path, "baseline")


def pinned_path(path: Path) -> Path:
    """Return where the release baseline beside `path` lies: `mindtrip.json` has `mindtrip.release.json`."""
    return path.with_name(f"{path.stem}.release{path.suffix}")


def make_baseline(run: SuiteRun, reason: str, before: Baseline | None) -> Baseline:
    """Return the baseline for a complete run; the history of the one before goes on.

    Raises:
        UsageError: the run is incomplete, or no reason is given.
    """
    if not reason.strip():
        raise UsageError("A baseline needs a reason: --update-baseline 'why the new results are right'")
    if not run.complete:
        raise UsageError("An incomplete run cannot become a baseline: some cases could not be scored")
    summary = run.head["summary"]
    entry = {
        "date": run.head["date"],
        "reason": reason,
        "passed": summary["passed"],
        "total": summary["total"],
    }
    return {
        "format": FORMAT,
        "suite": run.head["protocol"]["suite"],
        "protocol": run.head["protocol"],
        "date": run.head["date"],
        "reason": reason,
        "summary": summary,
        "history": [*(before["history"] if before else []), entry],
        "cases": {o["case"]: {name: o[name] for name in _KEPT} for o in run.observations},  # type: ignore[literal-required]
    }


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline atomically: the head indented, then one case a line."""
    head = {key: value for key, value in baseline.items() if key != "cases"}
    lines = [f"  {json.dumps(name)}: {canonical(case)}" for name, case in sorted(baseline["cases"].items())]
    text = json.dumps(head, ensure_ascii=False, indent=1, sort_keys=True)
    write_file(path, text[: text.rindex("\n")] + ',\n "cases": {\n' + ",\n".join(lines) + "\n }\n}\n")
