from __future__ import annotations

from typing import Any

from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.widen import widen


def condition(field: str, strength: Any) -> dict[str, Any]:
    return Condition(
        fields=(field,), operator="equal", values=("x",), strength=strength, surface=f"{field}词"
    ).to_dict()


def test_firm_conditions_become_soft_and_are_named(parts: MindTripParts) -> None:
    conditions = [condition(name, name) for name in ("filter", "hard", "firm", "soft")]
    update = widen({"conditions": conditions, "notices": ["before"]}, parts)
    assert [c["strength"] for c in update["conditions"]] == ["filter", "hard", "soft", "soft"]
    assert update["filters"] == update["shown_filters"] == {"filter": "x", "hard": "x"}
    assert update["widened"] is True
    assert update["notices"][0] == "before"
    assert "firm词" in update["notices"][1]
    assert "hard词" not in update["notices"][1]
