from __future__ import annotations

from typing import Any

import pytest

from mindatlas.nodes.mindtrip.parts.evidence import EvidenceScorer
from mindatlas.nodes.mindtrip.parts.focus import Focus
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from tests.knowledge import Record, make_base


def note(name: str, text: str, **fields: Any) -> Record:
    return {"id": name, "title": name, "entity": name, "text": text, **fields}


NOTES: tuple[Record, ...] = (
    note("蓝湾", "蓝湾的沙滩能浮潜，北边是金湾。", city="甲城", category="海湾", tags=["浮潜", "看海"]),
    {**note("蓝湾季节", "浮潜最好的月份是四月。", city="甲城", category="贴士", tags=["浮潜"]), "title": "蓝湾几月去", "entity": "蓝湾"},
    note("金湾", "金湾的沙滩安静，南边是蓝湾。", city="甲城", category="海湾", tags=["看海"]),
    note("禁湾", "禁湾能浮潜，但不对普通游客开放。", city="甲城", category="海湾", tags=["浮潜"]),
    note("浮潜须知", "浮潜要穿救生衣，蓝湾和金湾都一样。", city="甲城", category="贴士", tags=["浮潜"]),
    note("甲城", "甲城有蓝湾，可以浮潜。", city="甲城", category="城镇", tags=["浮潜"]),
    note("各地浮潜", "各地的浮潜都要看天气。", category="贴士", tags=["浮潜"]),
    note("乙城", "乙城在山里，没有海。", city="乙城", category="城镇", tags=["登山"]),
    note("乙城带孩子", "带孩子去乙城看茶园。", city="乙城", category="贴士", tags=["亲子"]),
    note("甲城带孩子", "带孩子去甲城挖沙。", city="甲城", category="贴士", tags=["亲子"]),
)  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return make_base(tmp_path_factory.mktemp("focus") / "kb", NOTES)


def focus(base: KnowledgeBase, question: str) -> Focus:
    read = base.constraint_reader.read(question)
    scorer = EvidenceScorer(base, question, conditions=read.conditions, named=read.named)
    return Focus(base, scorer, conditions=read.conditions, named=read.named)


def rows(base: KnowledgeBase, *names: str) -> list[int]:
    return [base.rows[name] for name in names]


def ids(base: KnowledgeBase, found: list[int]) -> list[str]:
    return [base.ids[row] for row in found]


def test_options_are_things_in_the_town_and_no_advice(base: KnowledgeBase) -> None:
    given = rows(base, "各地浮潜", "甲城", "浮潜须知", "蓝湾季节", "蓝湾")
    found = focus(base, "甲城哪里能浮潜").of_options(given)
    assert ids(base, found) == ["蓝湾季节", "蓝湾"]  # advice about a thing is of the thing


def test_what_cannot_be_visited_is_no_option_while_others_are(base: KnowledgeBase) -> None:
    asked = focus(base, "甲城哪里能浮潜")
    assert ids(base, asked.of_options(rows(base, "禁湾", "蓝湾"))) == ["蓝湾"]
    assert ids(base, asked.of_options(rows(base, "禁湾"))) == ["禁湾"]


def test_things_that_meet_every_condition_go_before_those_that_meet_some(base: KnowledgeBase) -> None:
    found = focus(base, "甲城能看海又能浮潜的地方").of_options(rows(base, "金湾", "蓝湾"))
    assert ids(base, found) == ["蓝湾"]


def test_advice_answers_for_options_only_where_its_title_asks_the_same(base: KnowledgeBase) -> None:
    asked = focus(base, "甲城哪里能浮潜")
    assert ids(base, asked.of_options(rows(base, "浮潜须知", "甲城"))) == ["浮潜须知"]


def test_advice_for_everywhere_says_nothing_of_a_town(base: KnowledgeBase) -> None:
    assert focus(base, "乙城哪里能浮潜").of_options(rows(base, "各地浮潜")) == []


def test_a_fact_of_a_named_subject_comes_from_its_own_passages(base: KnowledgeBase) -> None:
    given = rows(base, "金湾", "蓝湾", "浮潜须知", "蓝湾季节")
    assert ids(base, focus(base, "蓝湾的沙滩怎么样").of_facts(given)) == ["蓝湾", "蓝湾季节"]
    assert ids(base, focus(base, "蓝湾的沙滩怎么样").of_facts(rows(base, "金湾"))) == ["金湾"]


def test_a_fact_without_a_subject_comes_from_the_passage_whose_title_is_about_it(base: KnowledgeBase) -> None:
    given = rows(base, "蓝湾", "浮潜须知")
    assert ids(base, focus(base, "浮潜须知道什么").of_facts(given)) == ["浮潜须知"]


def test_a_comparison_takes_one_passage_of_each_town_and_the_town_itself_where_none_tells(
    base: KnowledgeBase,
) -> None:
    asked = focus(base, "甲城和乙城哪个适合带孩子")
    assert asked.sides == ("甲城", "乙城")
    every = rows(base, "甲城", "蓝湾", "甲城带孩子", "乙城", "乙城带孩子")
    found = asked.by_side(every, rows(base, "蓝湾", "甲城带孩子", "乙城带孩子"))
    assert ids(base, found) == ["甲城带孩子", "乙城带孩子"]
    assert ids(base, asked.by_side(every, rows(base, "甲城带孩子"))) == ["甲城带孩子", "乙城"]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("金湾怎么样", ("金湾",)),
        ("甲城有哪些金湾", ()),  # a proper name is not counted
        ("甲城看海的金湾", ()),  # nor picked out by a property
        ("甲城的金湾", ("金湾",)),
        ("which 金湾 is open", ()),
    ],
)
def test_a_name_that_is_counted_or_picked_out_names_a_kind(
    base: KnowledgeBase, question: str, named: tuple[str, ...]
) -> None:
    assert base.constraint_reader.read(question).named == named


def test_a_bigram_across_two_words_that_no_passage_holds_is_no_content(base: KnowledgeBase) -> None:
    assert "滩天" not in EvidenceScorer(base, "沙滩天气").terms
    assert {"沙滩", "天气"} <= set(EvidenceScorer(base, "沙滩天气").terms)
    assert {"滑雪", "雪场"} <= set(EvidenceScorer(base, "滑雪场").terms)  # unknown words stay whole evidence


def test_an_unknown_proper_name_is_what_was_asked_about(base: KnowledgeBase) -> None:
    known, name = (
        EvidenceScorer(base, q).support(base.rows["蓝湾"]) for q in ("沙滩 eiffel", "see the Eiffel 沙滩")
    )
    assert name.coverage < known.coverage


def test_aboutness_is_of_titles_and_names_alone(base: KnowledgeBase) -> None:
    scorer = EvidenceScorer(base, "浮潜须知")
    assert scorer.aboutness(base.rows["浮潜须知"]) == 1.0
    assert scorer.aboutness(base.rows["蓝湾"]) == 0.0
    assert EvidenceScorer(base, "").aboutness(base.rows["蓝湾"]) == 0.0
