"""A precheck as outputs show it, and the frames that programs are prechecked against."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import asdict
from typing import Any

from mindatlas.nodes.atlassplit.parts.book_reader import inputs_of
from mindatlas.nodes.atlassplit.parts.precheck import PrecheckResult
from mindatlas.nodes.atlassplit.parts.result_view import plain
from mindatlas.nodes.atlassplit.parts.workbook_model import Books


def frames_of(books: Books) -> dict[str, list[Hashable]]:
    """Return the columns of each frame by the expression that a program reaches it with."""
    columns = {table.parquet: [column.name for column in table.columns] for table in books.card.tables}
    inputs = inputs_of(books)
    frames: dict[str, list[Hashable]] = {"df": list(columns[str(inputs.frames[inputs.active])])}
    frames |= {f"sheets[{key!r}]": list(columns[str(path)]) for key, path in inputs.frames.items()}
    for book, sheets in (inputs.books or {}).items():
        frames |= {f"books[{book!r}][{sheet!r}]": list(columns[str(path)]) for sheet, path in sheets.items()}
    return frames


def found_columns(found: PrecheckResult) -> dict[str, Any]:
    """Return the columns that are missing or unknown, and what may have been meant."""
    return {
        "missing": list(found.missing),
        "unknown": list(found.unknown),
        "suggestions": {
            name: [{"column": plain(item.column), "score": round(item.score, 3)} for item in items]
            for name, items in found.suggestions.items()
        },
    }


def found_all(found: PrecheckResult) -> dict[str, Any]:
    """Return everything that a precheck found."""
    lint = [asdict(finding) for finding in found.lint]
    return {"ok": found.ok, **found_columns(found), "lint": lint, "feedback": found.feedback}
