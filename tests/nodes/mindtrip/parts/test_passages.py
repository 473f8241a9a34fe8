from __future__ import annotations

import json
from typing import Any

import pytest

from mindatlas.nodes.mindtrip.parts.documents import Document
from mindatlas.nodes.mindtrip.parts.passages import Passage, make_passages, names_of, render_fields


def document(**given: Any) -> Document:
    return Document(
        **{
            "id": "d",
            "title": "日月湾",
            "entity": "日月湾",
            "aliases": ("Riyue Bay",),
            "text": "冲浪。",
            "metadata": {},
            "source": "spots.jsonl",
            **given,
        }
    )


def passage(**given: Any) -> Passage:
    return Passage(**{"id": "p", "document_id": "p", "title": "t", "entity": "e", "text": "x", **given})


def test_the_first_piece_keeps_the_id_and_each_piece_is_verbatim() -> None:
    text = "这里的海很蓝，人也不多。" * 200
    pieces = make_passages(document(text=text, metadata={"city": "万宁"}))
    assert [piece.id for piece in pieces] == ["d", *(f"d#{n}" for n in range(2, len(pieces) + 1))]
    assert len(pieces) > 1
    assert all(piece.text in text for piece in pieces)
    assert {(piece.document_id, piece.entity, piece.metadata["city"]) for piece in pieces} == {
        ("d", "日月湾", "万宁")
    }


def test_a_record_without_text_is_rendered_from_its_fields() -> None:
    metadata = {"门票": 60.0, "特色": ["看海", "冲浪"], "周边": ["石梅湾"]}
    (only,) = make_passages(document(text=" ", metadata=metadata), hidden_fields=["周边"])
    assert only.text == "门票：60。特色：看海、冲浪。"


def test_a_record_without_text_or_shown_fields_is_its_title() -> None:
    (only,) = make_passages(document(text="", metadata={"周边": ["石梅湾"]}), hidden_fields=["周边"])
    assert only.text == "日月湾"


@pytest.mark.parametrize(("value", "shown"), [(4.5, "4.5"), (60.0, "60"), (3, "3"), ("全天", "全天")])
def test_rendered_values(value: Any, shown: str) -> None:
    assert render_fields({"f": value}) == f"f：{shown}。"


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("全聚德(王府井店)", "全聚德"),
        ("全聚德（前门店）", "全聚德"),
        ("Palm Cafe (harbour branch)", "Palm Cafe"),
        ("协和医院(东单院区)", "协和医院"),
    ],
)
def test_a_branch_also_has_the_name_without_its_bracket(name: str, plain: str) -> None:
    assert plain in passage(entity=name).names


@pytest.mark.parametrize("name", ["香港 (专辑)", "(店)", "故宫角楼咖啡"])
def test_what_is_no_branch_keeps_its_bracket(name: str) -> None:
    assert passage(entity=name, title=name).names == (name,)


def test_names_hold_entity_title_and_aliases_once() -> None:
    assert passage(entity="日月湾", title="日月湾", aliases=("Riyue Bay", "日月湾")).names == (
        "日月湾",
        "Riyue Bay",
    )


def test_indexed_text_holds_names_labels_and_text() -> None:
    shown = passage(
        title="怎么去", entity="日月湾", aliases=("Riyue Bay",), text="坐车。",
        metadata={"tags": ["冲浪", "看海"], "城市": "万宁", "price": 30, "as_of": "2025"},
    ).indexed_text  # fmt: skip
    for part in ("怎么去", "日月湾", "Riyue Bay", "冲浪", "看海", "万宁", "坐车。"):
        assert part in shown
    assert "30" not in shown
    assert "2025" not in shown


def test_a_passage_comes_back_from_its_json() -> None:
    written = passage(aliases=("a", "b"), metadata={"tags": ["x"], "price": 1.5})
    assert Passage.from_dict(json.loads(written.to_json())) == written


@pytest.mark.parametrize("changed", [{"text": "y"}, {"metadata": {"city": "万宁"}}, {"aliases": ("a",)}])
def test_the_digest_covers_everything_a_passage_holds(changed: dict[str, Any]) -> None:
    assert passage(**changed).digest() != passage().digest()
    assert passage().digest() == passage().digest()


def test_names_of_joins_the_passages_of_one_entity() -> None:
    found = names_of([passage(entity="日月湾", title="怎么去"), passage(entity="日月湾", title="日月湾")])
    assert found == {"日月湾": ["怎么去", "日月湾"]}
    assert names_of([]) == {}
