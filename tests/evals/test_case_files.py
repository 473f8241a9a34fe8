from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindatlas.evals.cases import Case, read_cases, set_hash
from mindatlas.evals.files import read_jsonl, read_yaml, write_jsonl
from mindatlas.evals.suite import Bound, Threshold, read_suite
from mindatlas.nodes.errors import FileReadError, UsageError
from tests.evals.suites import line, write_suite

ROOT = Path(__file__).parents[2]


def test_a_fault_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(line("a")) + "\n\n{broken\n", encoding="utf-8")
    with pytest.raises(FileReadError, match=r"cases.jsonl', line 3 is no JSON"):
        read_jsonl(path, "case")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"source": "found"}, r"\$.source"),
        ({"created": "yesterday"}, r"\$.created"),
        ({"query": " "}, r"\$.query"),
        ({"expected_entities": ["a", "a"]}, r"\$.expected_entities"),
        ({"id": "a b"}, r"\$.id"),
        ({"request": "both"}, "valid under each"),
    ],
)
def test_a_line_that_is_no_case_is_refused(tmp_path: Path, change: dict[str, object], told: str) -> None:
    write_jsonl(tmp_path / "cases.jsonl", [{**line("a"), **change}])
    with pytest.raises(FileReadError, match=told):
        read_cases([tmp_path / "cases.jsonl"])


def test_ids_are_unique_and_a_set_is_never_empty(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    write_jsonl(path, [line("a"), line("a")])
    with pytest.raises(UsageError, match="'a' stands more than once"):
        read_cases([path])
    write_jsonl(path, [])
    with pytest.raises(UsageError, match="no case"):
        read_cases([path])


def test_the_content_hash_is_about_what_is_asked_and_expected() -> None:
    case = Case.from_dict(line("a", filters={"city": "三亚"}))
    assert case.extra["filters"] == {"city": "三亚"}
    assert Case.from_dict(case.to_dict()).content_hash == case.content_hash
    assert (
        Case.from_dict(line("a", filters={"city": "三亚"}, created="2020-01-01")).content_hash
        == case.content_hash
    )
    assert Case.from_dict(line("a", filters={"city": "万宁"})).content_hash != case.content_hash
    assert Case.from_dict(line("a", query="?")).content_hash != Case.from_dict(line("a")).content_hash


def test_a_set_has_one_hash_in_any_order() -> None:
    one, two = Case.from_dict(line("a")), Case.from_dict(line("b"))
    assert set_hash([one, two]) == set_hash([two, one]) != set_hash([one])


def test_bounds_and_thresholds_are_inclusive() -> None:
    assert Bound(at_least=0.5).holds(0.5) and not Bound(at_least=0.5).holds(0.49)
    assert Bound(at_most=0.0).holds(0.0) and not Bound(at_most=0.0).holds(0.1)
    assert Threshold(threshold=0.9, direction="higher").met(0.9)
    assert Threshold(threshold=0.03, direction="lower").met(0.03)
    assert not Threshold(threshold=0.03, direction="lower").met(0.04)


def test_a_suite_is_a_file_or_a_bundled_name(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, ["a"])
    assert [case.id for case in suite.read_cases()] == ["a"]
    with pytest.raises(UsageError, match=r"no suite 'nowhere'.*mindtrip"):
        read_suite("nowhere")
    (tmp_path / "small.yaml").write_text("name: small\n", encoding="utf-8")
    with pytest.raises(FileReadError, match="is no suite"):
        read_suite(tmp_path / "small.yaml")
    (tmp_path / "small.yaml").write_text("a: [", encoding="utf-8")
    with pytest.raises(FileReadError, match="is no YAML"):
        read_yaml(tmp_path / "small.yaml")


def test_the_bundled_suite_holds_the_cases_it_promises() -> None:
    cases = read_suite("mindtrip").read_cases()
    types = [case.case_type for case in cases]
    assert (len(cases), types.count("exclusion"), types.count("refusal")) == (207, 12, 40)
    kinds = [types.count(kind) for kind in ("comparison", "several_constraints", "time_limited", "other")]
    assert kinds == [14, 8, 6, 15]
    assert len({case.query for case in cases}) == 207


def test_expected_values_of_the_bundled_suite_stand_in_the_knowledge_base() -> None:
    folder = ROOT / "nodes" / "mindtrip" / "parts" / "hainan"
    records = {r["id"]: r for path in folder.glob("*.jsonl") for r in read_jsonl(path)}
    entities = {record["entity"] for record in records.values()}
    for case in read_suite("mindtrip").read_cases():
        assert set(case.expected_context) <= set(records), case.id
        assert {*case.expected_entities, *case.forbidden_entities} <= entities, case.id
        assert {records[name]["entity"] for name in case.expected_context} <= set(case.expected_entities), (
            case.id
        )
        assert not set(case.forbidden_entities) & set(case.expected_entities), case.id
        assert bool(case.expected_context) != bool(case.extra.get("must_refuse")), case.id
        assert case.expected.strip(), case.id
