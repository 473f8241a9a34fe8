"""What the command `sheet` tells at the terminal: the result on stdout, all else on stderr."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindatlas.graphs.console import print_text, say
from mindatlas.graphs.result_text import text_of_result

_MARKS = {True: "✓", False: "✗"}


def report(output: Mapping[str, Any]) -> None:
    """Print how a run ended: its result and where it lies, or the program that waits, or why there is none."""
    for notice in output["notices"]:
        say(f"note: {notice}")
    for record in output["assertions"]:
        say(f"{_MARKS[record['passed']]} {record['description']}{_difference(record)}")
    if "waiting_for" in output:
        _ask(output)
    elif output["status"] == "pass":
        print_text(text_of_result(output["result"]))
        print_text(f"-> {_shown(output['output'])}")
    else:
        _explain(output)


def _ask(output: Mapping[str, Any]) -> None:
    print_text(output["waiting_for"]["code"])
    say(output["waiting_for"]["question"])
    say(f"Then: mindatlas resume {output['run_id']} --answer yes")


def _explain(output: Mapping[str, Any]) -> None:
    for round_ in output["rounds"]:
        told = round_["error"] or round_["evidence"]
        say(f"round {round_['round']} ({round_['strategy']}): {round_['error_type']} {told}")
    say(f"{output['status']}: {output['stop_reason']}")


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
