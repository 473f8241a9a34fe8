"""The commands under `mindatlas eval`: one thin function a job; heavy modules load inside them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindatlas.evals.migrations.against import AgainstCommand

app = typer.Typer(
    name="eval",
    help="Measure, compare, and learn from failures.",
    add_completion=False,
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

VariantFile = Annotated[
    Path | None, typer.Option(help="A variant: suite, settings, prompts, budget, as YAML.")
]
Repetitions = Annotated[int, typer.Option(help="Runs of each case and variant, 1 to 10.")]
Seed = Annotated[int, typer.Option(help="Of the bootstrap and the sign flips.")]
VariantModel = Annotated[
    str | None,
    typer.Option("--model", help="The model of every variant: builtin, faulty:SEED, provider:model."),
]
VariantUrl = Annotated[str | None, typer.Option("--base-url", help="Address of an OpenAI-compatible server.")]
VariantRecord = Annotated[Path | None, typer.Option("--record", help="Record the model's calls here.")]
VariantReplay = Annotated[Path | None, typer.Option("--replay", help="Replay recorded calls, make none.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Tell runs, calls and expected cost; run nothing.")]
ResumeRuns = Annotated[bool, typer.Option("--resume", help="Go on where a run was killed.")]
RetryErrors = Annotated[
    bool, typer.Option("--retry-errors", help="Go on, and run again what ended as an infra error.")
]


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


@app.command(cls=AgainstCommand)
def migrations(
    audits: Annotated[list[Path], typer.Argument(help="Audit logs of AtlasSplit, or folders of them.")],
    against: Annotated[list[Path] | None, typer.Option(help="Logs to compare with: all that follow.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page with the heat map.")] = None,
    json_: Json = False,
) -> None:
    """Show which kinds of failure repairs turn into which, how often, and what causes it."""
    from mindatlas.evals.migrations import command

    raise typer.Exit(command.migrations(audits, against or [], html, as_json=json_))


@app.command()
def compare(
    baseline: VariantFile = None,
    candidate: VariantFile = None,
    experiment: Annotated[
        str | None, typer.Option(help="A shipped experiment instead of two files: prompt, tool or context.")
    ] = None,
    observations: Annotated[
        Path | None, typer.Option(help="Results that somebody else produced, JSON lines; with --plan.")
    ] = None,
    plan: Annotated[Path | None, typer.Option(help="Which results there must be, JSON or YAML.")] = None,
    repetitions: Repetitions = 1,
    seed: Seed = 0,
    model: VariantModel = None,
    base_url: VariantUrl = None,
    record: VariantRecord = None,
    replay: VariantReplay = None,
    dry_run: DryRun = False,
    resume: ResumeRuns = False,
    retry_errors: RetryErrors = False,
    out: Folder = None,
    json_: Json = False,
) -> None:
    """Run two variants in pairs and tell the lift. Exit code 1 when a result is missing or invalid."""
    from mindatlas.evals.experiments import commands

    options = commands.RunOptions(
        repetitions=repetitions, seed=seed, out=out, resume=resume, retry_errors=retry_errors, dry_run=dry_run,
        as_json=json_, settings=commands.model_settings(model, base_url, record, replay),
    )  # fmt: skip
    sources = commands.Sources(
        baseline=baseline, candidate=candidate, experiment=experiment, observations=observations, plan=plan
    )
    raise typer.Exit(commands.compare_sources(sources, options))


@app.command()
def ablate(
    graph: Annotated[str, typer.Argument(help="mindtrip, atlassplit or workdesk")],
    suite: Annotated[
        str | None, typer.Option(help="A suite of that graph (default: the bundled one).")
    ] = None,
    repetitions: Repetitions = 1,
    seed: Seed = 0,
    model: VariantModel = None,
    base_url: VariantUrl = None,
    record: VariantRecord = None,
    replay: VariantReplay = None,
    dry_run: DryRun = False,
    resume: ResumeRuns = False,
    retry_errors: RetryErrors = False,
    out: Folder = None,
    json_: Json = False,
) -> None:
    """Switch each repair of a graph off in turn, by layer, and all at once. Exit code 1 when incomplete."""
    from mindatlas.evals.experiments import commands

    options = commands.RunOptions(
        repetitions=repetitions, seed=seed, out=out, resume=resume, retry_errors=retry_errors, dry_run=dry_run,
        as_json=json_, settings=commands.model_settings(model, base_url, record, replay),
    )  # fmt: skip
    raise typer.Exit(commands.ablate(graph, suite, options))


FastJudge = Annotated[str, typer.Option("--judge", help="builtin, or provider:model.")]
JudgeUrl = Annotated[str | None, typer.Option("--base-url", help="Address of an OpenAI-compatible server.")]
JudgeRecord = Annotated[str | None, typer.Option("--record", help="Record the judges' calls here.")]
JudgeReplay = Annotated[str | None, typer.Option("--replay", help="Replay recorded calls, make none.")]


@app.command()
def answers(
    suite: SuiteName,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the answers go, as JSON lines.")],
) -> None:
    """Run a suite of MindTrip and write its answers, ready to be judged or labelled."""
    from mindatlas.evals.judging import commands

    raise typer.Exit(commands.write_suite_answers(suite, out))


@app.command()
def judge(
    answers: Annotated[Path, typer.Argument(help="Answers as JSON lines, as `eval answers` writes them.")],
    baseline: Annotated[
        Path | None, typer.Option(help="The baseline's answers; a case without one is judged accurately.")
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="faithfulness, completeness, relevance (default: all).")
    ] = None,
    fast: Annotated[
        str, typer.Option("--fast", help="The fast judge: builtin, or provider:model.")
    ] = "builtin",
    accurate: Annotated[
        str | None, typer.Option(help="The accurate judge, provider:model (default: none).")
    ] = None,
    change: Annotated[
        float, typer.Option(help="Change of the fast value from which the accurate counts.")
    ] = 0.15,
    audit_share: Annotated[float, typer.Option(help="Share of pairs that both judges see.")] = 0.05,
    seed: Annotated[int, typer.Option(help="Of the audit's draws.")] = 0,
    base_url: JudgeUrl = None,
    record: JudgeRecord = None,
    replay: JudgeReplay = None,
    dry_run: DryRun = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where the verdicts go, as JSON lines.")
    ] = None,
    json_: Json = False,
) -> None:
    """Judge answers in two tiers. Exit code 1 when nothing of a metric could be scored."""
    from mindatlas.evals.judging import commands, tiers

    options = commands.JudgeOptions(
        fast=fast, accurate=accurate, base_url=base_url, record=record, replay=replay,
        tiers=tiers.TierSettings(change=change, audit_share=audit_share, seed=seed),
    )  # fmt: skip
    code = commands.judge(answers, baseline, metric or [], options, out=out, dry_run=dry_run, as_json=json_)
    raise typer.Exit(code)


@app.command()
def agreement(
    labels: Annotated[Path, typer.Argument(help="People's labels as JSON lines.")],
    judge: FastJudge = "builtin",
    base_url: JudgeUrl = None,
    record: JudgeRecord = None,
    replay: JudgeReplay = None,
    json_: Json = False,
) -> None:
    """Tell how far a judge agrees with people: kappa with the base rate, and its errors."""
    from mindatlas.evals.judging import commands

    options = commands.JudgeOptions(fast=judge, base_url=base_url, record=record, replay=replay)
    raise typer.Exit(commands.agreement(labels, options, as_json=json_))
