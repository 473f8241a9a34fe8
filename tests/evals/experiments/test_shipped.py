"""Each shipped experiment switches one dimension of the effective inputs, and that one only."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from mindatlas.evals.experiments.effective_inputs import Switch, effective_inputs, switches_of
from mindatlas.evals.experiments.headline import say_switches
from mindatlas.evals.experiments.variant import Variant, check_pair, read_variant, shipped_pair
from mindatlas.evals.runners import open_runner
from mindatlas.evals.suite import read_suite
from mindatlas.nodes.errors import UsageError

SUITES = Path(str(files("mindatlas.evals").joinpath("suites")))
CHAT = {"model": "openai:some-model", "base_url": "http://127.0.0.1:9/v1"}


def pair(name: str) -> dict[str, Variant]:
    baseline, candidate = shipped_pair(name)
    variants = {"baseline": read_variant(baseline), "candidate": read_variant(candidate)}
    check_pair(variants)
    return variants


def switches(name: str, settings: dict[str, Any]) -> list[Switch]:
    """Return what differs in the effective inputs of a shipped experiment; nothing is asked of a model."""
    inputs = {}
    for variant, held in pair(name).items():
        suite = read_suite(held.suite)
        runner = open_runner(suite.graph, {**suite.settings, **held.settings, **settings})
        inputs[variant] = effective_inputs(suite.graph, runner.identity(), held.prompts)
    return switches_of(inputs)


def test_the_context_experiment_switches_the_number_of_passages() -> None:
    for settings in ({}, CHAT):
        assert switches("context", settings) == [
            Switch(dimension="context", key="passages", values={"baseline": 3, "candidate": 1})
        ]


def test_the_prompt_experiment_switches_one_rendered_prompt() -> None:
    (switch,) = switches("prompt", CHAT)
    assert (switch["dimension"], switch["key"]) == ("prompt", "mindtrip/answer")


def test_the_prompt_experiment_switches_nothing_where_no_prompt_is_read() -> None:
    assert switches("prompt", {}) == []
    assert "Nothing differs" in say_switches([])


def test_the_tool_experiment_switches_tool_schemas_alone() -> None:
    found = switches("tool", {"today": "2026-06-30"})
    assert {switch["dimension"] for switch in found} == {"tool"}
    assert "order_stat" in {switch["key"] for switch in found}


def test_an_unknown_experiment_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="context, prompt, tool"):
        shipped_pair("colour")


def test_paths_in_a_variant_start_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "short.md").write_text("Answer $question.", encoding="utf-8")
    (tmp_path / "v.yaml").write_text(
        "suite: mindtrip\nsettings: {kb: mine, passages: 2}\nprompts: {mindtrip/answer: short.md}\n",
        encoding="utf-8",
    )
    found = read_variant(tmp_path / "v.yaml")
    assert found.settings == {"kb": str(tmp_path / "mine"), "passages": 2}
    assert found.prompts == {"mindtrip/answer": "Answer $question."}


@pytest.mark.parametrize(
    "text",
    ["settings: {}", "suite: nowhere", "suite: mindtrip\ncolour: red", "suite: mindtrip\nbudget: {cost: 0}"],
)
def test_a_bad_variant_file_is_a_usage_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "v.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError):
        read_variant(tmp_path / "v.yaml")
