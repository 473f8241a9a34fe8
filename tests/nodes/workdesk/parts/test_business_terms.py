"""Meanings and topics of questions."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest
import yaml

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.business_terms import meanings, topic_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("打卡", "attendance"),
        ("clock-in", "考勤"),
        ("purchase orders", "采购单"),
        ("发票", "INVOICES"),
        ("countries apart, deliveries", "送货"),
        ("approved", "批准"),
        ("cancelled", "撤销"),
        ("登記", "register"),  # traditional characters
    ],
)
def test_words_of_one_meaning_have_one_name(one: str, other: str) -> None:
    assert meanings(one)
    assert set(meanings(one)) & set(meanings(other))


def test_the_longest_word_counts() -> None:
    assert meanings("采购申请") != meanings("采购订单")
    assert len(meanings("采购申请")) == 1
    assert len(meanings("leave the leave request")) == 2


@pytest.mark.parametrize("text", ["", "？", "asdf", "planetary", "一二三"])
def test_words_without_a_known_meaning_have_none(text: str) -> None:
    assert meanings(text) == []


def test_a_word_stands_for_one_meaning_only() -> None:
    path = files("mindatlas.nodes.workdesk.parts").joinpath("business_terms.yaml")
    groups = yaml.safe_load(path.read_text(encoding="utf-8"))
    words = Counter(fold(str(word)) for group in groups for word in set(group))
    assert [word for word, count in words.items() if count > 1] == []
    assert all(isinstance(word, str) for group in groups for word in group)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("请问上个月的发票有多少", "发票 多少"),
        ("Please show me the invoices of last month", "show invoices"),
        ("请问", ""),
        ("", ""),
    ],
)
def test_the_topic_is_what_is_left(text: str, topic: str) -> None:
    assert topic_of(text) == topic
