"""Old .xls files: the records of a sheet in an OLE container, both written here by hand."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from mindatlas.nodes.atlassplit.parts.biff_scan import scan_biff_sheets
from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.ole_container import MAGIC, find_stream
from mindatlas.nodes.atlassplit.parts.raw_sheets import Lost
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.errors import FileReadError

END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def _record(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _text(row: int, column: int, text: str) -> bytes:
    content = struct.pack("<HHHHB", row, column, 0, len(text), 1) + text.encode("utf-16-le")
    return _record(0x204, content)


def _number(row: int, column: int, value: float) -> bytes:
    return _record(0x203, struct.pack("<HHHd", row, column, 0, value))


def _error(row: int, column: int) -> bytes:
    return _record(0x205, struct.pack("<HHHBB", row, column, 0, 0x07, 1))


def _error_formula(row: int, column: int) -> bytes:
    value = bytes([2, 0, 0x2A, 0, 0, 0, 0xFF, 0xFF])
    return _record(
        0x06, struct.pack("<HHH", row, column, 0) + value + struct.pack("<HIH", 0, 0, 3) + b"\x1e\1\0"
    )


def _row(row: int, *, hidden: bool) -> bytes:
    return _record(0x208, struct.pack("<HHHHHHHH", row, 0, 3, 255, 0, 0, 0x20 if hidden else 0, 0))


def _columns(first: int, last: int, *, hidden: bool) -> bytes:
    return _record(0x7D, struct.pack("<HHHHHH", first, last, 2560, 0, int(hidden), 0))


SHEET = [
    _columns(2, 2, hidden=True),
    *(_row(row, hidden=row == 2) for row in range(5)),
    *(_text(0, column, name) for column, name in enumerate(["店", "额", "率"])),
    *(_text(1, 0, "a"), _number(1, 1, 1.5), _error(1, 2)),
    *(_text(2, 0, "b"), _number(2, 1, 2.5), _number(2, 2, 0.5)),
    *(_text(3, 0, "c"), _error_formula(3, 1), _number(3, 2, 0.25)),
    *(_text(4, 0, "d"), _number(4, 1, 4), _number(4, 2, 0.75)),
]


def _stream(sheet: list[bytes], name: str = "表") -> bytes:
    begin = struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 6)
    listed_name = struct.pack("<BB", len(name), 1) + name.encode("utf-16-le")
    head = _record(0x809, begin)
    start = len(head) + 4 + 6 + len(listed_name) + 4
    listed = _record(0x85, struct.pack("<IBB", start, 0, 0) + listed_name)
    body = _record(0x809, begin.replace(b"\5\0", b"\x10\0", 1)) + b"".join(sheet)
    return head + listed + _record(0x0A) + body + _record(0x0A)


def _entry(name: str, kind: int, start: int, size: int, child: int = FREE) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0"
    links = struct.pack("<HBBIII", len(text), kind, 1, FREE, FREE, child)
    return text.ljust(64, b"\0") + links + bytes(36) + struct.pack("<III", start, size, 0)


def _container(stream: bytes, name: str = "Workbook", *, small: bool = False) -> bytes:
    """Return a container of 512-byte sectors: FAT, directory, mini FAT, then the stream."""
    stream = stream if small else stream.ljust(4096, b"\0")
    count = -(-len(stream) // 512)
    chain = [*range(4, 3 + count), END]
    fat = struct.pack("<128I", *[FAT, END, END, *chain, *[FREE] * (125 - count)])
    entries = [_entry("Root Entry", 5, 3 if small else END, len(stream) if small else 0, 1)]
    entries.append(_entry(name, 2, 0 if small else 3, len(stream)))
    minis = -(-len(stream) // 64) if small else 0
    mini_chain = [*range(1, minis), END] if small else []
    mini_fat = struct.pack("<128I", *mini_chain, *[FREE] * (128 - len(mini_chain)))
    header = MAGIC + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 2 if small else END, int(small), END, 0)
    header += struct.pack("<109I", 0, *[FREE] * 108)
    directory = b"".join(entries).ljust(512, b"\0")
    return header + fat + directory + mini_fat + stream.ljust(count * 512, b"\0")


@pytest.mark.parametrize("small", [False, True])
def test_streams_are_found_in_large_and_small_sectors(small: bool) -> None:
    stream = bytes(range(256)) * 5
    found = find_stream(_container(stream, "BOOK", small=small), "Workbook", "Book")
    assert found is not None and found[: len(stream)] == stream
    assert find_stream(_container(stream, small=small), "Other") is None


def test_findings_of_an_xls_sheet() -> None:
    (scan,) = scan_biff_sheets(_container(_stream(SHEET)))
    assert scan.hidden_rows == {2}
    assert scan.hidden_columns == {2}
    assert scan.widths == {2: 10.0}
    assert scan.odd_cells == [(1, 2, Lost.ERROR), (3, 1, Lost.ERROR)]
    assert (scan.last_row, scan.last_column) == (4, 2)


def test_far_cell_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "old.xls"
    path.write_bytes(_container(_stream([*SHEET, _number(65_535, 65_535, 1)])))
    with pytest.raises(FileReadError, match=r"'old\.xls': sheet number 1 spans more than 32,000,000 cells"):
        read_workbooks([path], cache=tmp_path / "cache")


def test_sparse_sheet_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "old.xls"
    path.write_bytes(_container(_stream([*SHEET, _number(65_535, 255, 1)])))
    with pytest.raises(FileReadError, match="16 values over 16,777,216 cells"):
        read_workbooks([path], cache=tmp_path / "cache")


def test_errors_and_hidden_rows_of_an_xls_file(tmp_path: Path) -> None:
    path = tmp_path / "old.xls"
    path.write_bytes(_container(_stream(SHEET)))
    books = read_workbooks([path], cache=tmp_path / "cache")
    table = books.card.active_table
    frame = read_frame(Path(table.parquet))
    assert (table.sheet, list(frame.columns)) == ("表", ["店", "额", "率"])
    assert frame["店"].tolist() == ["a", "c", "d"]
    assert [column.errors for column in table.columns] == [0, 1, 1]
    assert frame["额"].sum() == 5.5
    assert "hidden" in table.columns[2].warnings
    assert [row.kind for row in table.set_aside] == ["hidden_row"]


def test_damaged_containers_give_less_and_never_fail(tmp_path: Path) -> None:
    whole = _container(_stream(SHEET))
    path = tmp_path / "old.xls"
    for at in range(0, len(whole), 173):
        for damaged in (whole[:at], whole[:at] + b"\xff\xff" + whole[at + 2 :]):
            scan_biff_sheets(damaged.ljust(8))
            path.write_bytes(damaged)
            try:
                read_workbooks([path], cache=tmp_path / "cache")
            except FileReadError as error:
                assert "'old.xls'" in str(error)


def test_looping_sector_chain_ends() -> None:
    data = bytearray(_container(bytes(5000)))
    struct.pack_into("<I", data, 512 + 4 * 5, 4)
    assert find_stream(bytes(data), "Workbook") is not None
