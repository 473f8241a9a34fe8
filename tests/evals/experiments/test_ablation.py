from __future__ import annotations

from typing import Any

from mindatlas.evals.experiments.ablation import ALL_ON, Ablation, analyse, switched_off
from mindatlas.evals.experiments.ablation_report import ablation_headline, ablation_plot, ablation_sections
from mindatlas.evals.experiments.completeness import check
from tests.evals.experiments.results import full_lines, plan_of, rows_of

VARIANTS = tuple(switched_off("mindtrip"))


def ablation(spoil: Any = lambda line: None) -> Ablation:
    """Return an ablation of 20 cases of which `rerank` alone helps 12, after `spoil` changed each line."""
    plan = plan_of(20, variants=VARIANTS)
    lines = full_lines(plan)
    for line in lines:
        missed = line["variant"] == "without rerank" and int(line["case"][1:]) < 12
        line |= {"passed": not missed, "scores": {"recall": 0.25 if missed else 1.0, "same": 1.0}}
        spoil(line)
    return analyse("mindtrip", plan, check(plan, rows_of(lines)))


def test_the_repair_that_helps_is_named() -> None:
    found = ablation()
    headline = ablation_headline(found)
    assert "1 are missed" in headline
    assert "rerank" in headline
    (row,) = [row for row in found.rows if row.name == "without rerank"]
    assert row.comparison.lift is not None
    assert row.comparison.lift.points == -60.0
    assert row.p_holm is not None
    assert row.comparison.lift.test.p < row.p_holm < 0.05


def test_one_table_has_every_variant_and_a_second_what_moved() -> None:
    against, moved, *_ = ablation_sections(ablation())
    assert [row[0] for row in against.rows] == ["nothing (all on)", *VARIANTS[1:]]
    assert all(len(row) == len(against.heads) for row in against.rows)
    assert list(moved.heads) == ["switched off", "recall"]  # the measure that never moves has no column
    assert ["without rerank", "-0.450"] in [list(row) for row in moved.rows]


def test_the_plot_shows_each_lift() -> None:
    plot = ablation_plot(ablation())
    assert all(name in plot for name in VARIANTS[1:])
    assert ablation_plot(ablation()) == plot


def test_a_defect_of_all_on_blocks_every_row() -> None:
    found = ablation(lambda line: line.update(passed=None) if line["variant"] == ALL_ON else None)
    assert not found.complete
    assert ablation_headline(found).startswith("No headline")
    assert ablation_plot(found) == ""
    defects, against, *_ = ablation_sections(found)
    assert defects.title == "Defects"
    assert {cell for row in against.rows for cell in row[1:]} == {"–"}
    assert {row["lift_points"] for row in found.to_dict()["rows"]} == {None}
