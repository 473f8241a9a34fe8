"""Columns of figures: what came back for each period, choice and clock, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mindatlas.nodes.workdesk.parts.calls import ToolResult
from mindatlas.nodes.workdesk.parts.desk_calls import PlannedCall
from mindatlas.nodes.workdesk.parts.desk_request import Period
from mindatlas.nodes.workdesk.parts.desk_tables import Figures, combined, figures_of


@dataclass(frozen=True, kw_only=True)
class Column:
    """The figures of one period, clock and choice; `label` tells it from the others."""

    period: Period | None
    clock: str
    chosen: tuple[str, ...]
    figures: Figures
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A planned call and what came back for it: the result, then those by the other clocks."""

    call: PlannedCall
    results: Sequence[ToolResult]


def columns_from(answered: Sequence[Answered]) -> list[Column] | None:
    """Return a column for each period, choice and clock, None where rows are no figures or not all of them came.

    A clock counts only where every call of a column was answered by it: a sum over half of the calls is none.
    """
    grouped: dict[tuple[str, tuple[str, ...]], list[Answered]] = {}
    for one in answered:
        key = (f"{one.call.period and one.call.period.days}{one.call.clock}", one.call.chosen)
        grouped.setdefault(key, []).append(one)
    columns: list[Column] = []
    for members in grouped.values():
        for clock in _shared_clocks(members):
            parts = []
            for member in members:
                result = next(result for result in member.results if result["clock"] == clock)
                figures = figures_of(result)
                if figures is None or result["truncated"] or result["n_rows"] > len(result["rows"]):
                    return None
                parts.append((-1 if member.call.subtracted else 1, figures))
            first = members[0].call
            figures = combined(parts)
            if any(value < 0 for value in figures.values.values()):
                return None  # more was left out than there is: the calls did not count the same things
            columns.append(Column(period=first.period, clock=clock, chosen=first.chosen, figures=figures))
    return columns


def _shared_clocks(members: Sequence[Answered]) -> list[str]:
    clocks = [result["clock"] for result in members[0].results]
    return [
        clock for clock in clocks if all(any(r["clock"] == clock for r in one.results) for one in members)
    ]


def unique_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names by key, those that several keys share with the key behind them."""
    counts = Counter(names.values())
    return {key: f"{name} ({key})" if counts[name] > 1 else name for key, name in names.items()}
