from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from mindatlas.nodes import storage
from mindatlas.nodes.errors import SetupError, StoreError
from mindatlas.nodes.storage import ensure_folder, open_sqlite, read_versioned, write_atomically


def test_home_is_what_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINDATLAS_HOME", str(tmp_path))
    assert storage.home() == tmp_path
    monkeypatch.setenv("MINDATLAS_HOME", "~/atlas")
    assert storage.home() == Path.home() / "atlas"


@pytest.mark.parametrize("unset", [True, False])
def test_home_is_the_data_folder_of_the_user_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, unset: bool
) -> None:
    if unset:
        monkeypatch.delenv("MINDATLAS_HOME", raising=False)
    else:
        monkeypatch.setenv("MINDATLAS_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert storage.home().name == "mindatlas"


def test_a_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    assert ensure_folder(tmp_path / "a" / "b").is_dir()
    assert ensure_folder(tmp_path / "a" / "b").is_dir()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SetupError, match=r"file/kb.*MINDATLAS_HOME"):
        ensure_folder(tmp_path / "file" / "kb")


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    write_atomically(path, "旧")
    write_atomically(path, "新")
    assert path.read_text(encoding="utf-8") == "新"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state.json"
    write_atomically(path, "old")

    def fail(descriptor: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_versioned_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps({"format": 1, "a": 2}))
    assert read_versioned(path, newest=1) == {"format": 1, "a": 2}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"format": 2}', "format 2, this version reads up to 1: upgrade mindatlas"),
        ('{"format": "1"}', "no format number"),
        ("[1]", "no format number"),
        ("{}", "no format number"),
        ('{"format": 1', "Cannot read"),
        ("", "Cannot read"),
    ],
)
def test_a_file_that_is_no_store_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(content)
    with pytest.raises(StoreError, match=message) as raised:
        read_versioned(path, newest=1)
    assert "m.json" in str(raised.value)


def test_a_missing_versioned_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"m\.json"):
        read_versioned(tmp_path / "m.json", newest=1)


def test_a_new_sqlite_store_gets_the_format_and_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "threads.sqlite"
    for newest in (3, 4):
        connection = open_sqlite(path, newest=newest)
        assert connection.execute("PRAGMA user_version").fetchone()[0] == 3
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        connection.close()


def test_a_newer_sqlite_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "threads.sqlite"
    open_sqlite(path, newest=2).close()
    with pytest.raises(StoreError, match="format 2, this version reads up to 1: upgrade mindatlas"):
        open_sqlite(path, newest=1)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone()[0] == 2
    connection.close()


def test_a_file_that_is_no_sqlite_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "threads.sqlite"
    path.write_text("not a database, " * 100)
    with pytest.raises(StoreError, match=r"threads\.sqlite"):
        open_sqlite(path, newest=1)
    assert path.read_text().startswith("not a database")


def test_a_folder_in_the_place_of_a_sqlite_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "threads.sqlite").mkdir()
    with pytest.raises(StoreError, match=r"threads\.sqlite"):
        open_sqlite(tmp_path / "threads.sqlite", newest=1)
