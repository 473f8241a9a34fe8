from __future__ import annotations

from typing import Any

from mindatlas.nodes.atlassplit.refuse import refuse


def test_the_refusal_is_told_and_its_message_is_a_notice() -> None:
    parts: Any = None
    refusal = {"kind": "ambiguous", "about": "金额", "candidates": ("a", "b"), "message": "which one?"}
    assert refuse({"refusal": refusal, "notices": ["read"]}, parts) == {
        "refusal": {"kind": "ambiguous", "about": "金额", "candidates": ["a", "b"]},
        "status": "stopped",
        "stop_reason": "refused",
        "notices": ["read", "which one?"],
    }
