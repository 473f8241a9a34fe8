"""What a release holds, counted for its data card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Counts:
    """Numbers of records by what they are, and of what was left out.

    Attributes:
        by_type: Records, and those of runs that passed in the end, by error type.
        writers: Records by the kind of writer: builtin, simulated faults, chat model. No names: they may be telling.
        unread: Runs whose workbooks could not be read again.
        set_aside: Failed rounds that were not released, by reason.
    """

    records: int = 0
    runs: int = 0
    failed_runs: int = 0
    by_type: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    patterns: Counter[str] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)
    pandas: Counter[str] = field(default_factory=Counter)
    writers: Counter[str] = field(default_factory=Counter)
    set_aside: Counter[str] = field(default_factory=Counter)
    unread: int = 0

    def add(self, record: Mapping[str, Any], model: str) -> None:
        """Count a record."""
        kind = record["error_type"]
        self.records += 1
        self.by_type[kind] += 1
        self.ended[kind] += record["success"] is not None
        self.mended[kind] += record["success"] is True
        self.patterns[record["error_pattern"]] += 1
        self.strategies[record["metadata"]["strategy"]] += 1
        self.pandas[record["metadata"]["pandas_version"]] += 1
        self.writers[_writer(model)] += 1


def _writer(model: str) -> str:
    known = {"builtin": "builtin rules", "faulty": "simulated faults, not a language model"}
    return known.get(model.partition(":")[0], "chat model")
