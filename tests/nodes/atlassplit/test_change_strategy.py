from __future__ import annotations

from typing import Any

from mindatlas.nodes.atlassplit.change_strategy import change_strategy


def test_the_next_program_is_to_be_another_one() -> None:
    parts: Any = None
    expected = {"task": "change_strategy", "feedback": "x", "mismatch": None, "regenerations": 0}
    assert change_strategy({"findings": "x"}, parts) == expected
