"""A result as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

MOST_ROWS = 20
LONGEST_CELL = 40  # columns of the terminal


def text_of_result(result: Mapping[str, Any] | None) -> str:
    """Return a result as the output shows it: a value, or tables of at most 20 rows, columns aligned.

    Chinese characters count two columns. No result gives empty text.
    """
    if result is None:
        return ""
    if result["kind"] == "scalar":
        return _cell(result["value"])
    if result["kind"] == "table":
        return _table_text(result)
    return "\n\n".join(f"[{name}]\n{_table_text(table)}" for name, table in result["tables"].items())


def _table_text(table: Mapping[str, Any]) -> str:
    rows = [list(map(_cell, row)) for row in table["rows"][:MOST_ROWS]]
    lines = list(_aligned([list(map(_cell, table["columns"])), *rows]))
    left = table["n_rows"] - len(rows)
    return "\n".join([*lines, *([f"… {left} more rows"] if left > 0 else [])])


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _cell(value: object) -> str:
    """Return a cell on one line; a missing one is empty, a float has at most ten significant digits."""
    if value is None:
        return ""
    text = f"{value:.10g}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
