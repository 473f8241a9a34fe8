from __future__ import annotations

import pytest

from mindatlas.nodes.mindtrip.parts.documents_records import (
    Document,
    EmptyRecordError,
    Record,
    make_document,
    stays_text,
)


def make(fields: dict[str, object], **known: str) -> Document:
    record = Record(place="line 1", fields=fields, title=known.get("title", ""), text=known.get("text"))
    return make_document(record, source="dir/spots.jsonl", position=3)


@pytest.mark.parametrize("name", ["id", "_id", "doc_id", "编号", " ID ", "ＩＤ", "編號"])
def test_id_names(name: str) -> None:
    assert make({name: 7, "text": "x"}).id == "7"


@pytest.mark.parametrize(
    "name", ["title", "Name", "名称", "标题", "名字", "店名", "景点名称", "酒店名称", "餐馆名称", "標題"]
)
def test_title_names(name: str) -> None:
    document = make({name: "日月湾"})
    assert (document.title, document.entity, document.metadata) == ("日月湾", "日月湾", {})


@pytest.mark.parametrize("name", ["entity", "Subject", "主体", "实体"])
def test_entity_names(name: str) -> None:
    document = make({name: "日月湾", "title": "怎么去"})
    assert (document.title, document.entity) == ("怎么去", "日月湾")


@pytest.mark.parametrize(
    "name", ["text", "content", "body", "正文", "内容", "描述", "简介", "介绍", "Description", "context"]
)
def test_text_names(name: str) -> None:
    assert make({name: " 浪大。 ", "title": "日月湾"}).text == "浪大。"


@pytest.mark.parametrize(
    "aliases",
    [
        "Riyue Bay、日月灣",
        "Riyue Bay, 日月灣",
        "Riyue Bay;日月灣",
        "Riyue Bay|日月灣|",
        ["Riyue Bay", "日月灣", ""],
    ],
)
@pytest.mark.parametrize("name", ["aliases", "alias", "别名"])
def test_aliases(name: str, aliases: object) -> None:
    assert make({"title": "日月湾", name: aliases}).aliases == ("Riyue Bay", "日月灣")


def test_an_alias_in_a_list_may_hold_a_comma() -> None:
    assert make({"title": "a", "aliases": ["Smith, Ltd"]}).aliases == ("Smith, Ltd",)


def test_of_two_texts_the_other_stays_as_metadata() -> None:
    document = make({"描述": "短", "text": "长", "name": "甲", "title": "乙"})
    assert (document.text, document.title) == ("长", "乙")
    assert document.metadata == {"描述": "短", "name": "甲"}


def test_an_empty_field_gives_way_to_the_next() -> None:
    document = make({"text": "", "描述": "短", "title": None, "name": "甲"})
    assert (document.text, document.title, document.metadata) == ("短", "甲", {})


def test_a_text_from_the_reader_leaves_the_description_in_the_metadata() -> None:
    document = make({"description": "d"}, text=" body ", title="t")
    assert (document.text, document.metadata) == (" body ", {"description": "d"})


def test_other_fields_keep_their_names_order_and_kinds() -> None:
    fields: dict[str, object] = {"title": "t", "Price ": 60, "rating": 4.5, "open": True, "周边": ["甲", 2]}
    metadata = make(fields).metadata
    assert list(metadata.items()) == [("Price ", 60), ("rating", 4.5), ("open", True), ("周边", ["甲", "2"])]


def test_a_record_without_text_has_empty_text() -> None:
    assert make({"名称": "日月湾", "城市": "万宁"}).text == ""


@pytest.mark.parametrize(
    ("fields", "title"),
    [({"entity": "e", "x": 1}, "e"), ({"id": "7", "x": 1}, "7"), ({"x": 1}, "spots 3")],
)
def test_a_title_is_found_for_every_record(fields: dict[str, object], title: str) -> None:
    document = make(fields)
    assert (document.title, document.entity) == (title, fields.get("entity", title))


@pytest.mark.parametrize("name", ["tags", "标签", "Tag", "keywords", "关键词"])
def test_tags_in_one_string_become_a_list(name: str) -> None:
    assert make({"title": "t", name: "冲浪、露营"}).metadata == {name: ["冲浪", "露营"]}


def test_a_list_of_nothing_is_dropped() -> None:
    assert make({"title": "t", "tags": "、,"}).metadata == {}


def test_characters_that_no_index_can_hold_are_replaced() -> None:
    document = make({"title": "a\ud800", "text": "b\0", "k\udfff": "v\ud800"})
    assert (document.title, document.text) == ("a\ufffd", "b\ufffd")
    assert document.metadata == {"k\ufffd": "v\ufffd"}


def test_the_content_is_part_of_a_generated_id() -> None:
    ids = {make({"text": text}).id for text in ("a", "b", "b")}
    assert len(ids) == 2


def test_an_id_alone_is_no_record() -> None:
    with pytest.raises(EmptyRecordError, match="but an id"):
        make({"id": "7", "x": None})


@pytest.mark.parametrize(
    ("name", "expected"), [("标签", True), ("id", True), ("简介", True), ("价格", False), ("idea", False)]
)
def test_stays_text(name: str, expected: bool) -> None:
    assert stays_text(name) is expected
