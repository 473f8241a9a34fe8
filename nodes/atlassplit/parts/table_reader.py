"""A sheet as a table: its frame, its columns and the rows that are no data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from mindatlas.nodes.atlassplit.parts.cell_values import typed_column
from mindatlas.nodes.atlassplit.parts.column_profile import profile_column, show
from mindatlas.nodes.atlassplit.parts.column_warnings import ColumnFacts
from mindatlas.nodes.atlassplit.parts.header_names import column_labels, unique_names
from mindatlas.nodes.atlassplit.parts.headers import Header, find_header
from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost, RawSheet, filled_count, is_blank
from mindatlas.nodes.atlassplit.parts.row_roles import RowRoles, find_roles
from mindatlas.nodes.atlassplit.parts.sheet_area import SheetArea, fill_down, used_area
from mindatlas.nodes.atlassplit.parts.table_looks import looks_of_table
from mindatlas.nodes.atlassplit.parts.workbook_model import (
    ColumnCard,
    ColumnName,
    SetAside,
    SetAsideKind,
    TableFormat,
)
from mindatlas.nodes.atlassplit.parts.xlsx_scan import STYLED_ROWS, column_letters
from mindatlas.nodes.text import fold

LONGEST_QUOTE = 60
MOST_HIDDEN_LISTED = 100
MOST_DOUBTFUL_TOLD = 5


@dataclass(frozen=True, kw_only=True)
class SheetTable:
    """The table of one sheet; `looks` has no key yet."""

    frame: pd.DataFrame
    columns: tuple[ColumnCard, ...]
    notes: tuple[str, ...]
    set_aside: tuple[SetAside, ...]
    looks: TableFormat


def read_table(sheet: RawSheet, *, include_hidden: bool) -> SheetTable | None:
    """Return the table of a sheet, None when the sheet shows nothing.

    Blank rows and columns are dropped. A text or date in cells that are merged downwards stands for every row
    beside it, so those rows get it; numbers do not, for they would count several times.

    Args:
        sheet: The sheet as read.
        include_hidden: Keep hidden rows as data.
    """
    area = used_area(sheet)
    if area is None:
        return None
    header = find_header(area.rows, area.merges, text_only=sheet.text_only)
    roles = find_roles(area.rows, header.body, header.levels, area.merges)
    hidden = [] if include_hidden else _hidden_rows(area, header.body, roles)
    no_data = {*roles.set_aside, *hidden}
    merged = fill_down(area, header.body)
    data = [
        row
        for row in range(header.body, len(area.rows))
        if row not in no_data and filled_count(area.rows[row])
    ]
    frame, cards = _columns(area, header, data, text_only=sheet.text_only)
    positions = [area.first_column + card.position for card in cards]
    return SheetTable(
        frame=frame,
        columns=tuple(replace(card, position=at) for at, card in enumerate(cards)),
        notes=_notes(area, header, roles, len(hidden), merged),
        set_aside=_set_aside(area, header, roles, hidden),
        looks=looks_of_table(
            sheet.looks,
            header_row=area.first_row + header.levels[-1] if header.levels else None,
            data_rows=[area.first_row + row for row in data if area.first_row + row < STYLED_ROWS],
            columns=positions,
        ),
    )


def _hidden_rows(area: SheetArea, body: int, roles: RowRoles) -> list[int]:
    return [
        row
        for row in sorted(area.hidden_rows)
        if body <= row < len(area.rows) and row not in roles.set_aside and filled_count(area.rows[row])
    ]


def _columns(
    area: SheetArea, header: Header, data: Sequence[int], *, text_only: bool
) -> tuple[pd.DataFrame, list[ColumnCard]]:
    """Return the frame and the cards of its columns, whose positions are still those of the area."""
    labels = _labels(area, header)
    folded = Counter(fold(str(label)) for label in labels)
    names = unique_names(labels)
    columns = list(zip(*(area.rows[row] for row in data), strict=True)) or [()] * len(labels)
    values, cards = [], []
    for position, (label, name, cells) in enumerate(zip(labels, names, columns, strict=True)):
        if label == "" and all(map(is_blank, cells)):
            continue
        column = typed_column(cells, text_only=text_only)
        facts = ColumnFacts(
            name=name,
            original=label,
            position=position,
            repeats=label != "" and folded[fold(str(label))] > 1,
            hidden=position in area.hidden_columns,
        )
        values.append(column.values)
        cards.append(profile_column(column, facts))
    frame = pd.DataFrame(dict(enumerate(values)))
    frame.columns = pd.Index([card.name for card in cards], dtype=None if cards else object)
    return frame, cards


def _labels(area: SheetArea, header: Header) -> tuple[ColumnName, ...]:
    if header.levels:
        return column_labels(area.rows, header.levels, area.merges)
    return tuple(f"column_{number}" for number in range(1, len(area.rows[0]) + 1))


def _set_aside(
    area: SheetArea, header: Header, roles: RowRoles, hidden: Sequence[int]
) -> tuple[SetAside, ...]:
    kinds: dict[int, SetAsideKind] = dict.fromkeys(hidden[:MOST_HIDDEN_LISTED], "hidden_row")
    kinds |= dict.fromkeys(header.titles, "title")
    kinds |= roles.set_aside
    return tuple(
        SetAside(kind=kinds[row], row=area.first_row + row + 1, text=_quote(area.rows[row]))
        for row in sorted(kinds)
    )


def _quote(row: Sequence[Cell]) -> str:
    text = " ".join("" if isinstance(cell, Lost) else show(cell) for cell in row if not is_blank(cell))
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def _notes(
    area: SheetArea, header: Header, roles: RowRoles, hidden: int, merged: Mapping[int, int]
) -> tuple[str, ...]:
    """Return what had to be decided; cell values stay out, so the notes may leave the machine."""
    notes = []
    if not header.levels:
        notes.append("no header row was found; the columns are called column_1, column_2, …")
    elif area.first_row + header.levels[0] > 0 or len(header.levels) > 1:
        first, last = (area.first_row + level + 1 for level in (header.levels[0], header.levels[-1]))
        notes.append(
            f"the header is in row {first}" if first == last else f"the header is in rows {first} to {last}"
        )
    for column, count in merged.items():
        letter = column_letters(area.first_column + column)
        notes.append(f"sheet column {letter}: cells below a merged one take its value ({count})")
    for row in roles.doubtful[:MOST_DOUBTFUL_TOLD]:
        number = area.first_row + row + 1
        notes.append(f"row {number} reads like a total but does not add up; it is kept as data")
    if hidden:
        notes.append(f"hidden rows left out: {hidden}")
    return tuple(notes)
