"""A run's directory: measured and removed whatever a program did to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindatlas.nodes.atlassplit.parts.job_directory import Usage, deleted_size, measure, remove


def _deepen(directory: Path, levels: int) -> None:
    here = os.open(directory, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d" * 100, dir_fd=here)
        below = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_files_directories_and_sizes_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(bytes(10_000))
    (tmp_path / "link").symlink_to("/usr")
    usage = measure(tmp_path, most_files=10)
    assert usage.files == 3
    assert 10_000 <= usage.size < 20_000


def test_sparse_file_counts_at_its_length(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 20)
    assert measure(tmp_path, most_files=10) == Usage(files=1, size=1 << 20)


def test_counting_stops_past_the_limit(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / str(number)).touch()
    assert measure(tmp_path, most_files=4).files == 5


def test_tree_deeper_than_a_path_is_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    _deepen(tmp_path / "run", 60)
    assert measure(tmp_path / "run", most_files=500).files == 501
    remove(tmp_path / "run")


def test_missing_directory_is_empty(tmp_path: Path) -> None:
    assert measure(tmp_path / "none", most_files=4) == Usage(files=0, size=0)


def test_deleted_open_files_are_seen(tmp_path: Path) -> None:
    before = deleted_size(os.getpid())
    with (tmp_path / "gone").open("wb", buffering=0) as file:
        file.write(bytes(100_000))
        (tmp_path / "gone").unlink()
        assert deleted_size(os.getpid()) - before >= 100_000


def test_deleted_size_of_an_ended_process_is_nothing() -> None:
    assert deleted_size(2**22 + 1) == 0


def test_removal_takes_everything_but_what_links_point_to(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    run = tmp_path / "run"
    (run / "a" / "b").mkdir(parents=True)
    (run / "a" / "b" / "file").touch()
    (run / "a" / "link").symlink_to(outside)
    os.mkfifo(run / "pipe")
    (run / "a").chmod(0o000)
    run.chmod(0o000)
    remove(run)
    assert sorted(tmp_path.iterdir()) == [outside]
    assert (outside / "kept").exists()


@pytest.mark.parametrize("levels", [1, 300])
def test_removal_is_not_bounded_by_depth(levels: int, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    _deepen(tmp_path / "run", levels)
    remove(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_removal_of_a_link_or_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "real")
    remove(tmp_path / "run")
    remove(tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["real"]
