"""The schema card as text, for prompts and people."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnCard, SchemaCard, TableCard

WARNING_TEXTS = {
    "number_as_text": "numbers stored as text",
    "date_as_text": "dates stored as text",
    "mixed": "values of several types",
    "error_cells": "error cells, read as missing",
    "uncached_formulas": "formulas without a stored value, read as missing",
    "duplicate_name": "header occurs more than once",
    "spaces_in_name": "header holds spaces or line breaks, use it exactly as quoted",
    "mostly_null": "more than half missing",
    "constant": "one value only",
    "id_like": "an identifier, not a quantity",
    "high_cardinality": "nearly every value is different",
    "hidden": "hidden in the workbook",
}
HEED = "Heed the columns marked ⚠️: convert or clean them as their warnings say before computing with them."


def card_to_text(card: SchemaCard) -> str:
    """Return one block a table, then the notices, then the line that tells to heed the marked columns."""
    blocks = [_table_text(table, active=table.key == card.active) for table in card.tables]
    if card.notices:
        blocks.append("\n".join(f"Notice: {notice}" for notice in card.notices))
    return "\n\n".join([*blocks, HEED])


def _table_text(table: TableCard, *, active: bool) -> str:
    access = f"sheets[{table.key!r}]" + (", also df" if active else "")
    hidden = ", hidden" if table.hidden else ""
    size = f"{table.rows} rows x {len(table.columns)} columns"
    lines = [f"## {access} (sheet {table.sheet!r} of {table.book!r}{hidden}): {size}"]
    lines += [_column_text(column) for column in table.columns]
    lines += [f"Note: {note}" for note in table.notes]
    if table.set_aside:
        counts = Counter(row.kind.replace("_", " ") for row in table.set_aside)
        kinds = ", ".join(f"{kind} {count}" for kind, count in counts.items())
        lines.append(f"Rows that are no data and not in the frame: {kinds}.")
    return "\n".join(lines)


def _column_text(column: ColumnCard) -> str:
    facts: list[str] = [column.type]
    if column.samples:
        facts.append("e.g. " + ", ".join(map(repr, column.samples)))
    facts += [f"{column.null_rate:.0%} missing", f"{column.distinct} distinct"]
    if column.minimum is not None:
        facts.append(f"{column.minimum} to {column.maximum}")
    line = f"- {column.name!r}: " + "; ".join(facts)
    if not column.original:
        line += "; without a header"
    elif column.original != str(column.name):
        line += f"; header {column.original!r} in column {column.position + 1}"
    if column.warnings:
        line += " ⚠️ " + "; ".join(_warning_text(column, code) for code in column.warnings)
    return line


def _warning_text(column: ColumnCard, code: str) -> str:
    kind, _, detail = code.partition(":")
    text = WARNING_TEXTS[kind]
    counts = {"error_cells": column.errors, "uncached_formulas": column.uncached}
    if kind in counts:
        return f"{text}: {counts[kind]}"
    return f"{text} ({detail})" if detail else text
