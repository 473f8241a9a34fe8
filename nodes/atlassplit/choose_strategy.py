"""Node: decide what comes after a failed round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.audit_lines import record_rounds
from mindatlas.nodes.atlassplit.parts.budgets import spent_budget
from mindatlas.nodes.atlassplit.parts.output_path import output_path
from mindatlas.nodes.atlassplit.parts.rounds import Attempt, Round
from mindatlas.nodes.atlassplit.parts.strategy import RoundFact, Strategy, choose
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class In(TypedDict):
    """What the node reads; what only the audit takes of the state is not listed."""

    run_id: str
    workbooks: list[str]
    save_as: NotRequired[str]
    rounds: list[Round]
    attempts: list[Attempt]
    rounds_allowed: int
    precheck_regenerations: int
    usage: Mapping[str, Any]
    timings_ms: Mapping[str, float]


class Out(TypedDict):
    """What the node writes; `stop_reason` is empty where the run goes on."""

    next_step: Strategy
    stop_reason: str


def choose_strategy(state: In, parts: AtlasSplitParts) -> Out:
    """Return the next step by the rules for rounds, and stop where a budget is spent.

    The round goes into the audit when another will follow; with the last one the audit says how the run ended.

    Raises:
        UsageError: The audit cannot be written.
    """
    chosen = _chosen(state, parts)
    if chosen["next_step"] != "stop":
        out = output_path(state.get("save_as"), state["workbooks"], run_id=state["run_id"])
        record_rounds(state, parts, out)
    return chosen


def _chosen(state: In, parts: AtlasSplitParts) -> Out:
    facts = [
        RoundFact(error_type=round_["error_type"] or "E0", code_sha256=round_["code_sha256"])
        for round_ in state["rounds"]
    ]
    choice = choose(facts, max_rounds=state["rounds_allowed"])
    if choice.strategy == "stop":
        return Out(next_step="stop", stop_reason=choice.stop_reason or "")
    spent = spent_budget(
        parts.settings,
        usage=state["usage"],
        timings_ms=state["timings_ms"],
        regenerations=state["precheck_regenerations"],
    )
    if spent is not None:
        return Out(next_step="stop", stop_reason=spent)
    disabled = choice.strategy == "change_strategy" and not parts.enabled("change_strategy")
    return Out(next_step="repair" if disabled else choice.strategy, stop_reason="")
