"""How wide a written column should be."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from mindatlas.nodes.atlassplit.parts.publishing.number_formats import PERCENT
from mindatlas.nodes.atlassplit.parts.publishing.sheet_cells import DateCell, SheetCell
from mindatlas.nodes.atlassplit.parts.publishing.templates import ColumnLook

NARROWEST: Final = 8.0
WIDEST: Final = 60.0
_MEASURED_ROWS: Final = 1000
_PADDING: Final = 2  # also room for the filter's button
_LONGEST_NUMBER: Final = 12  # characters that General shows before it rounds


def column_width(
    header: str, cells: Sequence[SheetCell], look: ColumnLook | None, number_format: str
) -> float:
    """Return the width in characters: the source's, and wide enough for header, numbers and dates.

    Chinese characters count double. Only the first thousand cells are measured. Between 8 and 60 unless the
    source is wider; with a source, long texts do not widen it.
    """
    measured = cells[:_MEASURED_ROWS]
    if look is not None and look.width:
        measured = [cell for cell in measured if not isinstance(cell, str)]
    widest = max((_shown_width(cell, number_format) for cell in measured), default=0)
    own = min(max(widest + _PADDING, display_width(header) + _PADDING, NARROWEST), WIDEST)
    return max(own, look.width) if look is not None and look.width else own


def display_width(text: str) -> int:
    """Return the columns that the widest line of a text takes, wide characters counted double."""
    if text.isascii() and "\n" not in text:
        return len(text)
    return max((sum(map(_char_width, line)) for line in text.split("\n")), default=0)


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _shown_width(cell: SheetCell, number_format: str) -> int:
    if cell is None:
        return 0
    if isinstance(cell, DateCell):
        return len(cell.text)
    if isinstance(cell, str):
        return display_width(cell)
    if isinstance(cell, bool):
        return 5
    if number_format == PERCENT:
        return len(f"{cell:.2%}")
    if "," in number_format or ".0" in number_format:
        return len(f"{cell:,.2f}") + 1
    return min(len(str(cell)), _LONGEST_NUMBER)
