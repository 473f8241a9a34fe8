"""The report on migrations as data: rates with their denominators and intervals, matrix, paths, causes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindatlas.evals.migrations.descriptions import describe_path
from mindatlas.evals.migrations.tally import TYPES, Group, MigrationPath, Tally, is_migration
from mindatlas.evals.statistics import wilson

TOP_CAUSES = 3


def rate(number: int, of: int, what: str) -> dict[str, Any]:
    """Return a rate with its denominator and 95 % Wilson interval; null with a reason where there is nothing.

    Args:
        number: How many.
        of: Of how many.
        what: What they are, in the reason.
    """
    if not of:
        return {"n": number, "of": 0, "rate": None, "low": None, "high": None, "reason": f"no {what}"}
    low, high = wilson(number, of)
    return {"n": number, "of": of, "rate": number / of, "low": low, "high": high, "reason": None}


def summarise(tally: Tally) -> dict[str, Any]:
    """Return the whole report on a set of logs as JSON-like data; paths and groups by falling count, then name."""
    count = tally.runs
    return {
        "runs": count.runs,
        "rounds": count.rounds,
        "failed_rounds": count.failed,
        "unpaired_rounds": count.unpaired,
        "repairs": tally.repairs,
        "introduced": tally.introduced,
        "introduced_rate": rate(tally.introduced, tally.repairs, "repairs"),
        "types": list(TYPES),
        "matrix": _matrix(tally),
        "by_type": [_by_type(tally, kind) for kind in TYPES if tally.from_type(kind)],
        "paths": [_path(tally, path) for path in _ordered_paths(tally)],
        "causes": [
            {"strategy": strategy, "prompt": prompt, **_group(group)}
            for (strategy, prompt), group in _ordered(tally.causes)
        ],
        "pandas": [{"version": name, **_group(group)} for name, group in _ordered(tally.pandas)],
        "models": [{"model": name, **_group(group)} for name, group in _ordered(tally.models)],
    }


def _matrix(tally: Tally) -> list[list[int | None]]:
    """Return migrations by type before (rows) and after (columns); null on the diagonal, which is none."""
    return [[None if before == after else tally.paths[before, after] for after in TYPES] for before in TYPES]


def _by_type(tally: Tally, kind: str) -> dict[str, Any]:
    repairs = tally.from_type(kind)
    moved = sum(number for path, number in tally.paths.items() if path[0] == kind and is_migration(path))
    return {
        "error_type": kind,
        "repairs": repairs,
        "passed": rate(tally.paths[kind, None], repairs, f"repairs of {kind}"),
        "same_type": rate(tally.paths[kind, kind], repairs, f"repairs of {kind}"),
        "introduced": rate(moved, repairs, f"repairs of {kind}"),
    }


def _ordered_paths(tally: Tally) -> list[MigrationPath]:
    paths = [path for path, number in tally.paths.items() if number and is_migration(path)]
    return sorted(paths, key=lambda path: (-tally.paths[path], path[0], path[1] or ""))


def _path(tally: Tally, path: MigrationPath) -> dict[str, Any]:
    before, after = path
    number = tally.paths[path]
    causes = tally.caused[path].most_common()
    causes.sort(key=lambda item: (-item[1], item[0]))
    return {
        "from": before,
        "to": after,
        "count": number,
        "share_of_introduced": rate(number, tally.introduced, "introduced errors"),
        "share_of_repairs": rate(number, tally.repairs, "repairs"),
        "description": describe_path(before, str(after)),
        "causes": [
            {"strategy": strategy, "prompt": prompt, "count": times}
            for (strategy, prompt), times in causes[:TOP_CAUSES]
        ],
    }


def _group(group: Group) -> dict[str, Any]:
    return {
        "repairs": group.repairs,
        "introduced_rate": rate(group.introduced, group.repairs, "repairs"),
    }


def _ordered(groups: Mapping[Any, Group]) -> list[tuple[Any, Group]]:
    return sorted(groups.items(), key=lambda item: (-item[1].introduced, -item[1].repairs, item[0]))
