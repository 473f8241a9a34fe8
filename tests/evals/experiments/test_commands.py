from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mindatlas.evals.experiments.ablation import ALL_OFF, ALL_ON, layers_of, repairs_of, switched_off
from mindatlas.evals.experiments.dry_run import estimate
from mindatlas.evals.files import write_jsonl
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripSettings
from tests.evals.experiments.results import PROTOCOL, full_lines, plan_of
from tests.graphs.command import Done, run

MADE = {"source": "hand", "reviewed": True, "created": "2026-12-01"}
CASES = [
    {"id": "surf", "query": "万宁有什么冲浪的地方？", "case_type": "fact", "expected_context": ["x"], **MADE},
    {"id": "moon", "query": "月球上有什么酒店？", "case_type": "refusal", "expected": "refuse", **MADE},
]
SUITE = """
name: small
graph: mindtrip
protocol_version: 1
cases: [cases.jsonl]
passes_when: {citation_validity: {at_least: 1.0}, refusal_correctness: {at_least: 1.0}}
measures: {faithfulness: {threshold: 0.5, direction: higher}}
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small suite of MindTrip and two variants of it."""
    monkeypatch.setenv("COLUMNS", "200")
    write_jsonl(tmp_path / "cases.jsonl", CASES)
    (tmp_path / "small.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "a.yaml").write_text("suite: small.yaml\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text("suite: small.yaml\nsettings: {passages: 1}\n", encoding="utf-8")
    return tmp_path


def compare(files: Path, *more: object) -> Done:
    return run("eval", "compare", "--baseline", files / "a.yaml", "--candidate", files / "b.yaml", *more)


def foreign(folder: Path, lines: list[dict[str, Any]], **plan: Any) -> tuple[Path, Path]:
    """Write results and a plan as somebody else would."""
    write_jsonl(folder / "theirs.jsonl", lines)
    content = {"protocol": PROTOCOL, "cases": ["c0", "c1", "c2", "c3"], "repetitions": 1, **plan}
    (folder / "plan.json").write_text(json.dumps(content), encoding="utf-8")
    return folder / "theirs.jsonl", folder / "plan.json"


def test_two_variants_are_run_in_pairs_and_reported_in_every_form(files: Path) -> None:
    done = compare(files, "--repetitions", 2, "-o", files / "out", "--json")
    assert done.code == 0, done.err
    assert done.json["complete"]
    assert set(done.json["pass_rate"]) == {"baseline", "candidate"}
    assert "One thing differs: context 'passages'" in done.json["headline"]
    assert {path.name for path in (files / "out").iterdir()} >= {
        "protocol.json", "plan.json", "observations.jsonl", "report.txt", "report.json", "report.md", "report.html",
    }  # fmt: skip
    kept = (files / "out" / "observations.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["variant"] for line in kept[:2]] == ["baseline", "candidate"]
    assert [json.loads(line)["variant"] for line in kept[4:6]] == ["candidate", "baseline"]
    assert json.loads((files / "out" / "report.json").read_text(encoding="utf-8")) == done.json


def test_a_finished_run_is_not_run_again_by_mistake(files: Path) -> None:
    assert compare(files, "-o", files / "out").code == 0
    before = (files / "out" / "observations.jsonl").read_bytes()
    again = compare(files, "-o", files / "out")
    assert again.code == 2
    assert "--resume" in again.err
    assert compare(files, "-o", files / "out", "--resume").code == 0
    assert (files / "out" / "observations.jsonl").read_bytes() == before


def test_the_reports_of_a_run_are_compared_again_from_its_files(files: Path) -> None:
    first = compare(files, "-o", files / "out", "--json").json
    again = run(
        "eval", "compare", "--observations", files / "out" / "observations.jsonl", "--plan",
        files / "out" / "plan.json", "--json",
    )  # fmt: skip
    assert again.json == first


def test_a_dry_run_tells_what_it_would_take_and_runs_nothing(files: Path) -> None:
    done = compare(files, "--repetitions", 3, "--dry-run", "-o", files / "out", "--json")
    assert done.code == 0
    assert (done.json["runs"], done.json["calls"], done.json["cost"]) == (12, [0, 0], [0.0, 0.0])
    assert [switch["key"] for switch in done.json["switches"]] == ["passages"]
    assert not (files / "out").exists()


@pytest.mark.parametrize("repetitions", ["0", "11", "1.5", "many"])
def test_impossible_repetitions_are_wrong_use(files: Path, repetitions: str) -> None:
    assert compare(files, "--repetitions", repetitions).code == 2


@pytest.mark.parametrize(
    "words", [[], ["--plan", "x"], ["--experiment", "context", "--plan", "x"], ["--experiment", "colour"]]
)
def test_no_or_two_comparisons_are_wrong_use(words: list[str]) -> None:
    assert run("eval", "compare", *words).code == 2


def test_results_of_others_are_compared(tmp_path: Path) -> None:
    lines, plan = foreign(tmp_path, full_lines(plan_of()))
    done = run("eval", "compare", "--observations", lines, "--plan", plan, "--json")
    assert done.code == 0
    assert done.json["lift_points"] == 0.0
    assert "not recorded" in done.json["headline"]


def test_incomplete_results_have_no_headline_and_exit_1(tmp_path: Path) -> None:
    lines, plan = foreign(tmp_path, full_lines(plan_of())[:-1])
    done = run("eval", "compare", "--observations", lines, "--plan", plan, "-o", tmp_path / "out")
    assert done.code == 1
    assert "No headline: 1 missing" in done.out
    assert "c3 · candidate · 1" in done.out
    assert "Valid results" in done.out
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["lift_points"] is None
    assert report["pass_rate"] == {"baseline": None, "candidate": None}
    assert len(report["rows"]) == 7


def test_a_torn_last_line_is_a_defect_not_a_crash(tmp_path: Path) -> None:
    lines, plan = foreign(tmp_path, full_lines(plan_of()))
    lines.write_text(lines.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    done = run("eval", "compare", "--observations", lines, "--plan", plan, "--json")
    assert done.code == 1
    assert {defect["kind"] for defect in done.json["defects"]} == {"missing", "unreadable"}


@pytest.mark.parametrize("plan", [{"repetitions": 0}, {"cases": ["c0", "c0"]}, {"cases": [""]}])
def test_a_bad_plan_is_wrong_use(tmp_path: Path, plan: dict[str, Any]) -> None:
    lines, path = foreign(tmp_path, [], **plan)
    assert run("eval", "compare", "--observations", lines, "--plan", path).code == 2


def test_an_empty_plan_is_incomplete(tmp_path: Path) -> None:
    lines, path = foreign(tmp_path, [], cases=[])
    done = run("eval", "compare", "--observations", lines, "--plan", path, "--json")
    assert done.code == 1
    assert done.json["defects"][0]["kind"] == "empty-plan"


def test_a_lift_is_never_called_per_cent(tmp_path: Path) -> None:
    full = full_lines(plan_of())
    full[0]["passed"] = False
    lines, plan = foreign(tmp_path, full)
    run("eval", "compare", "--observations", lines, "--plan", plan, "-o", tmp_path / "out")
    for form in ("report.md", "report.txt", "report.html"):
        text = (tmp_path / "out" / form).read_text(encoding="utf-8")
        assert "+25.0 percentage points" in text
        assert not re.search(r"[+-]\d[\d.]*\s*%", text)


def test_the_page_fetches_nothing_and_shows_names_as_text(tmp_path: Path) -> None:
    plan = plan_of(["<script>alert(1)</script>", "b"])
    full = full_lines(plan)
    full[0]["passed"] = False
    lines, path = foreign(tmp_path, full, cases=list(plan.cases))
    assert run("eval", "compare", "--observations", lines, "--plan", path, "-o", tmp_path / "out").code == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<svg" in page
    assert not re.search(r"""(?:src|href)=["'](?!data:|#)""", page)
    assert not re.search(r"@import|url\((?!#)", page)


def test_every_repair_is_switched_off_in_turn_by_layer_and_all_at_once(files: Path) -> None:
    words = ("eval", "ablate", "mindtrip", "--suite", files / "small.yaml", "-o", files / "out", "--json")
    done = run(*words)
    assert done.code == 0, done.err
    names = [row["name"] for row in done.json["rows"]]
    assert [ALL_ON, *names] == list(switched_off("mindtrip"))
    assert names[-1] == ALL_OFF
    assert {f"without {repair}" for repair in repairs_of("mindtrip")} < set(names)
    assert {f"without layer {layer}" for layer in layers_of("mindtrip")} < set(names)
    assert all(row["pass_rate"][ALL_ON] is not None for row in done.json["rows"])
    assert "<svg" in (files / "out" / "report.html").read_text(encoding="utf-8")
    _spoil(files / "out" / "observations.jsonl")
    spoilt = run(*words, "--resume")
    assert spoilt.code == 1
    assert {row["lift_points"] for row in spoilt.json["rows"]} == {None}  # one defect blocks every row
    assert {row["p_holm"] for row in spoilt.json["rows"]} == {None}


def _spoil(path: Path) -> None:
    """Write the last line of a file once more."""
    kept = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*kept, kept[-1]]), encoding="utf-8")


