"""The looks of a table's columns, taken from the cells of its sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mindatlas.nodes.atlassplit.parts.raw_sheets import SheetLooks
from mindatlas.nodes.atlassplit.parts.workbook_model import HeaderStyle, TableFormat
from mindatlas.nodes.atlassplit.parts.xlsx_styles import GENERAL


def looks_of_table(
    looks: SheetLooks, *, header_row: int | None, data_rows: Sequence[int], columns: Sequence[int]
) -> TableFormat:
    """Return the formats of a table, for the key "".

    A column's number format is the one that most of its first cells have, the earlier on a tie.

    Args:
        looks: The looks of the sheet.
        header_row: Sheet row of the lowest header level, None without a header.
        data_rows: Sheet rows of the first data.
        columns: Sheet column of each column of the frame.
    """
    header = HeaderStyle()
    if header_row is not None:
        styles = (looks.header_styles.get((header_row, column)) for column in columns)
        header = next(filter(None, styles), header)
    return TableFormat(
        key="",
        widths=tuple(looks.widths.get(column) for column in columns),
        number_formats=tuple(_usual_format(looks, data_rows, column) for column in columns),
        header=header,
    )


def _usual_format(looks: SheetLooks, rows: Sequence[int], column: int) -> str:
    formats = Counter(looks.number_formats.get((row, column), GENERAL) for row in rows)
    return formats.most_common(1)[0][0] if formats else GENERAL
