from __future__ import annotations

from typing import Any, get_args

import pytest

from mindatlas.nodes.atlassplit.parts.budgets import Budget
from mindatlas.nodes.atlassplit.parts.strategy import StopReason
from mindatlas.nodes.atlassplit.stop import REASONS, stop


def stopped(reason: str, *, declined: bool = False) -> dict[str, Any]:
    rounds: Any = [{"error_type": "E3", "evidence": "a sum is off"}]
    parts: Any = None
    state: Any = {"declined": declined, "stop_reason": reason, "rounds": rounds, "notices": []}
    return dict(stop(state, parts))


def test_every_reason_has_its_words() -> None:
    assert set(REASONS) == {*get_args(StopReason), *get_args(Budget), "declined"}


@pytest.mark.parametrize(
    ("reason", "status"), [("rounds_used_up", "failed"), ("same_code", "stopped"), ("time_budget", "stopped")]
)
def test_only_rounds_that_are_used_up_have_failed(reason: str, status: str) -> None:
    update = stopped(reason)
    assert (update["status"], update["stop_reason"]) == (status, reason)
    assert update["notices"] == [REASONS[reason], "The last round ended with E3: a sum is off"]


def test_declining_goes_before_any_other_reason() -> None:
    update = stopped("", declined=True)
    assert (update["status"], update["stop_reason"]) == ("stopped", "declined")
    assert update["notices"] == [REASONS["declined"]]
