"""The runner: one thin command per job; heavy modules load inside the commands that need them."""

from __future__ import annotations

from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated, Literal

import typer

from mindatlas.graphs import desk_cli, sheet_cli
from mindatlas.graphs.console import print_text
from mindatlas.graphs.lazy_commands import LazyGroup
from mindatlas.graphs.options import BaseUrl, Json, Model, Out, Record, Replay, Resume
from mindatlas.nodes.errors import UsageError

app = typer.Typer(
    name="mindatlas",
    cls=LazyGroup,
    help="LangGraph workflows that notice and repair their own mistakes.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
kb_app = typer.Typer(help="Look at and delete knowledge bases.", no_args_is_help=True)
app.add_typer(kb_app, name="kb")
for command in (sheet_cli.sheet, sheet_cli.schema, sheet_cli.precheck, desk_cli.desk, desk_cli.verify_reply):
    app.command()(command)

KnowledgeBaseName = Annotated[str, typer.Option("--kb", help="Name or folder of the knowledge base.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"mindatlas {installed_version('mindatlas')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """LangGraph workflows that notice and repair their own mistakes."""


@app.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="The question; without one, a chat.")] = None,
    kb: KnowledgeBaseName = "hainan",
    model: Model = "builtin",
    base_url: BaseUrl = None,
    reranker: Annotated[str, typer.Option(help="builtin, auto or bge:MODEL.")] = "builtin",
    rerank_budget: Annotated[float | None, typer.Option(help="Seconds a model reranker may take.")] = None,
    filter_: Annotated[
        list[str] | None, typer.Option("--filter", help="A hard condition, field=value; may be repeated.")
    ] = None,
    disable: Annotated[list[str] | None, typer.Option(help="Switch a repair off; may be repeated.")] = None,
    thread: Annotated[str | None, typer.Option(help="Keep the conversation under this id.")] = None,
    stream: Annotated[bool, typer.Option("--stream", help="Show each step, then the verified text.")] = False,
    batch: Annotated[Path | None, typer.Option(help="JSONL of {id, question, filters?, thread?}.")] = None,
    out: Out = None,
    resume: Resume = False,
    record: Record = None,
    replay: Replay = None,
    json_: Json = False,
) -> None:
    """Answer a question from a knowledge base, with citations."""
    from mindatlas.graphs import mindtrip_commands

    options = mindtrip_commands.settings_from(
        kb=kb, model=model, base_url=base_url, reranker=reranker, rerank_budget_s=rerank_budget,
        disabled=disable or [], record=record, replay=replay,
    )  # fmt: skip
    if batch is not None and filter_:
        raise UsageError("--filter goes with one question; a batch names its filters in each line")
    if batch is None and (resume or out):
        raise UsageError("--out and --resume go with --batch")
    if batch is not None:
        code = mindtrip_commands.ask_batch(options, batch, out, resume=resume)
    elif question is None:
        code = mindtrip_commands.chat(options, filter_ or [], thread)
    else:
        code = mindtrip_commands.ask_once(
            options, question, filter_ or [], thread, stream=stream, as_json=json_
        )
    raise typer.Exit(code)


@app.command()
def ingest(
    paths: Annotated[
        list[Path], typer.Argument(help="Files or folders: md txt html csv xlsx jsonl json pdf.")
    ],
    kb: KnowledgeBaseName,
    embedding: Annotated[
        str,
        typer.Option(help="auto, builtin, e5, bge:MODEL or provider:model; chosen once per knowledge base."),
    ] = "auto",
    lexical: Annotated[
        Literal["rank-bm25", "bm25s"] | None, typer.Option(help="The word index (default: by size).")
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build all indexes anew.")] = False,
    json_: Json = False,
) -> None:
    """Bring a knowledge base in line with files: add, change, delete."""
    from mindatlas.graphs import knowledge_commands

    raise typer.Exit(knowledge_commands.ingest(paths, kb, embedding, lexical, rebuild=rebuild, as_json=json_))


@kb_app.command("list")
def list_(json_: Json = False) -> None:
    """List the knowledge bases under MINDATLAS_HOME."""
    from mindatlas.graphs import knowledge_commands

    knowledge_commands.show_list(as_json=json_)


@kb_app.command()
def info(kb: Annotated[str, typer.Argument(help="Name or folder.")] = "hainan", json_: Json = False) -> None:
    """Show size, embedding, fields and documents of a knowledge base."""
    from mindatlas.graphs import knowledge_commands

    knowledge_commands.show_info(kb, as_json=json_)


@kb_app.command()
def delete(
    kb: Annotated[str, typer.Argument(help="Name or folder.")],
    document: Annotated[
        list[str] | None, typer.Option(help="Delete only this document; may be repeated.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask before deleting the whole knowledge base.")
    ] = False,
    json_: Json = False,
) -> None:
    """Delete documents, or a whole knowledge base."""
    from mindatlas.graphs import knowledge_commands

    raise typer.Exit(knowledge_commands.delete(kb, document or [], confirmed=yes, as_json=json_))


@app.command()
def resume(
    run_id: Annotated[str, typer.Argument(help="The run id that a command printed.")],
    answer: Annotated[
        str | None, typer.Option(help="The answer to what the run asked; @FILE takes a file's text.")
    ] = None,
    json_: Json = False,
) -> None:
    """Go on with a run that stopped: after a crash, or with the answer it waits for."""
    from mindatlas.graphs import resuming

    raise typer.Exit(resuming.resume(run_id, answer, as_json=json_))


@app.command()
def draw(graph: Annotated[str, typer.Argument(help="mindtrip, atlassplit or workdesk")]) -> None:
    """Print a graph as mermaid, as it is wired."""
    from mindatlas.graphs.registry import load_graph

    print_text(load_graph(graph).get_graph().draw_mermaid())


@app.command()
def doctor(
    model: Annotated[str, typer.Option(envvar="MINDATLAS_MODEL", help="The model to check.")] = "builtin",
    base_url: Annotated[str | None, typer.Option(envvar="MINDATLAS_BASE_URL", help="Its address.")] = None,
    json_: Json = False,
) -> None:
    """Show resolved settings, paths, extras, and whether the model answers."""
    from mindatlas.graphs import doctor as doctor_command

    raise typer.Exit(doctor_command.report(model, base_url, as_json=json_))


@app.command(
    "eval",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
def eval_(context: typer.Context) -> None:
    """Measure, compare, and learn from failures; `mindatlas eval --help` lists the commands."""
    from importlib import import_module

    # By name: the graphs know nothing of the bench, which stands above them.
    commands: typer.Typer = import_module("mindatlas.evals.cli").app
    commands(context.args, prog_name="mindatlas eval")


@app.command()
def release(
    audits: Annotated[list[Path], typer.Argument(help="Audit logs of AtlasSplit, or folders of them.")],
    folder: Annotated[Path, typer.Option("-o", "--output", help="A new folder for the data set.")],
    key: Annotated[
        Path | None, typer.Option(help="File with the key for ids (default: made under MINDATLAS_HOME).")
    ] = None,
    terms: Annotated[Path | None, typer.Option(help="More business terms that block, one a line.")] = None,
    json_: Json = False,
) -> None:
    """Make an error data set without customers; exit code 1 when a check blocks it."""
    from importlib import import_module

    command = import_module("mindatlas.evals.release.command")
    raise typer.Exit(command.release(audits, folder, key=key, terms=terms, as_json=json_))
