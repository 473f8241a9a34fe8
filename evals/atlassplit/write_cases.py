"""Writes the case files of AtlasSplit: `python -m mindatlas.evals.atlassplit.write_cases [FOLDER]`.

The files change only when a table, a task or a formula does; a test compares them with what this writes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mindatlas.evals.atlassplit import (
    tasks_columns,
    tasks_refusals,
    tasks_rows,
    tasks_shapes,
    tasks_time,
    tasks_totals,
)
from mindatlas.evals.atlassplit.task import Task, numbered
from mindatlas.evals.files import write_jsonl

_GROUPS = {
    "totals": tasks_totals,
    "rows": tasks_rows,
    "columns": tasks_columns,
    "time": tasks_time,
    "shapes": tasks_shapes,
    "refusals": tasks_refusals,
}
FOLDER = Path(__file__).parent.parent / "cases" / "atlassplit"


def all_cases() -> dict[str, list[Task]]:
    """Return the cases by the name of their file."""
    return {name: numbered(name, group.tasks()) for name, group in _GROUPS.items()}


def main(folder: Path) -> None:
    """Write one file a group of tasks into `folder`."""
    for name, cases in all_cases().items():
        write_jsonl(folder / f"{name}.jsonl", cases)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
