from __future__ import annotations

from typing import Any

from mindatlas.nodes.atlassplit.repair import repair


def test_a_misnamed_column_lets_only_names_change() -> None:
    parts: Any = None
    misnamed = repair({"findings": "x", "column_misnamed": True}, parts)
    assert misnamed == {"task": "repair_columns", "feedback": "x", "mismatch": None, "regenerations": 0}
    assert repair({"findings": "x", "column_misnamed": False}, parts)["task"] == "repair"
