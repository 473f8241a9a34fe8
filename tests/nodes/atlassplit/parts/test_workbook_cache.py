from __future__ import annotations

import datetime as dt
import threading
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost, RawSheet
from mindatlas.nodes.atlassplit.parts.table_reader import SheetTable, read_table
from mindatlas.nodes.atlassplit.parts.workbook_cache import (
    CachedBook,
    ReadSheet,
    entry_folder,
    load_book,
    store_book,
    table_card,
)

_TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
_MOMENTS = st.datetimes(dt.datetime.min.replace(year=1900), dt.datetime.max.replace(year=9998))  # noqa: DTZ901
_CELLS: dict[str, st.SearchStrategy[Cell]] = {
    "text": _TEXT,
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "integer": st.integers(-(10**20), 10**20),
    "whole": st.integers(-(10**6), 10**6).map(float),
    "bool": st.booleans(),
    "date": st.dates(dt.date(1900, 1, 1), dt.date(9998, 1, 1)),
    "moment": _MOMENTS,
    "time": st.times(),
    "span": st.timedeltas(dt.timedelta(-1000), dt.timedelta(1000)),
    "lost": st.sampled_from(Lost),
    "blank": st.just(""),
}
_COLUMN = st.lists(st.sampled_from(sorted(_CELLS)), min_size=1, max_size=3).flatmap(
    lambda kinds: st.lists(st.one_of(*(_CELLS[kind] for kind in kinds)), min_size=4, max_size=4)
)


def _read(columns: list[list[Cell]], names: list[Cell]) -> SheetTable:
    height = len(columns[0])
    rows: list[list[Cell]] = [[column[row] for column in columns] for row in range(height)]
    rows.insert(0, names)
    table = read_table(RawSheet(name="S", rows=rows), include_hidden=False)
    assert table is not None
    return table


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(columns=st.lists(_COLUMN, min_size=1, max_size=4))
def test_frames_and_cards_come_back_exactly(tmp_path: Path, columns: list[list[Cell]]) -> None:
    all_names: list[Cell] = ["名", "a ", 2024.0, "b"]
    table = _read(columns, all_names[: len(columns)])
    folder = tmp_path / f"entry{len(list(tmp_path.iterdir()))}"
    stored = store_book(folder, "xlsx", [ReadSheet(sheet="S", hidden=False, table=table)], ["told"])
    assert load_book(folder) == stored
    frame = read_frame(folder / stored.tables[0].parquet)
    pd.testing.assert_frame_equal(frame, table.frame, check_exact=True)
    for (name, left), (other, right) in zip(frame.items(), table.frame.items(), strict=True):
        assert (name, type(name)) == (other, type(other))
        assert list(map(type, left.tolist())) == list(map(type, right.tolist()))


def _store(folder: Path, value: str = "x") -> CachedBook:
    return store_book(folder, "csv", [ReadSheet(sheet="S", hidden=True, table=_read([[value]], ["a"]))], [])


def test_name_types_survive(tmp_path: Path) -> None:
    day = dt.date(2024, 1, 1)
    table = _read([["A", "B"], [1.5, 2.5], [3.5, 4.5], [5.5, 6.5]], ["店", 2023.0, 2024.0, day])
    store_book(tmp_path / "e", "xls", [ReadSheet(sheet="S", hidden=False, table=table)], [])
    loaded = load_book(tmp_path / "e")
    assert loaded is not None and loaded.kind == "xls"
    names = [column.name for column in loaded.tables[0].columns]
    assert names == ["店", 2023, 2024, dt.datetime.combine(day, dt.time())]
    assert list(map(type, names)) == [str, int, int, dt.datetime]


def test_entries_are_told_apart_by_content_and_option(tmp_path: Path) -> None:
    folders = {entry_folder(tmp_path, sha, include_hidden=hidden) for sha in "ab" for hidden in (True, False)}
    assert len(folders) == 4


def test_absent_and_damaged_entries_are_none_and_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "e"
    assert load_book(folder) is None
    book = _store(folder)
    for damage in (
        lambda: (folder / "book.json").write_text("{"),
        lambda: (folder / "book.json").write_text('{"kind": "csv", "tables": 3, "notices": []}'),
        lambda: (folder / "0.parquet").write_bytes(b"PAR1"),
        (folder / "0.parquet").unlink,
    ):
        damage()
        assert load_book(folder) is None
        assert _store(folder) == book == load_book(folder)


def test_failed_reading_leaves_nothing(tmp_path: Path) -> None:
    def sheets() -> list[ReadSheet]:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        store_book(tmp_path / "cache" / "e", "csv", (sheet for sheet in sheets()), [])
    assert not (tmp_path / "cache" / "e").exists()
    assert list(tmp_path.glob("**/*.parquet")) == []


def test_writers_at_the_same_time_leave_one_whole_entry(tmp_path: Path) -> None:
    folder, barrier = tmp_path / "e", threading.Barrier(6)

    def write() -> None:
        barrier.wait()
        _store(folder)

    threads = [threading.Thread(target=write) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert load_book(folder) is not None
    assert [path.name for path in tmp_path.iterdir()] == ["e"]


def test_card_points_at_the_cached_frame(tmp_path: Path) -> None:
    book = _store(tmp_path / "e", "值")
    card = table_card(tmp_path / "e", book.tables[0], "a.csv")
    assert (card.book, card.sheet, card.key, card.hidden, card.rows) == ("a.csv", "S", "S", True, 1)
    assert read_frame(Path(card.parquet)).loc[0, "a"] == "值"
    assert Path(card.parquet).read_bytes()[:4] == b"PAR1"
