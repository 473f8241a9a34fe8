"""`--against A B C` on the command line: the option takes all files that follow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from typer.core import TyperCommand

OPTION = "--against"


class AgainstCommand(TyperCommand):
    """A command whose option `--against` takes several values, as a shell's `*` gives them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return the arguments left over after parsing."""
        return super().parse_args(ctx, list(spread(args)))


def spread(args: Sequence[str]) -> Iterator[str]:
    """Yield the arguments with the option repeated before each of its values.

    Example:
        >>> list(spread(["a", "--against", "b", "c", "--json"]))
        ['a', '--against', 'b', '--against', 'c', '--json']
    """
    taking = False
    for at, arg in enumerate(args):
        if arg == OPTION and at + 1 < len(args) and not args[at + 1].startswith("-"):
            taking = True
            continue
        taking = taking and not arg.startswith("-")
        if taking:
            yield OPTION
        yield arg
