from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindatlas.evals.migrations import audit_stream as streaming
from mindatlas.evals.migrations import repairs as pairing
from mindatlas.evals.migrations.audit_stream import AuditStream
from mindatlas.evals.migrations.command import report_migrations
from mindatlas.evals.migrations.comparison import compare_tallies
from mindatlas.evals.migrations.descriptions import describe_path
from mindatlas.evals.migrations.repairs import RunCount, repairs_in
from mindatlas.evals.migrations.summary import summarise
from mindatlas.evals.migrations.tally import TYPES, MigrationPath, Tally, tally_of
from mindatlas.nodes.errors import FileReadError, UsageError
from tests.evals.audits import audit_line, run_of, write_log

KINDS: list[str | None] = [*TYPES, None]


def tally(*runs: list[dict[str, Any]]) -> Tally:
    counted = Tally()
    for repair in repairs_in([line for run in runs for line in run], counted.runs):
        counted.add(repair)
    return counted


def of_paths(paths: dict[MigrationPath, int]) -> Tally:
    runs = [
        run_of(f"{before}{after}{n}", [before, after])
        for (before, after), times in paths.items()
        for n in range(times)
    ]
    return tally(*runs)


def test_a_change_of_kind_is_a_migration_and_a_pass_or_the_same_kind_is_none() -> None:
    report = summarise(tally(run_of("a", ["E1", "E2", "E2", None]), run_of("b", ["E3", None])))
    assert (report["runs"], report["rounds"], report["failed_rounds"]) == (2, 6, 4)
    assert (report["repairs"], report["introduced"]) == (4, 1)
    at = TYPES.index("E1"), TYPES.index("E2")
    assert report["matrix"][at[0]][at[1]] == 1
    assert sum(cell or 0 for row in report["matrix"] for cell in row) == 1
    assert all(row[n] is None for n, row in enumerate(report["matrix"]))
    e2 = next(row for row in report["by_type"] if row["error_type"] == "E2")
    assert (e2["repairs"], e2["passed"]["n"], e2["same_type"]["n"], e2["introduced"]["n"]) == (2, 1, 1, 0)


def test_both_denominators_are_told_with_wilson_intervals() -> None:
    report = summarise(of_paths({("E1", "E2"): 3, ("E2", "E3"): 1, ("E1", None): 36}))
    rate = report["introduced_rate"]
    assert (rate["n"], rate["of"], rate["rate"]) == (4, 40, 0.1)
    assert (round(rate["low"], 4), round(rate["high"], 4)) == (0.0396, 0.2305)  # by hand from the formula
    path = report["paths"][0]
    assert (path["from"], path["to"], path["count"]) == ("E1", "E2", 3)
    assert (path["share_of_introduced"]["of"], path["share_of_repairs"]["of"]) == (4, 40)


def test_without_repairs_the_rate_is_null_with_a_reason() -> None:
    rate = summarise(tally(run_of("a", ["E1"])))["introduced_rate"]
    assert rate["rate"] is rate["low"] is None
    assert rate["reason"] == "no repairs"


def test_causes_are_counted_by_strategy_and_prompt_and_by_version_and_model() -> None:
    first = run_of("a", ["E1", "E2"], prompt_hash="p1", model="m1")
    second = run_of("b", ["E1", None], prompt_hash="p2", versions={**first[0]["versions"], "pandas": "2.3.0"})
    report = summarise(tally(first, second))
    causes = {(cause["strategy"], cause["prompt"]): cause["introduced_rate"] for cause in report["causes"]}
    assert causes["repair", "p1"]["rate"] == 1
    assert causes["repair", "p2"]["rate"] == 0
    assert [row["version"] for row in report["pandas"]] == ["3.1.1", "2.3.0"]
    assert [row["model"] for row in report["models"]] == ["m1", "faulty:3"]
    assert report["paths"][0]["causes"] == [{"strategy": "repair", "prompt": "p1", "count": 1}]


