"""The commands of Workdesk as the command line declares them: desk, verify-reply."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindatlas.graphs.options import BaseUrl, Json, Model, Out, Record, Replay, Resume
from mindatlas.nodes.errors import UsageError


def desk(
    question: Annotated[str | None, typer.Argument(help="The question; without one, a chat.")] = None,
    mcp: Annotated[
        Path | None, typer.Option(help="An mcp.json of tool servers (default: the bundled order server).")
    ] = None,
    overlay: Annotated[
        list[Path] | None, typer.Option(help="A folder of overlay files; may be repeated.")
    ] = None,
    model: Model = "builtin",
    base_url: BaseUrl = None,
    thread: Annotated[str | None, typer.Option(help="Keep the conversation under this id.")] = None,
    today: Annotated[
        str | None, typer.Option(help="The day that 上个月 or last month is counted from (default: today).")
    ] = None,
    tools: Annotated[int, typer.Option(help="Tools chosen for a question, 1 to 50.")] = 8,
    max_calls: Annotated[int, typer.Option(help="Calls that one question may make, 1 to 20.")] = 8,
    call_timeout: Annotated[float, typer.Option(help="Seconds that one call may take.")] = 30.0,
    disable: Annotated[list[str] | None, typer.Option(help="Switch a repair off; may be repeated.")] = None,
    drafts: Annotated[
        Path | None, typer.Option(help="Append a draft evaluation case for each repair to this JSONL file.")
    ] = None,
    check_overlays: Annotated[
        bool, typer.Option("--check-overlays", help="Compare the overlays with the servers; exit 1 on drift.")
    ] = False,
    batch: Annotated[Path | None, typer.Option(help="JSONL of {id, question, thread?}.")] = None,
    out: Out = None,
    resume: Resume = False,
    record: Record = None,
    replay: Replay = None,
    json_: Json = False,
) -> None:
    """Answer a question from work orders, with tools of MCP servers whose calls and replies are checked."""
    from mindatlas.graphs import desk_commands

    settings = desk_commands.settings_from(
        mcp=mcp, overlays=tuple(map(str, overlay or [])), model=model, base_url=base_url, today=today, tools=tools,
        max_calls=max_calls, call_timeout_s=call_timeout, disabled=tuple(disable or []), record=record,
        replay=replay,
    )  # fmt: skip
    if batch is None and (resume or out):
        raise UsageError("--out and --resume go with --batch")
    if question is not None and (batch is not None or check_overlays):
        raise UsageError("--batch and --check-overlays take no question beside them")
    if check_overlays:
        exit_code = desk_commands.check_overlays(settings, as_json=json_)
    elif batch is not None:
        exit_code = desk_commands.desk_batch(settings, batch, out, resume=resume, drafts=drafts)
    elif question is None:
        exit_code = desk_commands.chat(settings, thread)
    else:
        exit_code = desk_commands.desk_once(settings, question, thread, drafts=drafts, as_json=json_)
    raise typer.Exit(exit_code)


def verify_reply(
    batch: Annotated[Path | None, typer.Option(help="JSONL of {id, reply, tool_results, tools}.")] = None,
    calibrate: Annotated[
        Path | None, typer.Option(help="JSONL of the same with a label: propose length and coverage.")
    ] = None,
    length: Annotated[int, typer.Option(help="Characters up to which a reply may be a pseudo call.")] = 200,
    coverage: Annotated[float, typer.Option(help="Share of it that the call must cover, 0 to 1.")] = 0.4,
    out: Out = None,
    resume: Resume = False,
    json_: Json = False,
) -> None:
    """Check replies that some agent gave: printed tool calls, and “no data” over full results."""
    from mindatlas.graphs import verify_commands

    if (batch is None) == (calibrate is None):
        raise UsageError("Name either --batch REPLIES.jsonl or --calibrate LABELLED.jsonl")
    if calibrate is not None:
        exit_code = verify_commands.calibrate(calibrate, as_json=json_)
    else:
        assert batch is not None
        exit_code = verify_commands.verify_batch(batch, out, resume=resume, length=length, coverage=coverage)
    raise typer.Exit(exit_code)
