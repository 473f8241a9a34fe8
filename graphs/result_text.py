"""A result as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

MOST_ROWS = 20  # of a single table
MOST_TABLES = 10
MOST_ROWS_EACH = 5  # of several tables
LONGEST_CELL = 40  # columns of the terminal


def text_of_result(result: Mapping[str, Any] | None) -> str:
    """Return a result for reading: a value, a table of at most 20 rows, or ten tables of at most 5 rows each.

    Chinese characters count two columns. No result gives empty text.
    """
    if result is None:
        return ""
    if result["kind"] == "scalar":
        return _cell(result["value"])
    if result["kind"] == "table":
        return _table_text(result, MOST_ROWS)
    tables = list(result["tables"].items())
    shown = [f"[{name}]\n{_table_text(table, MOST_ROWS_EACH)}" for name, table in tables[:MOST_TABLES]]
    left = len(tables) - len(shown)
    return "\n\n".join([*shown, *([f"… {left} more tables"] if left > 0 else [])])


def _table_text(table: Mapping[str, Any], most_rows: int) -> str:
    rows = [list(map(_cell, row)) for row in table["rows"][:most_rows]]
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
