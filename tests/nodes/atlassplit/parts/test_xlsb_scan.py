from __future__ import annotations

import struct

from mindatlas.nodes.atlassplit.parts.raw_sheets import Lost
from mindatlas.nodes.atlassplit.parts.xlsb_scan import scan_binary_sheet


def _record(kind: int, content: bytes) -> bytes:
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    return head + bytes([len(content)]) + content


def _row(row: int, *, hidden: bool = False) -> bytes:
    return _record(0, struct.pack("<IIHBBB", row, 0, 300, 0, 0x10 if hidden else 0, 0) + bytes(4))


def _cell(kind: int, column: int) -> bytes:
    return _record(kind, struct.pack("<II", column, 0) + bytes(8))


def test_findings_of_a_binary_sheet() -> None:
    columns = _record(60, struct.pack("<IIIIH", 1, 2, 2560, 0, 1))
    data = columns + _row(0) + _cell(7, 0) + _cell(3, 4) + _row(2, hidden=True) + _cell(11, 1) + _cell(1, 9)
    scan = scan_binary_sheet(data + _record(146, b"") + _row(9, hidden=True))
    assert scan.hidden_rows == {2}
    assert scan.hidden_columns == {1, 2}
    assert scan.widths == {1: 10.0, 2: 10.0}
    assert scan.odd_cells == [(0, 4, Lost.ERROR), (2, 1, Lost.ERROR)]
    assert (scan.last_row, scan.last_column) == (2, 4), "blank cells do not count"


def test_cut_data_gives_what_comes_before() -> None:
    data = _row(0) + _cell(3, 0) + _row(1) + _cell(3, 1)
    for end in range(len(data)):
        assert len(scan_binary_sheet(data[:end]).odd_cells) <= 2
    assert scan_binary_sheet(data[:-3]).odd_cells == [(0, 0, Lost.ERROR)]
