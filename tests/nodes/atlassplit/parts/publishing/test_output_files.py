"""Files appear whole or not at all, and never in the place of an input."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.publishing import publication
from mindatlas.nodes.atlassplit.parts.publishing.output_files import replacing
from mindatlas.nodes.atlassplit.parts.publishing.publication import publish, publish_files
from mindatlas.nodes.errors import UsageError

FRAME = pd.DataFrame({"a": [1]})


def test_an_error_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "o.xlsx"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="power cut"), replacing(path) as file:
        file.write(b"half of")
        raise RuntimeError("power cut")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["o.xlsx"]


def test_a_writer_that_fails_leaves_the_old_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = publish(FRAME, out=tmp_path / "o.xlsx").path
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publication, "write_workbook", fail)
    with pytest.raises(UsageError, match="No space left"):
        publish(FRAME, out=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("link", ["same", "dotted", "symlink", "hardlink", "linked folder"])
def test_an_input_is_never_the_output(tmp_path: Path, link: str) -> None:
    source = tmp_path / "in.xlsx"
    source.write_bytes(b"input")
    (tmp_path / "sub").mkdir()
    out = tmp_path / "o.xlsx"
    if link == "same":
        out = source
    elif link == "dotted":
        out = tmp_path / "sub" / ".." / "in.xlsx"
    elif link == "symlink":
        out.symlink_to(source)
    elif link == "hardlink":
        out.hardlink_to(source)
    else:
        (tmp_path / "again").symlink_to(tmp_path)
        out = tmp_path / "again" / "in.xlsx"
    with pytest.raises(UsageError, match="is the input"):
        publish(FRAME, out=out, inputs=[source])
    assert source.read_bytes() == b"input"


def test_a_split_never_overwrites_an_input(tmp_path: Path) -> None:
    source = tmp_path / "a.csv"
    source.write_bytes(b"input")
    with pytest.raises(UsageError, match="is the input"):
        publish_files({"b": FRAME, "a": FRAME}, folder=tmp_path, suffix=".csv", inputs=[source])
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.csv"]


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    target = tmp_path / "real.csv"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link = tmp_path / "o.csv"
    link.symlink_to(target)
    publish(FRAME, out=link)
    assert link.is_symlink()
    assert target.read_bytes().endswith(b"a\r\n1\r\n")
    assert target.stat().st_mode & 0o777 == 0o640


def test_new_files_follow_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        path = publish(FRAME, out=tmp_path / "o.csv").path
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


def test_missing_folders_are_made(tmp_path: Path) -> None:
    assert publish(FRAME, out=tmp_path / "a" / "b" / "o.csv").path.exists()


@pytest.mark.parametrize("name", ["o.xls", "o.ods", "o", "o.xlsx.txt"])
def test_other_kinds_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"\.xlsx or \.csv"):
        publish(FRAME, out=tmp_path / name)


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "o.xlsx").mkdir()
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        publish(FRAME, out=tmp_path / "o.xlsx")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError, match="cannot be written"):
        publish(FRAME, out=tmp_path / "file" / "o.xlsx")
