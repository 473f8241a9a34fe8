"""Outcome files from a hostile hand: taken as they must be, or refused, never more."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from mindatlas.nodes.atlassplit.parts.sandbox_handover import describe_result, write
from mindatlas.nodes.atlassplit.parts.sandbox_outcome import BadOutcome, Outcome, OutcomeFiles

FRAME = pd.DataFrame(
    {"n": [1, 2, 3], "t": ["a", None, "丙"], "m": ["x", 1, None], "d": pd.to_datetime(["2024-01-01"] * 3)}
)


def _files(directory: Path, most_bytes: int = 1 << 20) -> OutcomeFiles:
    return OutcomeFiles(directory=directory, token="t", owner=os.geteuid(), most_bytes=most_bytes)


def _left(directory: Path, result: object, **envelope: Any) -> OutcomeFiles:
    described, streams = describe_result(result, 1 << 20)
    said = {"error": None, "input_intact": True, "result": described, "chart": None, **envelope}
    write(directory, "t", said, streams)
    return _files(directory)


def test_tables_come_back(tmp_path: Path) -> None:
    outcome = _left(tmp_path, {"一": FRAME, "二": FRAME.head(1)}, chart={"kind": "bar"}).read()
    assert outcome is not None
    assert isinstance(outcome.result, dict)
    assert_frame_equal(outcome.result["一"], FRAME)
    assert_frame_equal(outcome.result["二"], FRAME.head(1))
    assert outcome.chart == {"kind": "bar"}


def test_nothing_written_is_no_outcome(tmp_path: Path) -> None:
    assert _files(tmp_path).read() is None


def test_error_is_taken_in_bounds(tmp_path: Path) -> None:
    error = {"kind": "K" * 999, "message": "m" * 99999, "line": "7", "traceback": ["x"]}
    outcome = _left(tmp_path, None, error=error).read()
    assert outcome is not None
    assert outcome.error is not None
    assert (len(outcome.error.kind), len(outcome.error.message), outcome.error.line) == (100, 8000, None)


def test_links_pipes_and_directories_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("{}")
    run = tmp_path / "run"
    run.mkdir()
    name = run / "t.json"
    ways: list[tuple[Callable[[], None], Callable[[], None]]] = [
        (lambda: name.symlink_to(secret), name.unlink),
        (lambda: name.hardlink_to(secret), name.unlink),
        (lambda: os.mkfifo(name), name.unlink),
        (name.mkdir, name.rmdir),
    ]
    for make, undo in ways:
        make()
        with pytest.raises(BadOutcome):
            _files(run).read()
        undo()


def test_run_directory_that_became_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    _left(tmp_path / "real", 1)
    (tmp_path / "run").symlink_to(tmp_path / "real")
    with pytest.raises(BadOutcome, match="directory is gone"):
        _files(tmp_path / "run").read()


def test_file_of_another_owner_is_refused(tmp_path: Path) -> None:
    _left(tmp_path, 1)
    files = OutcomeFiles(directory=tmp_path, token="t", owner=os.geteuid() + 1, most_bytes=1 << 20)
    with pytest.raises(BadOutcome, match="no file of the run's own"):
        files.read()


def test_tables_beyond_the_limit_are_refused(tmp_path: Path) -> None:
    _left(tmp_path, FRAME)
    with pytest.raises(BadOutcome, match="more than"):
        _files(tmp_path, most_bytes=100).read()


def _read_changed(suffix: str, place: float, new: bytes) -> Outcome | None:
    with tempfile.TemporaryDirectory() as folder:
        files = _left(Path(folder), {"一": FRAME, "二": FRAME})
        path = Path(folder) / f"t{suffix}"
        content = bytearray(path.read_bytes())
        at = int(place * len(content))
        content[at : at + len(new)] = new
        path.write_bytes(content)
        return files.read()


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([".json", ".arrow"]), st.floats(0, 0.999), st.binary(min_size=1, max_size=8))
def test_damage_is_refused_or_stays_within_the_form(suffix: str, place: float, new: bytes) -> None:
    try:
        outcome = _read_changed(suffix, place, new)
    except BadOutcome:
        return
    assert isinstance(outcome, Outcome)


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200))
def test_garbage_is_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "t.json").write_bytes(content)
        with pytest.raises(BadOutcome):
            _files(Path(folder)).read()
