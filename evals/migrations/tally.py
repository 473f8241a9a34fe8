"""Counts of repairs: by path, and by what may have caused them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar, get_args

from mindatlas.evals.migrations.audit_stream import AuditStream
from mindatlas.evals.migrations.repairs import Repair, RunCount, repairs_in
from mindatlas.nodes.atlassplit.parts.error_types import ErrorType

_Name = TypeVar("_Name", bound=Hashable)
MigrationPath = tuple[str, str | None]
TYPES: Final[tuple[ErrorType, ...]] = get_args(ErrorType)
REST: Final = "(others)"
_MOST_GROUPS: Final = 500  # names that are kept of a group; later ones are counted as REST


@dataclass
class Group:
    """How many repairs, and how many of them brought another kind of failure."""

    repairs: int = 0
    introduced: int = 0

    def add(self, repair: Repair) -> None:
        """Count a repair."""
        self.repairs += 1
        self.introduced += repair.introduced


@dataclass
class Tally:
    """What was counted in a set of logs.

    Attributes:
        paths: Number of repairs by error type before and after; after is None for a pass.
        causes: By strategy and prompt hash (`-` where no prompt was sent).
        caused: The introduced ones of a path, by the same.
        pandas: By version.
        models: By name.
    """

    runs: RunCount = field(default_factory=RunCount)
    paths: Counter[MigrationPath] = field(default_factory=Counter)
    causes: dict[tuple[str, str], Group] = field(default_factory=dict)
    caused: dict[MigrationPath, Counter[tuple[str, str]]] = field(default_factory=dict)
    pandas: dict[str, Group] = field(default_factory=dict)
    models: dict[str, Group] = field(default_factory=dict)

    @property
    def repairs(self) -> int:
        """The number of repairs."""
        return self.paths.total()

    @property
    def introduced(self) -> int:
        """The number of repairs that brought another kind of failure."""
        return sum(number for path, number in self.paths.items() if is_migration(path))

    def from_type(self, before: str) -> int:
        """Return the number of repairs of a kind of failure."""
        return sum(number for path, number in self.paths.items() if path[0] == before)

    def add(self, repair: Repair) -> None:
        """Count a repair."""
        path = (repair.before, repair.after)
        self.paths[path] += 1
        cause = _kept((repair.strategy, repair.prompt or "-"), self.causes, (REST, "-"))
        self.causes.setdefault(cause, Group()).add(repair)
        self.pandas.setdefault(_kept(repair.pandas, self.pandas, REST), Group()).add(repair)
        self.models.setdefault(_kept(repair.model, self.models, REST), Group()).add(repair)
        if repair.introduced:
            self.caused.setdefault(path, Counter())[cause] += 1


def is_migration(path: MigrationPath) -> bool:
    """Return whether the kind of failure changed; a change to a pass is no migration."""
    before, after = path
    return after is not None and after != before


def tally_of(stream: AuditStream) -> Tally:
    """Return what is counted in audit logs.

    Raises:
        FileReadError: A log cannot be read, or there is no audit line at all.
    """
    tally = Tally()
    _add_all(tally, repairs_in(stream, tally.runs))
    stream.require_lines()
    return tally


def _add_all(tally: Tally, repairs: Iterable[Repair]) -> None:
    for repair in repairs:
        tally.add(repair)


def _kept(name: _Name, groups: Mapping[_Name, Group], rest: _Name) -> _Name:
    return name if name in groups or len(groups) < _MOST_GROUPS else rest
