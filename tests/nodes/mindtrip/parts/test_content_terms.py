from __future__ import annotations

import pytest

from mindatlas.nodes.mindtrip.parts.content_terms import content_terms


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("有哪些冲浪的地方？", ("冲浪",)),
        ("请问热带雨林怎么样", ("热带", "带雨", "雨林")),
        ("Where can I go surfing?", ("surfing",)),
        ("還有什麼衝浪的地方", ("冲浪",)),
        ("有什么？", ()),
        ("🏄", ()),
        ("", ()),
        ("冲浪冲浪", ("冲浪", "浪冲")),
    ],
)
def test_content_terms(question: str, terms: tuple[str, ...]) -> None:
    assert content_terms(question) == terms
