"""Budgets of a run: each has its own reason to stop, looked at before a further round begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

Budget = Literal["token_budget", "cost_budget", "time_budget", "regeneration_budget"]


class Budgets(Protocol):
    """What a run may use; None is no limit."""

    @property
    def token_budget(self) -> int | None:
        """Tokens, in and out."""

    @property
    def cost_budget(self) -> float | None:
        """Money, in the currency of the price list."""

    @property
    def time_budget_s(self) -> float | None:
        """Seconds of work."""

    @property
    def regeneration_budget(self) -> int | None:
        """Programs that the precheck sent back."""


def spent_budget(
    budgets: Budgets, *, usage: Mapping[str, Any], timings_ms: Mapping[str, float], regenerations: int
) -> Budget | None:
    """Return the first budget that is spent, None while all hold; what just reaches a budget has spent it.

    A cost that is not known, for want of a price, counts as spent: nobody could say when it is.
    """
    tokens = usage["input_tokens"] + usage["output_tokens"]
    cost = usage["cost"]
    seconds = sum(timings_ms.values()) / 1000
    spent: dict[Budget, bool] = {
        "token_budget": _reached(budgets.token_budget, tokens),
        "cost_budget": budgets.cost_budget is not None and (cost is None or cost >= budgets.cost_budget),
        "time_budget": _reached(budgets.time_budget_s, seconds),
        "regeneration_budget": _reached(budgets.regeneration_budget, regenerations),
    }
    return next((budget for budget, is_spent in spent.items() if is_spent), None)


def _reached(limit: float | None, used: float) -> bool:
    return limit is not None and used >= limit
