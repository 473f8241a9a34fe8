from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from mindatlas.evals.atlassplit.write_cases import FOLDER
from mindatlas.evals.cases import Case, read_cases
from mindatlas.evals.measures.registry import measures_of, score_all
from mindatlas.evals.regression.pool import ProcessPool
from mindatlas.evals.regression.store import key_of
from mindatlas.evals.runners import open_runner

TODAY = {"today": "2024-07-15"}


def bundled(name: str) -> Case:
    [case] = [case for case in read_cases(sorted(FOLDER.glob("*.jsonl"))) if case.id == name]
    return case


@pytest.mark.parametrize("name", ["as-totals-001", "as-columns-005", "as-time-002", "as-refusals-001"])
def test_builtin_does_or_refuses_a_bundled_task(home: Path, name: str) -> None:
    case = bundled(name)
    made = open_runner("atlassplit", {"model": "builtin", **TODAY}).run(case)
    assert made.error is None
    assert made.output is not None
    found = score_all(measures_of("atlassplit"), case, made.output)
    assert found["silent_error"].value == 0
    assert found["refusal_correctness"].value == 1
    assert found["result_correctness"].value in {1, None}


def test_a_fault_of_the_mix_is_put_in_told_as_simulated_and_mended(home: Path, tmp_path: Path) -> None:
    mix = tmp_path / "mix.yaml"
    all_of_them = "{ share: 1.0, from: ours }"
    mix.write_text(f"faulty_share: {all_of_them}\nfaults: {{ E5: {all_of_them} }}\n")
    case = bundled("as-totals-001")
    runner = open_runner("atlassplit", {"model": "faulty", "faults": str(mix), **TODAY})
    made = runner.run(case)
    assert made.output is not None
    assert [round_["error_type"] for round_ in made.output["rounds"]] == ["E5", None]
    assert any("Simulated fault E5" in notice for notice in made.output["notices"])
    assert runner.identity()["simulated_faults"]["shares"] == {"E5": 1.0}


def test_a_worker_finds_the_workbook_beside_the_case_and_its_content_is_part_of_the_key(
    home: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.csv").write_text("店,数\n甲,1\n甲,2\n", encoding="utf-8")
    expected = {"kind": "table", "columns": ["店", "数"], "rows": [["甲", 3]]}
    case = Case(
        id="own",
        query="按店汇总数",
        case_type="aggregate",
        expected=expected,
        extra={"workbooks": ["own.csv"]},
        folder=tmp_path,
    )
    with closing(ProcessPool("atlassplit", {"model": "builtin", **TODAY}, size=1)) as pool:
        [(_, reply)] = pool.run([case])
    assert reply["error"] is None
    assert score_all(measures_of("atlassplit"), case, reply["output"])["result_correctness"].value == 1
    before = key_of(case, "atlassplit", {}, 0)
    (tmp_path / "own.csv").write_text("店,数\n甲,1\n", encoding="utf-8")
    assert key_of(case, "atlassplit", {}, 0) != before
