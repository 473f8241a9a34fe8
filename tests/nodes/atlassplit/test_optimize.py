from __future__ import annotations

from typing import Any

from mindatlas.nodes.atlassplit.optimize import optimize


def test_the_next_program_is_to_need_less() -> None:
    parts: Any = None
    expected = {"task": "optimize", "feedback": "x", "mismatch": None, "regenerations": 0}
    assert optimize({"findings": "x"}, parts) == expected
