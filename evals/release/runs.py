"""Audit lines by run, so that a round can be told with what came after it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, Final

MOST_OPEN: Final = 2000  # runs that wait for their last line at once
MOST_ROUNDS: Final = 100  # of a run; more than AtlasSplit allows, so a longer one is no run


def runs_in(lines: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the lines of each run in order; runs may be interleaved.

    A run comes with its last line; one that has none, at the end, or when too many wait for theirs.
    """
    waiting: OrderedDict[str, list[dict[str, Any]]] = OrderedDict()
    for line in lines:
        run = waiting.setdefault(line["run_id"], [])
        run.append(line)
        if line["status"] is not None or len(run) >= MOST_ROUNDS:
            yield waiting.pop(line["run_id"])
        elif len(waiting) > MOST_OPEN:
            yield waiting.popitem(last=False)[1]
    yield from waiting.values()
