"""What an experiment would take, told before anything is paid: runs, model calls, expected cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.messages.ai import UsageMetadata

from mindatlas.evals.experiments.effective_inputs import prompt_names
from mindatlas.nodes.models_settings import model_kind
from mindatlas.nodes.models_usage import usage_cost
from mindatlas.prompts import source

# Ours, and told in the estimate: passages, a schema card or tool schemas beside the prompt's own text, and a reply.
DATA_TOKENS, REPLY_TOKENS, CHARACTERS_A_TOKEN = 1_500, 400, 3
_FORMAT_RETRY = 2  # a reply that is not in the form asked for is asked for once more


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What is expected of an experiment, lowest and highest.

    Attributes:
        cost: in the currency of prices.yaml; None where a model has no known price, never 0.
    """

    runs: int
    calls: tuple[int, int]
    cost: tuple[float, float] | None

    def to_text(self) -> str:
        """Return the estimate as one line."""
        low, high = self.calls
        cost = (
            "unknown: a model has no price"
            if self.cost is None
            else f"{self.cost[0]:.2f} to {self.cost[1]:.2f}"
        )
        return (
            f"{self.runs} runs, {low} to {high} model calls, expected cost {cost} "
            f"(at {DATA_TOKENS} tokens of data and {REPLY_TOKENS} of reply a call)"
        )


def estimate(graph: str, settings: Iterable[Mapping[str, Any]], runs: int) -> Estimate:
    """Return what `runs` runs under each of `settings` (complete, as a runner tells them) are expected to take."""
    calls, costs = [0, 0], [0.0, 0.0]
    known, variants = True, 0
    for variant in settings:
        variants += 1
        for end, a_run in enumerate(_calls(graph, variant)):
            calls[end] += a_run * runs
            cost = _cost(graph, variant["model"], a_run * runs)
            known = known and cost is not None
            costs[end] += cost or 0.0
    return Estimate(
        runs=runs * variants, calls=(calls[0], calls[1]), cost=(costs[0], costs[1]) if known else None
    )


def _calls(graph: str, settings: Mapping[str, Any]) -> tuple[int, int]:
    """Return the fewest and the most calls of one run: the bounds of the graph's loops."""
    if model_kind(settings["model"]) != "chat":
        return 0, 0
    off = settings.get("disabled", ())
    if graph == "mindtrip":
        reading = int("rewrite_negation" not in off)
        return reading + 1, (reading + settings["attempts"]) * _FORMAT_RETRY
    if graph == "atlassplit":
        asserting = int("propose_assertions" not in off)
        return asserting + 1, (
            asserting + settings["rounds"] * (1 + settings["regenerations"])
        ) * _FORMAT_RETRY
    return 2, settings["max_calls"] + 1 + 2 * settings["retries"]


def _cost(graph: str, model: str, calls: int) -> float | None:
    if not calls:
        return 0.0
    names = prompt_names(graph)
    prompt = sum(len(source(name)) for name in names) / len(names) / CHARACTERS_A_TOKEN
    spent = UsageMetadata(
        input_tokens=round(calls * (prompt + DATA_TOKENS)), output_tokens=calls * REPLY_TOKENS, total_tokens=0
    )
    return usage_cost({model.partition(":")[2]: spent})["cost"]
