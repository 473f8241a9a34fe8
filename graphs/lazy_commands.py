"""Command groups of other rooms: named here, imported when one of them is used or listed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

# Upward, by name only: nothing in graphs imports evals, and the command line shows both.
HOMES = {"feedback": "mindatlas.evals.learning.cli"}


class LazyGroup(TyperGroup):
    """The commands of `mindatlas`, and those of HOMES after them.

    The types are Any because typer brings its own copy of click in some versions and not in others.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order they are shown in."""
        return [*super().list_commands(ctx), *HOMES]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command `cmd_name`, None where there is none."""
        if cmd_name in HOMES:
            return get_command(import_module(HOMES[cmd_name]).app)
        return super().get_command(ctx, cmd_name)
