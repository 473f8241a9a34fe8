from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from mindatlas.nodes.errors import StoreError
from mindatlas.nodes.mindtrip.parts.score_cache import ScoreCache


@pytest.mark.parametrize("with_file", [True, False])
def test_score_is_found_by_its_pair_alone(tmp_path: Path, with_file: bool) -> None:
    cache = ScoreCache("m", path=tmp_path / "scores.sqlite" if with_file else None)
    cache.add("问", {"甲": 0.25})
    assert cache.get("问", "甲") == 0.25
    assert cache.get("问", "乙") is None
    assert cache.get("问甲", "") is None
    cache.close()


def test_file_outlives_the_process_and_keeps_models_apart(tmp_path: Path) -> None:
    path = tmp_path / "scores.sqlite"
    first = ScoreCache("m", path=path)
    first.add("问", {"甲": 0.25, "\ud800": 0.5})
    first.close()
    again, other = ScoreCache("m", path=path), ScoreCache("n", path=path)
    assert (again.get("问", "甲"), again.get("问", "\ud800"), other.get("问", "甲")) == (0.25, 0.5, None)
    again.close()
    other.close()


def test_least_recently_used_leaves_first() -> None:
    cache = ScoreCache("m", bound=2)
    cache.add("问", {"甲": 0.1, "乙": 0.2})
    cache.get("问", "甲")
    cache.add("问", {"丙": 0.3})
    assert [cache.get("问", text) for text in "甲乙丙"] == [0.1, None, 0.3]


def test_file_is_not_bounded(tmp_path: Path) -> None:
    cache = ScoreCache("m", path=tmp_path / "scores.sqlite", bound=1)
    cache.add("问", {"甲": 0.1, "乙": 0.2})
    assert [cache.get("问", text) for text in "甲乙"] == [0.1, 0.2]
    cache.close()


def test_newer_or_damaged_file_is_named(tmp_path: Path) -> None:
    newer, damaged = tmp_path / "newer.sqlite", tmp_path / "damaged.sqlite"
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    damaged.write_text("not a database, but long enough to be read as one" * 20)
    for path in (newer, damaged):
        with pytest.raises(StoreError, match=path.name):
            ScoreCache("m", path=path)
