"""The commands under `mindatlas eval`: one thin function a job; heavy modules load inside them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="eval",
    help="Measure, compare, and learn from failures.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

SuiteName = Annotated[str, typer.Argument(help="A suite file, or the name of a bundled suite: mindtrip.")]
Folder = Annotated[
    Path | None, typer.Option("--out", "-o", help="Where results and reports go (default: under home).")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes (default: one a core, at most 4).")]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Run again what is kept. Not to resume: a second --fresh starts over.")
]
ByType = Annotated[bool, typer.Option("--by-type", help="Show the measures of each case type.")]


@app.callback()
def _options() -> None:
    """Measure, compare, and learn from failures."""


@app.command()
def run(
    suite: SuiteName,
    out: Folder = None,
    workers: Workers = None,
    fresh: Fresh = False,
    by_type: ByType = False,
    json_: Json = False,
) -> None:
    """Run a suite; what a killed run had done is not done again. Exit code 1 when a case could not be scored."""
    from mindatlas.evals.regression import commands

    code = commands.run(suite, out, workers=workers, fresh=fresh, by_type=by_type, as_json=json_)
    raise typer.Exit(code)


@app.command()
def gate(
    suite: SuiteName,
    baseline: Annotated[
        Path | None, typer.Option(help="The baseline (default: baselines/<suite>.json beside suites).")
    ] = None,
    pinned: Annotated[
        Path | None, typer.Option(help="The release baseline (default: <baseline>.release.json where it is).")
    ] = None,
    update_baseline: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="After a pass: make this run the baseline, and say why."),
    ] = None,
    pin: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="After a pass: pin this run as the release, and say why."),
    ] = None,
    out: Folder = None,
    workers: Workers = None,
    fresh: Fresh = False,
    by_type: ByType = False,
    json_: Json = False,
) -> None:
    """Run a suite and compare it. Exit code 0 pass, 1 regression or incomplete, 4 undecided."""
    from mindatlas.evals.regression import commands

    options = commands.GateOptions(baseline=baseline, pinned=pinned, update=update_baseline, pin=pin)
    code = commands.gate_suite(
        suite, options, out, workers=workers, fresh=fresh, by_type=by_type, as_json=json_
    )
    raise typer.Exit(code)
