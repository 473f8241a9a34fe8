"""CSV output: opens in Excel as UTF-8, and no cell runs as a formula."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.publishing.publication import publish


def at(*parts: int) -> dt.datetime:
    return dt.datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001 (cells have no time zone)


def written(folder: Path, values: list[object]) -> list[str]:
    frame = pd.DataFrame({"x": pd.Series(values, dtype=object)})
    text = publish(frame, out=folder / "o.csv").path.read_bytes().decode("utf-8-sig")
    assert text.count("\r\n") == len(values) + 1
    return [row[0] if row else "" for row in csv.reader(text.splitlines(keepends=True))][1:]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("-2+3", "'-2+3"),
        ("\t=1", "'\t=1"),
        ("＝1", "'＝1"),
        ("-5", "-5"),
        ("+1,200.50%", "+1,200.50%"),
        ("-", "-"),
        ("a=b", "a=b"),
        (-5, "-5"),
        (0.1, "0.1"),
        (True, "TRUE"),
        (None, ""),
        (at(2024, 1, 2), "2024-01-02"),
        (at(2024, 1, 2, 3, 4), "2024-01-02 03:04:00"),
        (dt.timedelta(hours=25), "25:00:00"),
        ("007", "007"),
        (440101199001011234, "440101199001011234"),
        ('a,"b"', 'a,"b"'),
    ],
)
def test_values(tmp_path: Path, value: object, expected: str) -> None:
    assert written(tmp_path, [value]) == [expected]


def test_guarded_texts_are_said_and_headers_are_guarded(tmp_path: Path) -> None:
    done = publish(pd.DataFrame({"=h": ["=1", "b"]}), out=tmp_path / "o.csv")
    assert done.path.read_bytes() == "\ufeff'=h\r\n'=1\r\nb\r\n".encode()
    assert "1 texts that look like formulas" in done.notices[0]


def test_several_tables_are_several_files(tmp_path: Path) -> None:
    one = pd.DataFrame({"a": [1]})
    done = publish({"东/西": one, "南": one}, out=tmp_path / "o.csv", chart={"type": "bar"})
    assert [path.name for path in done.paths] == ["o-东_西.csv", "o-南.csv"]
    assert done.sheet_name_map == {"东/西": "o-东_西.csv", "南": "o-南.csv"}
    assert any("2 files" in notice for notice in done.notices)
    assert any("no chart" in notice for notice in done.notices)
