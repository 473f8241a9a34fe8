from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex

INDEX = EntityIndex(
    {
        "日月湾": ["Riyue Bay", "日月灣"],
        "故宫": ["Forbidden City", "紫禁城"],
        "故宫角楼咖啡": ["Corner Tower Cafe"],
        "后海": ["Houhai"],
    }
)


def found(text: str) -> list[tuple[str, str]]:
    return [(mention.surface, mention.entity) for mention in INDEX.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("万宁的日月湾怎么样", [("日月湾", "日月湾")]),
        ("日月灣和紫禁城", [("日月灣", "日月湾"), ("紫禁城", "故宫")]),
        ("Is RIYUE  bay good?", [("RIYUE  bay", "日月湾")]),
        ("日 月 湾", [("日 月 湾", "日月湾")]),
        ("Ｒｉｙｕｅ Ｂａｙ", [("Ｒｉｙｕｅ Ｂａｙ", "日月湾")]),
        ("故宫角楼咖啡好喝吗", [("故宫角楼咖啡", "故宫角楼咖啡")]),
        ("故宫和故宫角楼咖啡", [("故宫", "故宫"), ("故宫角楼咖啡", "故宫角楼咖啡")]),
        ("故宫旁边", [("故宫", "故宫")]),
        ("去Houhai冲浪", [("Houhai", "后海")]),
        ("HouhaiX, xHouhai, 2Houhai", []),
        ("没有名字的句子", []),
        ("", []),
    ],
)
def test_find(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("name", "entity"),
    [
        ("日月湾", "日月湾"),
        ("riyue bay", "日月湾"),
        (" 日月灣 ", "日月湾"),
        ("日月", None),
        ("日月湾边", None),
        ("", None),
    ],
)
def test_resolve_takes_whole_names_only(name: str, entity: str | None) -> None:
    assert INDEX.resolve(name) == entity


def test_an_entity_keeps_its_own_name_against_an_alias_of_another() -> None:
    index = EntityIndex({"三亚": ["海棠湾"], "海棠湾": []})
    assert index.resolve("海棠湾") == "海棠湾"


def test_empty_names_are_no_names() -> None:
    index = EntityIndex({"": ["", " "], "后海": [""]})
    assert index.names() == ["后海"]
    assert len(index) == 1
    assert index.find("在后海") != []


def test_names_are_folded_and_sorted() -> None:
    assert EntityIndex({"石梅湾": ["Shimei", "石梅灣"]}).names() == ["shimei", "石梅湾"]


@given(st.text(alphabet="日月湾故宫角楼咖啡 后海Houhai，Ａ灣", max_size=40))
def test_mentions_are_slices_in_order_without_overlap(text: str) -> None:
    end = 0
    for mention in INDEX.find(text):
        assert end <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.surface
        assert INDEX.resolve(mention.surface) == mention.entity
        end = mention.end
