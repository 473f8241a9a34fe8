"""Suites: which cases run on which graph, what makes a case pass, and the thresholds of the gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from mindatlas.evals.cases import Case, read_cases
from mindatlas.evals.files import read_yaml
from mindatlas.nodes.errors import UsageError

Direction = Literal["higher", "lower"]


@dataclass(frozen=True, kw_only=True)
class Bound:
    """The values of a measure with which a case passes; both ends inclusive."""

    at_least: float | None = None
    at_most: float | None = None

    def holds(self, value: float) -> bool:
        """Return whether `value` lies within the bound."""
        low = self.at_least is None or value >= self.at_least
        return low and (self.at_most is None or value <= self.at_most)


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """What the mean of a measure must reach: at least `threshold` where higher is better, else at most."""

    threshold: float
    direction: Direction

    def met(self, value: float) -> bool:
        """Return whether `value` reaches the threshold."""
        return value >= self.threshold if self.direction == "higher" else value <= self.threshold


@dataclass(frozen=True, kw_only=True)
class Suite:
    """A suite as its file describes it.

    Attributes:
        protocol_version: raised when the set of cases changes, so that old baselines are not compared with it.
        passes_when: a case passes when each named measure that is defined for it lies within its bound.
        measures: thresholds on the overall means.
        by_type: thresholds on the means of one case type.
        deterministic: gate on exact differences; otherwise on a non-inferiority margin.
        primary: the measure that the margin is about.
        margin: the largest loss in the primary measure's mean, in [0, 1], that still counts as no worse.
        max_drop: the largest drop of an overall mean that a deterministic gate lets pass.
    """

    name: str
    graph: str
    path: Path
    protocol_version: int
    cases: tuple[Path, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    passes_when: Mapping[str, Bound]
    measures: Mapping[str, Threshold] = field(default_factory=dict)
    by_type: Mapping[str, Mapping[str, Threshold]] = field(default_factory=dict)
    deterministic: bool = True
    primary: str = "passed"
    margin: float = 0.02
    max_drop: float = 0.0

    def read_cases(self) -> list[Case]:
        """Return the cases of the suite, in order of its files.

        Raises:
            UsageError: an id stands twice, or there is no case.
            FileReadError: a file cannot be read.
        """
        return read_cases(self.cases)


def read_suite(name: str | Path) -> Suite:
    """Return the suite in a YAML file, or the bundled one of that name (`mindtrip`).

    Paths of cases are relative to the suite's file.

    Raises:
        UsageError: there is neither such a file nor such a bundled suite.
        FileReadError: the file is no suite.
    """
    path = find_suite(name)
    data = read_yaml(path, "suite")
    by_type = {kind: _thresholds(entry) for kind, entry in data.get("by_type", {}).items()}
    known = {key: value for key, value in data.items() if key not in {"cases", "by_type"}}
    return Suite(
        **{
            **known,
            "path": path,
            "cases": tuple(path.parent / case for case in data["cases"]),
            "passes_when": {key: Bound(**bound) for key, bound in data["passes_when"].items()},
            "measures": _thresholds(data["measures"]),
            "by_type": by_type,
        }
    )


def _thresholds(data: Mapping[str, Any]) -> dict[str, Threshold]:
    return {name: Threshold(**entry) for name, entry in data.items()}


def find_suite(name: str | Path) -> Path:
    """Return the path of a suite: the file itself, or `evals/suites/<name>.yaml`.

    Raises:
        UsageError: there is neither.
    """
    if Path(name).is_file():
        return Path(name)
    folder = Path(str(files("mindatlas.evals").joinpath("suites")))
    bundled = folder / f"{name}.yaml"
    if bundled.is_file():
        return bundled
    known = ", ".join(sorted(path.stem for path in folder.glob("*.yaml"))) or "none"
    raise UsageError(f"There is no suite {str(name)!r}: neither a file nor a bundled suite ({known})")
