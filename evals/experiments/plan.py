"""The plan of an experiment: which runs there must be, in which order, under which protocol."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from mindatlas.evals.files import read_json, read_yaml
from mindatlas.nodes.errors import UsageError

BASELINE, CANDIDATE = "baseline", "candidate"
MAX_REPETITIONS = 10


class Arm(NamedTuple):
    """One run that the plan asks for."""

    case: str
    variant: str
    repetition: int


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The runs of an experiment, and how they are analysed; all of it stands in the protocol.

    Attributes:
        protocol: the SHA-256 of the protocol, which each observation carries.
        cases: ids, unique and non-empty. A plan without a case is never complete.
        repetitions: runs of each case and variant, 1 to 10.
        variants: what is compared; the first is the baseline.
        budget: limits of a run by name; None = there is none, and no run can exceed it.
        seed: of the bootstrap and the sign flips.
        clusters: cases that depend on each other, such as those of one workbook: case id to cluster.
        switches: what differs between the variants' effective inputs; None = not recorded.
    """

    protocol: str
    cases: tuple[str, ...]
    repetitions: int
    variants: tuple[str, ...] = (BASELINE, CANDIDATE)
    budget: Mapping[str, float] | None = None
    seed: int = 0
    clusters: Mapping[str, str] = field(default_factory=dict)
    switches: tuple[Mapping[str, Any], ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.protocol, str) or not self.protocol.strip():
            raise UsageError("A plan needs the hash of its protocol")
        check_repetitions(self.repetitions)
        _check_ids("case id", self.cases)
        _check_ids("variant", self.variants)
        if len(self.variants) < 2:
            raise UsageError(f"A comparison needs two variants, not {list(self.variants)!r}")
        if type(self.seed) is not int or self.seed < 0:
            raise UsageError(f"A seed must be a whole number of at least 0, not {self.seed!r}")
        if self.clusters and (lost := sorted(set(self.cases) - set(self.clusters))):
            raise UsageError(f"The case {lost[0]!r} has no cluster: name one for each case, or none at all")

    def arms(self) -> Iterator[Arm]:
        """Yield the runs in order: odd repetitions baseline first, even ones in reverse."""
        for repetition in range(1, self.repetitions + 1):
            variants = self.variants if repetition % 2 else self.variants[::-1]
            for case in self.cases:
                for variant in variants:
                    yield Arm(case, variant, repetition)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as its file holds it."""
        return asdict(self)


def check_repetitions(repetitions: object) -> None:
    """Check that `repetitions` is a whole number from 1 to 10.

    Raises:
        UsageError: it is not; True and 2.0 are no whole numbers here.
    """
    if type(repetitions) is not int or not 1 <= repetitions <= MAX_REPETITIONS:
        raise UsageError(
            f"Repetitions must be a whole number from 1 to {MAX_REPETITIONS}, not {repetitions!r}"
        )


def read_plan(path: Path) -> Plan:
    """Return the plan in a JSON or YAML file.

    Raises:
        FileReadError: the file cannot be read, or is no plan.
        UsageError: the plan is impossible, such as an id that stands twice.
    """
    read = read_yaml if path.suffix in {".yaml", ".yml"} else read_json
    data = read(path, "plan")
    sequences: dict[str, Any] = {name: tuple(data[name]) for name in ("cases", "variants") if name in data}
    if data.get("switches") is not None:
        sequences["switches"] = tuple(data["switches"])
    return Plan(**{**data, **sequences})


def _check_ids(what: str, ids: Sequence[object]) -> None:
    for name in ids:
        if not isinstance(name, str) or not name.strip():
            raise UsageError(f"Each {what} must be a text that is not empty, not {name!r}")
    if repeated := [name for name, count in Counter(ids).items() if count > 1]:
        raise UsageError(f"The {what} {repeated[0]!r} stands more than once; each must be unique")
