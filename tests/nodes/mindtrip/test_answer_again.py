from __future__ import annotations

from mindatlas.nodes.mindtrip.answer_again import answer_again
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts


def test_the_notice_names_the_faults(parts: MindTripParts) -> None:
    update = answer_again({"faults": ["One fault.", "Another."], "notices": ["before"]}, parts)
    assert update["notices"][0] == "before"
    assert "One fault. Another." in update["notices"][1]
    assert set(update) == {"notices"}