def test_a_round_without_its_predecessor_is_counted_apart() -> None:
    lines = run_of("a", ["E1", "E2", "E3"])
    counted = tally([lines[0], lines[2]])
    assert (counted.repairs, counted.runs.unpaired) == (0, 1)


@settings(max_examples=30)
@given(
    st.lists(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5), min_size=1, max_size=6), st.randoms()
)
def test_interleaved_runs_count_as_runs_one_after_the_other(
    kinds: list[list[str | None]], random: Any
) -> None:
    runs = [run_of(f"r{n}", types) for n, types in enumerate(kinds)]
    order = [n for n, run in enumerate(runs) for _ in run]
    random.shuffle(order)
    rest = [list(run) for run in runs]
    mixed = [rest[n].pop(0) for n in order]
    assert summarise(tally(mixed)) == summarise(tally(*runs))


@settings(max_examples=30)
@given(st.lists(st.lists(st.sampled_from(KINDS), min_size=1, max_size=6), min_size=1, max_size=8))
def test_every_repair_passes_stays_or_migrates(kinds: list[list[str | None]]) -> None:
    report = summarise(tally(*(run_of(f"r{n}", types) for n, types in enumerate(kinds))))
    parts = [row[name]["n"] for row in report["by_type"] for name in ("passed", "same_type", "introduced")]
    assert sum(parts) == report["repairs"]
    assert sum(path["count"] for path in report["paths"]) == report["introduced"]


def test_every_path_has_a_description() -> None:
    told = {describe_path(before, after) for before in TYPES for after in TYPES if before != after}
    assert len(told) == len(TYPES) * (len(TYPES) - 1)


def test_fisher_p_of_a_known_table() -> None:
    """Fisher's tea tasting, 3 of 4 against 1 of 4: p = 34/70."""
    now = of_paths({("E1", "E2"): 3, ("E1", None): 1})
    against = of_paths({("E1", "E2"): 1, ("E1", None): 3})
    compared = compare_tallies(now, against)
    assert compared["overall"]["p"] == pytest.approx(34 / 70)
    assert compared["paths"][0]["path"] == "E1->E2"
    assert compared["paths"][0]["difference_pp"] == pytest.approx(50)


def test_a_constraint_that_lowers_a_path_shows_in_its_own_denominator() -> None:
    now = of_paths({("E1", "E2"): 2, ("E1", None): 98, ("E4", None): 10})
    against = of_paths({("E1", "E2"): 20, ("E1", None): 80})
    row = compare_tallies(now, against)["paths"][0]
    assert (row["now"]["of"], row["against"]["of"]) == (100, 100)
    assert row["verdict"] == "lower"
    assert row["p_holm"] >= row["p"]
    assert row["difference_pp"] == pytest.approx(-18)
    assert row["low_pp"] < row["difference_pp"] < row["high_pp"] < 0


def test_newcombe_interval_of_a_published_example() -> None:
    """Newcombe 1998, table II: 56/70 against 48/80 gives 0.0524 to 0.3339 by method 10."""
    now = of_paths({("E1", "E2"): 56, ("E1", None): 14})
    against = of_paths({("E1", "E2"): 48, ("E1", None): 32})
    row = compare_tallies(now, against)["overall"]
    assert (round(row["low_pp"], 2), round(row["high_pp"], 2)) == (5.24, 33.39)


def test_a_side_without_repairs_is_not_compared() -> None:
    compared = compare_tallies(of_paths({("E1", "E2"): 3}), tally(run_of("a", ["E1"])))
    assert compared["overall"]["p"] is None
    assert "'against'" in compared["overall"]["verdict"]


def test_swapping_the_sets_turns_the_sign_and_keeps_p() -> None:
    one, other = of_paths({("E1", "E2"): 3, ("E1", None): 9}), of_paths({("E1", "E3"): 1, ("E1", None): 5})
    there, back = compare_tallies(one, other)["overall"], compare_tallies(other, one)["overall"]
    assert there["difference_pp"] == pytest.approx(-back["difference_pp"])
    assert there["p"] == pytest.approx(back["p"])


