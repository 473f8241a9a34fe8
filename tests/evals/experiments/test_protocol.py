from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mindatlas.evals.cases import Case
from mindatlas.evals.experiments.experiment import prepare_folder
from mindatlas.evals.experiments.protocol import (
    Protocol,
    changed_keys,
    make_protocol,
    read_protocol,
    write_protocol,
)
from mindatlas.evals.experiments.variant import Variant
from mindatlas.evals.files import digest
from mindatlas.evals.suite import Suite
from mindatlas.nodes.errors import UsageError
from tests.evals.suites import write_suite

SETTINGS = {
    "model": "builtin",
    "kb": "/somewhere/kb",
    "reranker": "auto",
    "passages": 3,
    "disabled": [],
    "record": None,
}
IDENTITY = {"settings": SETTINGS, "reranker": "builtin", "knowledge_base": "k" * 64, "code": "c" * 64}


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return write_suite(tmp_path, ["a", "b"])


def protocol_of(suite: Suite, **changes: Any) -> Protocol:
    """Return a protocol of two equal variants but for what `changes` says of the candidate or the whole."""
    cases = changes.pop("cases", None) or suite.read_cases()
    identity = {**IDENTITY, **changes.pop("identity", {})}
    variants = changes.pop("variants", None) or {
        name: Variant(suite=suite.path) for name in ("baseline", "candidate")
    }
    given = {"repetitions": 1, "seed": 0, **changes}
    return make_protocol(suite, cases, variants, {"baseline": IDENTITY, "candidate": identity}, **given)


def test_the_hash_is_that_of_the_canonical_content(suite: Suite, tmp_path: Path) -> None:
    protocol = protocol_of(suite)
    write_protocol(protocol, tmp_path / "run")
    text = (tmp_path / "run" / "protocol.json").read_text(encoding="utf-8")
    assert json.loads(text)["sha256"] == protocol.sha256 == digest(json.loads(text)["protocol"])
    assert read_protocol(tmp_path / "run") == Protocol(
        content=json.loads(text)["protocol"], sha256=protocol.sha256
    )


def test_the_protocol_names_what_an_experiment_depends_on(suite: Suite) -> None:
    content = protocol_of(suite, repetitions=2, seed=5).content
    assert [case["id"] for case in content["cases"]] == ["a", "b"]
    assert content["cases"][0]["sha256"] == suite.read_cases()[0].content_hash
    assert content["fixtures"] == {
        "knowledge_base of baseline": "k" * 64,
        "knowledge_base of candidate": "k" * 64,
    }
    assert content["measures"]["faithfulness"] >= 1
    assert content["settings"]["baseline"]["reranker"] == "builtin"  # auto resolved
    assert (content["seed"], content["repetitions"]) == (5, 2)
    assert content["code"]["baseline"] == "c" * 64
    assert content["passes_when"] and content["thresholds"]
    assert content["switches"] == []


def test_paths_of_a_machine_do_not_change_the_hash(suite: Suite) -> None:
    moved = {"settings": {**SETTINGS, "kb": "/elsewhere/kb", "record": "/tmp/calls"}}
    assert protocol_of(suite, identity=moved).sha256 == protocol_of(suite).sha256


@pytest.mark.parametrize(
    "change",
    [
        {"repetitions": 2},
        {"seed": 1},
        {"identity": {"knowledge_base": "x" * 64}},
        {"identity": {"code": "x" * 64}},
        {"identity": {"reranker": "bge:m3"}},
        {"identity": {"settings": {**SETTINGS, "passages": 1}}},
    ],
)
def test_whatever_decides_a_result_changes_the_hash(suite: Suite, change: dict[str, Any]) -> None:
    assert protocol_of(suite, **change).sha256 != protocol_of(suite).sha256


def test_a_changed_case_changes_the_hash_and_a_reviewed_one_does_not(suite: Suite) -> None:
    first, second = suite.read_cases()
    same: list[Case] = [replace(first, reviewed=False), second]
    other = [replace(first, query="another question"), second]
    assert protocol_of(suite, cases=same).sha256 == protocol_of(suite).sha256
    assert protocol_of(suite, cases=other).sha256 != protocol_of(suite).sha256


def test_the_switch_is_listed_apart(suite: Suite) -> None:
    content = protocol_of(suite, identity={"settings": {**SETTINGS, "passages": 1}}).content
    assert content["switches"] == [
        {"dimension": "context", "key": "passages", "values": {"baseline": 3, "candidate": 1}}
    ]


@pytest.mark.parametrize(
    "other", [{"budget": {"cost": 1.0}}, {"judge": {"fast": "m"}}, {"suite": Path("other.yaml")}]
)
def test_variants_with_another_budget_judge_or_suite_are_refused(suite: Suite, other: dict[str, Any]) -> None:
    same = Variant(suite=suite.path)
    with pytest.raises(UsageError, match=next(iter(other))):
        protocol_of(suite, variants={"baseline": same, "candidate": replace(same, **other)})


def test_a_plan_follows_from_the_protocol(suite: Suite) -> None:
    budget = {name: Variant(suite=suite.path, budget={"cost": 1.0}) for name in ("baseline", "candidate")}
    plan = protocol_of(suite, variants=budget, repetitions=3, seed=7).plan()
    assert (plan.cases, plan.repetitions, plan.seed, plan.budget) == (("a", "b"), 3, 7, {"cost": 1.0})
    assert plan.switches == ()


def test_cases_of_one_workbook_are_one_cluster(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, ["a", "b"], cluster="book")
    assert protocol_of(suite).plan().clusters == {"a": "book", "b": "book"}


def test_a_protocol_that_was_changed_by_hand_is_not_trusted(suite: Suite, tmp_path: Path) -> None:
    write_protocol(protocol_of(suite), tmp_path / "run")
    path = tmp_path / "run" / "protocol.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"seed":0', '"seed":1'), encoding="utf-8")
    with pytest.raises(UsageError, match="changed after it was hashed"):
        read_protocol(tmp_path / "run")


def test_a_folder_goes_on_only_with_its_own_protocol(suite: Suite, tmp_path: Path) -> None:
    prepare_folder(tmp_path / "run", protocol_of(suite), resume=False)
    prepare_folder(tmp_path / "run", protocol_of(suite), resume=False)  # nothing was run yet
    with pytest.raises(UsageError, match="repetitions differ"):
        prepare_folder(tmp_path / "run", protocol_of(suite, repetitions=2), resume=True)
    (tmp_path / "run" / "observations.jsonl").touch()
    with pytest.raises(UsageError, match="--resume"):
        prepare_folder(tmp_path / "run", protocol_of(suite), resume=False)
    prepare_folder(tmp_path / "run", protocol_of(suite), resume=True)


def test_changed_keys_are_named(suite: Suite) -> None:
    assert changed_keys(protocol_of(suite), protocol_of(suite, seed=1)) == ["seed"]
