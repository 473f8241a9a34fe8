"""Repairs: two consecutive rounds of a run, the first of which failed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

MOST_OPEN: Final = (
    50_000  # runs that are waited for at once; more only where logs are cut short or interleaved
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Repair:
    """One repair.

    Attributes:
        before: Error type of the round that failed.
        after: Error type of the next round, None when that one passed.
        strategy: Why the second program was written.
        prompt: Hash of its prompt, None where no prompt was sent.
        model: Its writer.
        pandas: The version it ran with.
    """

    before: str
    after: str | None
    strategy: str
    prompt: str | None
    model: str
    pandas: str

    @property
    def introduced(self) -> bool:
        """Whether it brought another kind of failure than the one it was to mend; a pass is none."""
        return self.after is not None and self.after != self.before


@dataclass(kw_only=True)
class RunCount:
    """What was met beside repairs.

    Attributes:
        runs: Runs of which a round was met.
        rounds: Their rounds.
        failed: Rounds with an error type.
        unpaired: Rounds after the first whose predecessor was not met: nothing can be said of them.
    """

    runs: int = 0
    rounds: int = 0
    failed: int = 0
    unpaired: int = 0


def repairs_in(lines: Iterable[Mapping[str, Any]], count: RunCount) -> Iterator[Repair]:
    """Yield the repairs in audit lines; runs may be interleaved, but a run's rounds stand in order.

    A run is forgotten with its last line, and the oldest one when more than `MOST_OPEN` wait for theirs.
    """
    last: OrderedDict[str, tuple[int, str | None]] = OrderedDict()
    for line in lines:
        run, number, kind = line["run_id"], line["round"], line["error_type"]
        before = last.pop(run, None)
        count.runs += before is None
        count.rounds += 1
        count.failed += kind is not None
        if before is not None and before[0] == number - 1:
            if before[1] is not None:
                yield _repair(before[1], line)
        else:
            count.unpaired += number > 1
        if line["status"] is None:
            last[run] = (number, kind)
            if len(last) > MOST_OPEN:
                last.popitem(last=False)


def _repair(before: str, line: Mapping[str, Any]) -> Repair:
    return Repair(
        before=before,
        after=line["error_type"],
        strategy=_printable(line["strategy"]),
        prompt=line["prompt_hash"] and _printable(line["prompt_hash"]),
        model=_printable(line["model"]),
        pandas=_printable(line["versions"]["pandas"]),
    )


def _printable(text: str) -> str:
    """Return a text without half surrogate pairs, which JSON can hold and no terminal or file takes."""
    return text.encode("utf-8", "replace").decode()
