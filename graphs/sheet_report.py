"""What the command `sheet` tells at the terminal: the result on stdout, all else on stderr."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mindatlas.graphs.console import print_text, say
from mindatlas.graphs.result_text import text_of_result

_MARKS = {True: "✓", False: "✗"}


def report(output: Mapping[str, Any]) -> None:
    """Print how a run ended: its result and where it lies, or the program that waits, or why there is none."""
    for notice in output["notices"]:
        say(f"note: {notice}")
    _tell_repairs(output)
    for record in output["assertions"]:
        say(f"{_MARKS[record['passed']]} {record['description']}{_difference(record)}")
    if "waiting_for" in output:
        _ask(output)
    elif output["status"] == "pass":
        print_text(text_of_result(output["result"]))
        print_text(f"-> {_shown(output['output'])}")
    else:
        say(f"{output['status']}: {output['stop_reason']}")


def _ask(output: Mapping[str, Any]) -> None:
    print_text(output["waiting_for"]["code"])
    say(output["waiting_for"]["question"])
    say(f"Then: mindatlas resume {output['run_id']} --answer yes")


def _tell_repairs(output: Mapping[str, Any]) -> None:
    """Print what went wrong on the way: programs sent back before they ran, and rounds that failed."""
    missing = dict.fromkeys(name for found in output["precheck"] for name in found["missing"])
    if output["precheck_regenerations"]:
        why = f": no column {', '.join(map(repr, missing))}" if missing else ""
        say(f"precheck: {output['precheck_regenerations']} program(s) sent back before running{why}")
    for round_ in output["rounds"]:
        if round_["error_type"]:
            told = round_["error"] or _first_failure(round_["assertions"])
            say(f"round {round_['round']} ({round_['strategy']}): {round_['error_type']} {told}")


def _first_failure(records: Sequence[Mapping[str, Any]]) -> str:
    return next((f"{one['description']}{_difference(one)}" for one in records if not one["passed"]), "")


def _difference(record: Mapping[str, Any]) -> str:
    if record["passed"]:
        return ""
    told = [
        f"{name} {record[name]}" for name in ("expected", "actual", "difference") if record[name] is not None
    ]
    return ": " + "; ".join([", ".join(told), *([record["reason"]] if record["reason"] else [])])


def _shown(path: str) -> str:
    """Return a path as short as it can be written from here."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path
