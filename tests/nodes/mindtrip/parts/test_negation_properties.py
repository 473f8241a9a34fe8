from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.negation import RuleNegationReader
from mindatlas.nodes.text import fold
from tests.nodes.mindtrip.parts.negation_names import KNOWN

_PIECES = """
    除了 除 之外 以外 外 不要 不想去 别推荐 不去 避开 跳过 排除 非 不是 把 去掉 去过 吃腻了 就算了 除外 只想去 其他都不要
    本来想去 从 回来 日月湾 石梅湾 宝塔湾 颐和园 椰子鸡 冲浪 门票 太贵 其他 这些 Riyue_Bay 万宁 海鲜 《活着》 “锦里” 看日出
    周末 还有什么 也能冲浪吗 都可以 就是 的 了 吗 和 、 ， 。 ？ ( ) 我 我们 这次 推荐 但是 附近 这两个地方 一家
    besides except other_than but_not not no skip avoid without only I've_been_to already_did aside nothing_else anything_but
    the Nanshan St._Regis old_town and , . ? where_can_I_surf is_also_good To_Live crowds surfing Hilton's don't_recommend 's
"""
pieces = st.sampled_from([piece.replace("_", " ") for piece in _PIECES.split()])
joined = st.lists(pieces, max_size=14).map("".join)
spaced = st.lists(pieces, max_size=14).map(" ".join)
texts = st.one_of(joined, spaced, st.text(max_size=60))
indexes = st.sampled_from([KNOWN, EntityIndex({}), EntityIndex({"冲浪": [], "还有": ["no"], "湾": []})])
reader = RuleNegationReader()


def _is_made_of_pieces(query: str, question: str) -> bool:
    """Return whether `query` can be had from `question` by taking characters away; a space may stand for any."""
    rest = iter(question)
    return all(any(char == other or (char == " " and other.isspace()) for other in rest) for char in query)


@given(texts, indexes)
def test_the_rewritten_query_is_made_of_pieces_of_the_question_in_order(
    text: str, entities: EntityIndex
) -> None:
    query = reader.read(text, entities).rewritten_query
    assert _is_made_of_pieces(query, text)
    assert bool(query) == bool(text)


@given(texts, indexes)
def test_each_excluded_or_kept_name_stands_in_the_question_as_written(
    text: str, entities: EntityIndex
) -> None:
    reading = reader.read(text, entities)
    for names in (reading.exclude_entities, reading.keep_only):
        assert all(name and name in text for name in names)
        assert len({fold(name) for name in names}) == len(names)


@given(texts, indexes)
def test_names_are_excluded_exactly_when_the_reading_says_so(text: str, entities: EntityIndex) -> None:
    reading = reader.read(text, entities)
    assert bool(reading.exclude_entities) == (reading.reading == "excluded")
    assert reading.keep_only or reading.reading != "only"
    assert reading.rewritten_query == text or reading.reading == "excluded"


@given(texts, indexes)
def test_the_same_question_reads_the_same(text: str, entities: EntityIndex) -> None:
    assert reader.read(text, entities) == RuleNegationReader().read(text, entities)


_CUE_CHARACTERS = re.compile(
    "[除外不别別勿甭非没沒了过過去从從就只把将將免避绕繞跳排拒换換代替取远遠少懒懶剔屏忽略抛拋撇刨讨討对對除]|[a-z]",
    re.IGNORECASE,
)


@given(st.text(alphabet="万宁有什么冲浪的地方推荐一下日月湾石梅和、，。？！ 😀\n《》“”0123", max_size=80))
def test_a_question_without_any_cue_comes_back_unchanged(text: str) -> None:
    assert not _CUE_CHARACTERS.search(text)
    reading = reader.read(text, KNOWN)
    assert (reading.rewritten_query, reading.reading, reading.reason) == (text, "none", "")


@pytest.mark.parametrize(
    "unit",
    [
        "不要日月湾、",
        "除了日月湾和",
        "去过日月湾了，",
        "除",
        "我",
        "besides A, ",
        "not A and ",
        "no x ",
        "A aside, ",
        "like ",
        "《",
        "😀",
        "了",
    ],
)
def test_ten_thousand_characters_are_read(unit: str) -> None:
    text = (unit * 10_000)[:10_000]
    reading = reader.read(text, KNOWN)
    assert _is_made_of_pieces(reading.rewritten_query, text)
