"""The report at the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mindatlas.evals.regression.report import LISTED, Report, change_of, shown


def print_report(report: Report, console: Console, *, by_type: bool = False) -> None:
    """Print a report: the opening figures, the measures (of each case type with `by_type`), the lists."""
    console.print(f"[bold]{escape(report.title)}[/bold]")
    console.print(" · ".join(f"{name} {escape(value)}" for name, value in report.opening))
    table = Table()
    for heading in ("cases", "measure", "value", "n", "since the baseline", "asked"):
        table.add_column(heading, no_wrap=True, justify="right" if heading in {"value", "n"} else "left")
    for row in report.rows:
        if by_type or row.case_type == "all" or row.threshold or row.worse:
            table.add_row(
                row.case_type, row.measure, shown(row.value), str(row.n), change_of(row), row.threshold
            )
    console.print(table)
    for heading, changes in (("New failures", report.new_failures), ("Recovered", report.recovered)):
        for change in changes[:LISTED]:
            console.print(
                f"{heading}: {escape(change.case)} {escape(change.reason)} — {escape(change.cause)}"
            )
    for text in (*report.reasons[:LISTED], *report.notes):
        console.print(f"- {escape(text)}")