def test_broken_lines_are_counted_and_the_first_are_named(tmp_path: Path) -> None:
    foreign = json.dumps({"id": 1, "question": "no audit"})
    newer = {**audit_line(), "version": 2}
    log = write_log(tmp_path / "a.jsonl", [*run_of("a", ["E1", None]), '{"cut', foreign, newer, "", "[1]"])
    report = report_migrations([log])
    assert report["repairs"] == 1
    assert (report["lines"], report["broken"]["count"]) == (6, 4)
    assert [line["line"] for line in report["broken"]["first"]] == [3, 4, 5, 7]
    assert "newer" in report["broken"]["first"][2]["reason"]


def test_a_line_without_end_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "LONGEST_LINE", 4096)
    log = write_log(tmp_path / "a.jsonl", [audit_line(), "x" * 10_000, audit_line("r2")])
    stream = AuditStream([log])
    assert [line["run_id"] for line in stream] == ["r1", "r2"]
    assert (stream.read, stream.named[0]["line"]) == (3, 2)


def test_a_file_given_twice_counts_once(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", run_of("a", ["E1", "E2"]))
    assert report_migrations([log, tmp_path / "." / "a.jsonl"])["repairs"] == 1


def test_nothing_to_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no audit log"):
        report_migrations([tmp_path / "none.jsonl"])
    with pytest.raises(UsageError, match="no audit log was given"):
        report_migrations([])
    with pytest.raises(FileReadError, match=r"1 of 1 lines are broken; the first: line 1: no JSON"):
        tally_of(AuditStream([write_log(tmp_path / "b.jsonl", ["broken"])]))


def test_memory_does_not_grow_with_the_log() -> None:
    def peak(runs: int) -> int:
        lines = (line for n in range(runs) for line in run_of(f"run{n}", ["E1", "E2", None]))
        counted = Tally()
        tracemalloc.start()
        for repair in repairs_in(lines, counted.runs):
            counted.add(repair)
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert counted.repairs == 2 * runs
        return highest

    peak(10)
    assert peak(3000) < 1.5 * peak(300)


def test_memory_does_not_grow_with_broken_lines(tmp_path: Path) -> None:
    def peak(lines: int) -> int:
        stream = AuditStream([write_log(tmp_path / "b.jsonl", [f'{{"n": {n}' for n in range(lines)])])
        tracemalloc.start()
        assert list(stream) == []
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (stream.broken, len(stream.named)) == (lines, streaming.NAMED)
        return highest

    peak(30)
    assert peak(8000) < 1.5 * peak(800)


def test_runs_cut_short_are_forgotten_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "MOST_OPEN", 5)
    count = RunCount()
    cut = [audit_line(f"r{n}") for n in range(20)]
    late = audit_line("r0", 2, "E2"), audit_line("r19", 2, "E2")
    assert len(list(repairs_in([*cut, *late], count))) == 1
    assert count.unpaired == 1


def test_names_without_number_become_others() -> None:
    counted = tally(*(run_of(f"r{n}", ["E1", "E2"], prompt_hash=str(n), model=str(n)) for n in range(700)))
    assert len(counted.models) == len(counted.causes) == 501
    assert counted.models["(others)"].repairs == 200


def test_a_folder_stands_for_the_logs_in_it(tmp_path: Path) -> None:
    for run in "ab":
        write_log(tmp_path / f"{run}.audit.jsonl", run_of(run, ["E1", "E2"]))
    write_log(tmp_path / "other.jsonl", ["no log"])
    assert report_migrations([tmp_path, tmp_path / "a.audit.jsonl"])["repairs"] == 2
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="holds no"):
        report_migrations([tmp_path / "empty"])
