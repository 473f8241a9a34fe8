from __future__ import annotations

from pytest import MonkeyPatch

from mindatlas.nodes.atlassplit.parts import table_blocks
from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, RawSheet
from mindatlas.nodes.atlassplit.parts.table_blocks import split_sheet

Rows = list[list[Cell]]
FIRST: Rows = [["店", "额"], ["A", 1.0], ["B", 2.0]]
SECOND: Rows = [["人", "岁"], ["张", 30.0]]
GAP: Rows = [["", ""], [" ", ""]]


def _starts(rows: Rows, *, text_only: bool = False) -> list[tuple[int, int]]:
    parts = split_sheet(RawSheet(name="S", rows=rows, first_row=5, text_only=text_only))
    assert sum(len(part.rows) for part in parts) == len(rows)
    return [(part.first_row, len(part.rows)) for part in parts]


def test_tables_below_each_other_are_parted() -> None:
    assert _starts([*FIRST, *GAP, *SECOND]) == [(5, 5), (10, 2)]
    assert _starts([["表一", ""], *FIRST, *GAP, ["表二", ""], *SECOND, *GAP, *FIRST]) == [
        (5, 6),
        (11, 5),
        (16, 3),
    ]


def test_untyped_cells_are_judged_by_what_they_say() -> None:
    texts: Rows = [[str(cell) for cell in row] for row in [*FIRST, *GAP, *SECOND]]
    assert len(_starts(texts, text_only=True)) == 2


def test_one_table_stays_one() -> None:
    single: list[Rows] = [
        FIRST,
        [["表一", ""], *GAP, *FIRST],
        [["公司", "部门"], [20240105.5, ""], *GAP, *FIRST],
        [*FIRST, *GAP, ["C", 3.0], ["D", 4.0]],
        [*FIRST, *GAP, *FIRST],
        [*FIRST, *GAP, ["合计", 3.0]],
        [*FIRST, *GAP, ["备注：含税", ""], ["制表", "王"]],
        [],
    ]
    for rows in single:
        assert len(_starts(rows)) == 1


def test_many_gaps_are_gaps_of_one_table(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(table_blocks, "MOST_BLOCKS", 1)
    assert len(_starts([*FIRST, *GAP, *SECOND])) == 1
