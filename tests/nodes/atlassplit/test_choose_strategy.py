from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.atlassplit.choose_strategy import choose_strategy
from mindatlas.nodes.atlassplit.parts.publishing import read_audit
from mindatlas.nodes.atlassplit.parts.rounds import Attempt, Round
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitSettings
from tests.sheets import ScriptedCodeWriter, make_parts, state_of, write_workbook

USAGE = {"input_tokens": 900, "output_tokens": 100, "cost": 0.5}

ATTEMPT: Attempt = {
    "code": "result = 1\n",
    "prompt_sha256": "",
    "findings": "",
    "error": None,
    "chart": None,
    "precheck": [],
    "input_tokens": 0,
    "output_tokens": 0,
}


def failed_round(number: int, error_type: Any) -> Round:
    return Round(
        round=number,
        strategy="generate",
        error_type=error_type,
        error="KeyError: 1",
        evidence="",
        assertions=[],
        code_sha256=f"{number:064x}",
        seconds=0.1,
    )


def audited(folder: Path) -> list[tuple[int, str | None, str | None]]:
    path = folder / "sales.result.audit.jsonl"
    lines = read_audit(path) if path.exists() else ()
    return [(line["round"], line["error_type"], line["status"]) for line in lines]


def chosen(
    folder: Path, *error_types: str, usage: dict[str, Any] = USAGE, **settings: Any
) -> tuple[str, str]:
    parts = make_parts(folder, ScriptedCodeWriter(), settings=AtlasSplitSettings(**settings))
    rounds = [failed_round(at, kind) for at, kind in enumerate(error_types, 1)]
    state: Any = {
        **state_of(parts, write_workbook(folder / "sales.xlsx"), run_id="r"),
        "rounds": rounds,
        "attempts": [ATTEMPT] * len(rounds),
        "precheck_regenerations": 2,
        "usage": usage,
        "timings_ms": {"execute": 1500.0, "generate": 500.0},
    }
    update = choose_strategy(state, parts)
    return update["next_step"], update["stop_reason"]


def test_the_rules_decide_while_budgets_hold(tmp_path: Path) -> None:
    assert chosen(tmp_path, "E3") == ("repair", "")
    assert chosen(tmp_path, "E3", "E3") == ("change_strategy", "")
    assert chosen(tmp_path, "E7", "E7") == ("optimize", "")
    assert chosen(tmp_path, "E6", "E6") == ("stop", "forbidden")
    assert chosen(tmp_path, "E3", "E3", "E3") == ("stop", "rounds_used_up")


@pytest.mark.parametrize(
    ("budget", "held", "spent"),
    [
        ("token_budget", 1001, 1000),
        ("cost_budget", 0.51, 0.5),
        ("time_budget_s", 2.1, 2.0),
        ("regeneration_budget", 3, 2),
    ],
)
def test_each_budget_stops_for_its_own_reason(tmp_path: Path, budget: str, held: float, spent: float) -> None:
    within: Any = {budget: held}
    beyond: Any = {budget: spent}
    assert chosen(tmp_path, "E3", **within) == ("repair", "")
    assert chosen(tmp_path, "E3", **beyond) == ("stop", budget.removesuffix("_s"))


def test_a_cost_that_nobody_knows_is_spent(tmp_path: Path) -> None:
    assert chosen(tmp_path, "E3", usage={**USAGE, "cost": None}, cost_budget=9.0) == ("stop", "cost_budget")


def test_changing_the_strategy_can_be_switched_off(tmp_path: Path) -> None:
    assert chosen(tmp_path, "E3", "E3", disabled=("change_strategy",)) == ("repair", "")


def test_a_round_that_another_will_follow_is_in_the_audit_once(tmp_path: Path) -> None:
    chosen(tmp_path, "E3")
    chosen(tmp_path, "E3")  # a run that was killed before its checkpoint comes here again
    assert audited(tmp_path) == [(1, "E3", None)]
    chosen(tmp_path, "E3", "E2")
    assert audited(tmp_path) == [(1, "E3", None), (2, "E2", None)]


def test_the_last_round_is_left_to_the_end_of_the_run(tmp_path: Path) -> None:
    chosen(tmp_path, "E6", "E6")
    assert audited(tmp_path) == []
