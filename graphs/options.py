"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Model = Annotated[
    str, typer.Option(envvar="MINDATLAS_MODEL", help="builtin, faulty[:seed] or provider:model.")
]
BaseUrl = Annotated[
    str | None, typer.Option(envvar="MINDATLAS_BASE_URL", help="Address of an OpenAI-compatible server.")
]
Out = Annotated[Path | None, typer.Option(help="Where the results of a batch go (default: stdout).")]
Resume = Annotated[bool, typer.Option("--resume", help="With --out: skip the lines that are there.")]
Record = Annotated[Path | None, typer.Option(help="Record the model's calls in this folder.")]
Replay = Annotated[Path | None, typer.Option(help="Replay recorded calls instead of making any.")]