def test_an_ablation_needs_a_suite_of_its_graph(files: Path) -> None:
    assert run("eval", "ablate", "atlassplit", "--suite", files / "small.yaml").code == 2
    assert run("eval", "ablate", "nothing").code == 2


@pytest.mark.parametrize("graph", ["mindtrip", "atlassplit"])
def test_layers_hold_repairs_of_their_graph(graph: str) -> None:
    off = switched_off(graph)
    assert off[ALL_ON] == ()
    assert set(off[ALL_OFF]) == set(repairs_of(graph))
    assert all(1 < len(members) < len(off[ALL_OFF]) for members in layers_of(graph).values())


def test_simulated_faults_are_labelled(files: Path) -> None:
    done = compare(files, "--model", "faulty:3", "-o", files / "out")
    assert "Simulated faults, not a language model" in done.out
    assert "Simulated faults" in (files / "out" / "report.md").read_text(encoding="utf-8")


def test_a_chat_model_is_estimated_by_the_bounds_of_the_loops() -> None:
    settings = vars(MindTripSettings(model="openai:gpt-4.1-mini"))
    found = estimate("mindtrip", [settings, {**settings, "disabled": ("rewrite_negation",)}], runs=10)
    assert found.runs == 20
    assert found.calls == (20 + 10, 60 + 40)
    assert found.cost is not None
    assert 0 < found.cost[0] < found.cost[1]


def test_a_model_without_a_price_has_no_expected_cost() -> None:
    settings = vars(MindTripSettings(model="openai:nobody-knows"))
    found = estimate("mindtrip", [settings], runs=1)
    assert found.cost is None
    assert "unknown" in found.to_text()


def test_an_unknown_graph_has_no_repairs() -> None:
    with pytest.raises(UsageError, match="mindtrip"):
        repairs_of("nothing")
