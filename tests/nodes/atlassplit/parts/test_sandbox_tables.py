"""Tables that are kept from run to run, and noticed when they change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.execution import Inputs
from mindatlas.nodes.atlassplit.parts.frames import write_frame
from mindatlas.nodes.atlassplit.parts.sandbox_tables import Snapshot, TableCache
from mindatlas.nodes.errors import FileReadError


def _frame() -> pd.DataFrame:
    return pd.DataFrame({"n": [1, 2], "t": ["a", "b"], "m": ["x", 10**20], "r": [1.5, None]})


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.__setitem__("new", 1),
        lambda frame: frame.pop("n"),
        lambda frame: frame.__setitem__("n", frame["n"].astype("int32")),
        lambda frame: frame.loc.__setitem__((0, "n"), 9),
        lambda frame: frame.loc.__setitem__((0, "t"), "c"),
        lambda frame: frame.loc.__setitem__((0, "m"), "y"),
        lambda frame: frame.loc.__setitem__((1, "r"), 0.0),
        lambda frame: setattr(frame, "columns", list("ktmr")),
        lambda frame: setattr(frame.columns, "name", "k"),
        lambda frame: setattr(frame.index, "name", "k"),
        lambda frame: setattr(frame, "index", ["a", "b"]),
        lambda frame: frame.loc.__setitem__(2, [3, "c", "z", 0.5]),
        lambda frame: frame.__setitem__("m", [[1], [2]]),
    ],
)
def test_change_is_noticed(change: Callable[[pd.DataFrame], None]) -> None:
    frame = _frame()
    snapshot = Snapshot(frame)
    assert snapshot.fits(frame)
    change(frame)
    assert not snapshot.fits(frame)


def test_change_taken_back_is_none() -> None:
    frame = _frame()
    snapshot = Snapshot(frame)
    frame.loc[0, "n"] = 9
    frame.loc[0, "n"] = 1
    frame["new"] = 1
    del frame["new"]
    assert snapshot.fits(frame)


def test_cells_are_kept_so_that_none_takes_anothers_place() -> None:
    frame = pd.DataFrame({"m": pd.Series([10**30 + n for n in range(3)], dtype=object)})
    snapshot = Snapshot(frame)
    for n in range(3):
        frame.loc[n, "m"] = 10**30 + n + 5
    assert not snapshot.fits(frame)


def test_same_file_is_read_once_and_shared(tmp_path: Path) -> None:
    write_frame(_frame(), tmp_path / "a")
    inputs = Inputs(
        frames={"一": tmp_path / "a", "二": tmp_path / "a"}, active="二", books={"书": {"三": tmp_path / "a"}}
    )
    cache = TableCache()
    first, second = cache.load(inputs).names, cache.load(inputs).names
    assert first["df"] is first["sheets"]["一"] is first["books"]["书"]["三"] is second["df"]


def test_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    inputs = Inputs(frames={"一": path}, active="一")
    cache = TableCache()
    write_frame(_frame(), path)
    assert len(cache.load(inputs).names["df"]) == 2
    write_frame(_frame().head(1), path)
    assert len(cache.load(inputs).names["df"]) == 1


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileReadError, match="none"):
        TableCache().load(Inputs(frames={"一": tmp_path / "none"}, active="一"))
