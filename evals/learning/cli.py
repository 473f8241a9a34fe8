"""The commands `mindatlas feedback …`: thin; what does the work loads inside the command that needs it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from mindatlas.graphs.options import BaseUrl, Json, Model, Record, Replay

app = typer.Typer(
    name="feedback",
    help="Turn bad answers into reviewed cases.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

Suites = Annotated[
    list[str] | None,
    typer.Option("--suite", help="Suite whose cases exist already; may be repeated (default: all bundled)."),
]


@app.callback()
def _options() -> None:
    """Turn bad answers into reviewed cases."""


@app.command()
def add(
    output: Annotated[
        Path | None, typer.Argument(help="JSON output of ask, sheet or desk, one or one a line; - is stdin.")
    ] = None,
    thumbs: Annotated[
        Literal["up", "down"] | None, typer.Option(help="up is counted, down becomes a draft.")
    ] = None,
    comment: Annotated[str, typer.Option(help="What the user said about it.")] = "",
    question: Annotated[str | None, typer.Option(help="The question, where there is no output.")] = None,
    answer: Annotated[str, typer.Option(help="The answer, where there is no output.")] = "",
    graph: Annotated[
        Literal["mindtrip", "atlassplit", "workdesk"],
        typer.Option(help="Which graph, where there is no output."),
    ] = "mindtrip",
    run_id: Annotated[str | None, typer.Option(help="The run, where there is no output.")] = None,
    model: Annotated[str, typer.Option(help="The model, where there is no output.")] = "",
    json_: Json = False,
) -> None:
    """Store what a user said about an answer; personal data is masked first."""
    from mindatlas.evals.learning import commands

    given = commands.Given(
        question=question,
        answer=answer,
        graph=graph,
        run_id=run_id,
        model=model,
        thumbs=thumbs,
        comment=comment,
    )
    raise typer.Exit(commands.add(output, given, as_json=json_))


@app.command("import")
def import_(
    files: Annotated[
        list[Path], typer.Argument(help="Repair drafts of desk --drafts, or audit logs of sheet.")
    ],
    json_: Json = False,
) -> None:
    """Take repair drafts of Workdesk and failed runs of AtlasSplit into the same queue."""
    from mindatlas.evals.learning import commands

    raise typer.Exit(commands.import_files(files, as_json=json_))


@app.command()
def draft(
    kb: Annotated[
        str, typer.Option(help="Knowledge base that expected passages are proposed from.")
    ] = "hainan",
    suites: Suites = None,
    model: Model = "builtin",
    base_url: BaseUrl = None,
    record: Record = None,
    replay: Replay = None,
    json_: Json = False,
) -> None:
    """Draft a case for each bad answer; those that ask the same are merged with a count."""
    from mindatlas.evals.learning import commands

    code = commands.draft(
        kb, suites, model=model, base_url=base_url, record=record, replay=replay, as_json=json_
    )
    raise typer.Exit(code)


@app.command()
def review(
    accept: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Accept a draft; may be repeated.")
    ] = None,
    edit: Annotated[
        str | None, typer.Option(metavar="ID", help="Accept a draft with the content of --case.")
    ] = None,
    case: Annotated[Path | None, typer.Option(help="JSON file with the edited case.")] = None,
    reject: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Reject a draft; may be repeated.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why it is rejected.")] = "",
    by: Annotated[str | None, typer.Option(help="Who decides (default: the user's login name).")] = None,
    state: Annotated[
        Literal["waiting", "covered", "accepted", "rejected", "merged", "all"],
        typer.Option(help="Which drafts to list."),
    ] = "waiting",
    json_: Json = False,
) -> None:
    """List the queue, or decide; without options in a terminal, go through it draft by draft."""
    from mindatlas.evals.learning import commands

    decisions = commands.Decisions(
        accept=tuple(accept or ()), edit=edit, case=case, reject=tuple(reject or ()), reason=reason, by=by
    )
    raise typer.Exit(commands.review(decisions, state, as_json=json_))


@app.command()
def merge(
    suite: Annotated[
        str, typer.Option(help="The suite that gets the accepted cases: a file or a bundled name.")
    ],
    cases: Annotated[
        Path | None, typer.Option(help="Its case file (default: user_feedback.jsonl beside the first one).")
    ] = None,
    json_: Json = False,
) -> None:
    """Write accepted drafts into a suite and raise its protocol version."""
    from mindatlas.evals.learning import commands

    raise typer.Exit(commands.merge_into(suite, cases, as_json=json_))


@app.command()
def stats(
    plot: Annotated[Path | None, typer.Option(help="Write one self-contained HTML page with plots.")] = None,
    json_: Json = False,
) -> None:
    """Count from feedback to cases, and question kinds over time."""
    from mindatlas.evals.learning import commands

    raise typer.Exit(commands.stats(plot, as_json=json_))


@app.command()
def delete(
    run: Annotated[
        str | None, typer.Option(metavar="RUN_ID", help="Delete the feedback about this run.")
    ] = None,
    expired: Annotated[
        bool, typer.Option("--expired", help="Delete what is older than the retention.")
    ] = False,
    retention: Annotated[
        int | None, typer.Option(metavar="DAYS", help="Set the retention; 0 keeps everything.")
    ] = None,
    json_: Json = False,
) -> None:
    """Delete feedback by run or by age, with the drafts that rest on nothing else."""
    from mindatlas.evals.learning import commands

    raise typer.Exit(commands.delete(run, expired=expired, retention=retention, as_json=json_))
