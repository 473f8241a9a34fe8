"""The commands of AtlasSplit as the command line declares them: sheet, schema, precheck."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from mindatlas.graphs.options import BaseUrl, Json, Model, Out, Record, Replay, Resume
from mindatlas.nodes.errors import UsageError

Private = Annotated[
    bool,
    typer.Option("--private", help="No cell value leaves the machine or enters the audit: patterns instead."),
]
Hidden = Annotated[bool, typer.Option("--hidden", help="Read hidden sheets and rows too.")]


def sheet(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORKBOOK... REQUEST", help="Files, and last the request (not with --code)."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The result workbook; an existing one is replaced. Default: beside the first workbook, under a "
            "free name. With --batch: the folder of the results.",
        ),
    ] = None,
    asserted: Annotated[
        Path | None, typer.Option("--assert", help="YAML list of what must hold of the result.")
    ] = None,
    rounds: Annotated[int, typer.Option(help="Programs that may run, 1 to 10.")] = 3,
    approve: Annotated[bool, typer.Option("--approve", help="Show each new program and wait.")] = False,
    private: Private = False,
    code: Annotated[Path | None, typer.Option(help="Run this program instead of writing one.")] = None,
    from_audit: Annotated[Path | None, typer.Option(help="Run again what this audit tells of.")] = None,
    sandbox: Annotated[
        Literal["landlock", "subprocess"], typer.Option(help="subprocess: only for code you trust.")
    ] = "landlock",
    today: Annotated[
        str | None, typer.Option(help="The day that 今年 or last month is counted from (default: today).")
    ] = None,
    run_timeout: Annotated[float, typer.Option(help="Seconds that one run may take.")] = 20.0,
    token_budget: Annotated[int | None, typer.Option(help="Tokens after which no round begins.")] = None,
    cost_budget: Annotated[float | None, typer.Option(help="Money after which no round begins.")] = None,
    time_budget: Annotated[float | None, typer.Option(help="Seconds after which no round begins.")] = None,
    hidden: Hidden = False,
    model: Model = "builtin",
    base_url: BaseUrl = None,
    disable: Annotated[
        list[str] | None, typer.Option(help="Switch a check or repair off; may be repeated.")
    ] = None,
    batch: Annotated[
        Path | None, typer.Option(help="JSONL of {id, workbooks, request, assertions?}.")
    ] = None,
    out: Out = None,
    resume: Resume = False,
    record: Record = None,
    replay: Replay = None,
    json_: Json = False,
) -> None:
    """Do what a sentence asks of spreadsheets: a checked result workbook, with its program and audit."""
    from mindatlas.graphs import sheet_commands

    settings = sheet_commands.settings_from(
        model=model, base_url=base_url, rounds=rounds, approve=approve, private=private, sandbox=sandbox,
        run_timeout_s=run_timeout, token_budget=token_budget, cost_budget=cost_budget, time_budget_s=time_budget,
        include_hidden=hidden, today=today, disabled=disable or [], record=record, replay=replay,
    )  # fmt: skip
    if batch is None and (out or resume):
        raise UsageError("--out and --resume go with --batch; the result workbook is named by -o")
    if batch is not None and (arguments or code or from_audit or asserted):
        raise UsageError(
            "--batch names workbooks, requests and assertions in its lines: give nothing beside it"
        )
    if batch is not None:
        exit_code = sheet_commands.sheet_batch(settings, batch, out, output, resume=resume)
    else:
        inputs = sheet_commands.inputs_from(
            arguments or [], code=code, audit=from_audit, asserted=asserted, save_as=output
        )
        exit_code = sheet_commands.sheet_once(settings, inputs, as_json=json_)
    raise typer.Exit(exit_code)


def schema(
    workbooks: Annotated[list[Path], typer.Argument(metavar="WORKBOOK...", help="Files to describe.")],
    private: Private = False,
    hidden: Hidden = False,
    json_: Json = False,
) -> None:
    """Show what is in workbooks: sheets, columns, types, samples, and what to be careful with."""
    from mindatlas.graphs import schema_commands

    raise typer.Exit(schema_commands.schema(workbooks, private=private, hidden=hidden, as_json=json_))


def precheck(
    code: Annotated[Path | None, typer.Argument(metavar="CODE.py", help="The program to look at.")] = None,
    workbook: Annotated[
        list[Path] | None, typer.Option(help="A workbook that the program reads; may be repeated.")
    ] = None,
    batch: Annotated[Path | None, typer.Option(help="JSONL of {id, frames, code}.")] = None,
    out: Out = None,
    resume: Resume = False,
    json_: Json = False,
) -> None:
    """Check a pandas program against the real columns, without running it."""
    from mindatlas.graphs import schema_commands

    if batch is not None:
        exit_code = schema_commands.precheck_batch(batch, out, resume=resume)
    else:
        exit_code = schema_commands.precheck_once(code, workbook or [], as_json=json_)
    raise typer.Exit(exit_code)
