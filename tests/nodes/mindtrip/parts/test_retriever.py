from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.fusion import K
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.retriever import PER_SOURCE, WEIGHTS, Query, Retrieval, retrieve
from tests.knowledge import PLACES, make_base, place


def found(base: KnowledgeBase, text: str, **query: Any) -> list[str]:
    return [base.ids[hit.row] for hit in retrieve(base, Query(text=text, **query)).hits]


def aside(base: KnowledgeBase, result: Retrieval) -> dict[str, str]:
    return {base.ids[row]: name for row, name in result.set_aside}


def on(field: str, value: str, strength: Any) -> Condition:
    return Condition(fields=(field,), operator="equal", values=(value,), strength=strength)


@pytest.mark.parametrize("name", ["日月湾", "日月灣", "Riyue Bay", "riyue  bay"])
def test_an_excluded_subject_is_gone_and_a_passing_mention_stays(places: KnowledgeBase, name: str) -> None:
    result = retrieve(places, Query(text="冲浪的海湾", excluded=(name,)))
    ids = [places.ids[hit.row] for hit in result.hits]
    assert "riyue" not in ids
    assert "shimei" in ids, "its text mentions 日月湾 in passing"
    assert aside(places, result) == {"riyue": name}


def test_only_whole_names_are_excluded(places: KnowledgeBase) -> None:
    ids = found(places, "北京的咖啡", excluded=("故宫",))
    assert "palace" not in ids
    assert ids[0] == "cafe"
    assert "palace" in found(places, "北京的故宫", excluded=("故宫角楼咖啡",))
    assert "riyue" in found(places, "冲浪", excluded=("日月",))


def test_a_city_can_be_excluded(places: KnowledgeBase) -> None:
    ids = found(places, "冲浪", excluded=("三亚",))
    assert "houhai" not in ids
    assert {"riyue", "shimei"} <= set(ids)


def test_a_name_that_nothing_has_excludes_nothing(places: KnowledgeBase) -> None:
    result = retrieve(places, Query(text="冲浪", excluded=("不存在的湾",)))
    assert result == retrieve(places, Query(text="冲浪"))


def test_what_is_set_aside_passed_the_other_filters(places: KnowledgeBase) -> None:
    query = Query(text="冲浪", excluded=("后海", "日月湾"), conditions=(on("city", "三亚", "hard"),))
    assert aside(places, retrieve(places, query)) == {"houhai": "后海"}


def test_ten_remain_under_exclusion(tmp_path: Path) -> None:
    """The filter goes into each leg: it does not take its toll from ten that were fused before."""
    wanted = [place(f"湾{n:02}", "可以冲浪。", tags=["冲浪"]) for n in range(12)]
    excluded = [
        {
            "id": f"x{n}",
            "title": f"攻略{n}",
            "entity": "日月湾",
            "text": "冲浪冲浪，可以冲浪。",
            "tags": ["冲浪"],
        }
        for n in range(12)
    ]
    base = make_base(tmp_path / "kb", [*wanted, *excluded])
    result = retrieve(base, Query(text="哪里可以冲浪", excluded=("日月湾",)))
    assert len(result.hits) == 10
    assert all(base.passages[hit.row].entity != "日月湾" for hit in result.hits)
    assert {base.passages[row].entity for row, _ in result.set_aside} == {"日月湾"}


def test_scores_are_reciprocal_ranks_by_hand(places: KnowledgeBase) -> None:
    hits = retrieve(places, Query(text="冲浪的海湾", conditions=(on("tags", "冲浪", "soft"),))).hits
    assert len(hits) > 3
    for hit in hits:
        expected = sum(WEIGHTS[leg] / (K + rank) for leg, rank in hit.ranks.items() if rank is not None)
        assert hit.score == pytest.approx(expected)
        assert set(hit.ranks) == {"bm25", "dense", "metadata"}
    for leg in WEIGHTS:
        ranks = [hit.ranks[leg] for hit in hits if hit.ranks[leg] is not None]
        assert len(ranks) == len(set(ranks))


def test_a_leg_that_finds_nothing_contributes_nothing(places: KnowledgeBase) -> None:
    hits = retrieve(places, Query(text="🏄", conditions=(on("tags", "冲浪", "soft"),))).hits
    assert {places.ids[hit.row] for hit in hits} == {"riyue", "shimei", "houhai"}
    assert all(hit.ranks["bm25"] is None and hit.ranks["dense"] is None for hit in hits)
    assert found(places, "🏄") == []


def test_equals_stand_in_the_order_of_their_ids(tmp_path: Path) -> None:
    twins = [{"id": name, "title": "日月湾", "text": "日月湾可以冲浪。"} for name in ("c", "a", "d", "b")]
    base = make_base(tmp_path / "kb", twins)
    hits = retrieve(base, Query(text="日月湾 冲浪")).hits
    assert [base.ids[hit.row] for hit in hits] == ["a", "b", "c", "d"]


def test_one_long_document_cannot_fill_the_list(tmp_path: Path) -> None:
    long = place("长文", "这里可以冲浪，也可以看海，人也不多。" * 600)
    base = make_base(tmp_path / "kb", [long, *(place(f"湾{n}", "可以看海。") for n in range(3))])
    ids = found(base, "冲浪 看海")
    assert sum(name.startswith("长文") for name in ids) == PER_SOURCE
    assert {"湾0", "湾1", "湾2"} <= set(ids)


@pytest.mark.parametrize(
    ("strength", "kept"),
    [
        ("filter", {"有城市"}),
        ("firm", {"有城市"}),
        ("hard", {"有城市", "没写城市"}),
        ("soft", {"有城市", "没写城市", "别的城市"}),
    ],
)
def test_conditions_filter_by_their_strength(tmp_path: Path, strength: str, kept: set[str]) -> None:
    base = make_base(
        tmp_path / "kb",
        [
            place("有城市", "海边。", city="三亚"),
            place("没写城市", "海边。"),
            place("别的城市", "海边。", city="万宁"),
        ],
    )
    assert set(found(base, "海边", conditions=(on("city", "三亚", strength),))) == kept


def test_a_soft_condition_raises_the_rank(places: KnowledgeBase) -> None:
    before = found(places, "海湾")
    after = found(places, "海湾", conditions=(on("tags", "夜间", "soft"),))
    assert after.index("houhai") < before.index("houhai")
    assert set(after) == set(before)


def test_a_named_subject_comes_first_and_passes_all_but_the_users_own_filter(places: KnowledgeBase) -> None:
    conditions = (on("category", "海湾", "firm"), on("city", "万宁", "hard"))
    ids = found(places, "故宫和海湾哪个好", named=("故宫",), conditions=conditions)
    assert ids[0] == "palace"
    own = (*conditions, on("city", "万宁", "filter"))
    assert "palace" not in found(places, "故宫和海湾哪个好", named=("故宫",), conditions=own)


def test_an_excluded_subject_that_is_named_stays_excluded(places: KnowledgeBase) -> None:
    assert "palace" not in found(places, "故宫", named=("故宫",), excluded=("紫禁城",))


def test_the_surroundings_of_a_place_are_what_its_records_list(tmp_path: Path) -> None:
    base = make_base(
        tmp_path / "kb",
        [
            place("日月湾", "海边冲浪。", 周边=["椰林酒店", "海角餐馆"]),
            place("椰林酒店", "海边住宿。", 周边=["日月湾"]),
            place("海角餐馆", "海边海鲜。", 周边=["日月湾"]),
            place("远方酒店", "海边住宿。", 周边=["椰林酒店"]),
        ],
    )
    assert set(found(base, "附近海边住宿", near=("日月湾",))) == {"椰林酒店", "海角餐馆"}
    assert found(base, "附近海边住宿", near=("日月湾",), excluded=("椰林酒店",)) == ["海角餐馆"]


def test_the_asked_extreme_leads(places: KnowledgeBase) -> None:
    best = Condition(fields=("rating",), operator="highest", strength="soft")
    ids = found(places, "评分最高的", conditions=(best,))
    ratings = {record["id"]: record["rating"] for record in PLACES}
    assert [ratings[name] for name in ids] == sorted((ratings[name] for name in ids), reverse=True)
    assert ids[0] == "palace"


def test_at_most_top_candidates(places: KnowledgeBase) -> None:
    assert len(retrieve(places, Query(text="冲浪的海湾"), top=2).hits) == 2


NAMES = ["日月湾", "Riyue Bay", "石梅灣", "后海", "故宫", "紫禁城", "陵水酸粉", "三亚", "不存在"]


@given(
    text=st.sampled_from(["冲浪", "海湾", "故宫门票", "surf", "陵水吃什么", "🏄", "日月湾怎么样"]),
    excluded=st.lists(st.sampled_from(NAMES), max_size=5),
    named=st.lists(st.sampled_from(NAMES), max_size=2),
)
def test_no_excluded_subject_is_ever_found(
    places: KnowledgeBase, text: str, excluded: list[str], named: list[str]
) -> None:
    hits = retrieve(places, Query(text=text, excluded=tuple(excluded), named=tuple(named))).hits
    rows = {row for name in excluded for row in places.rows_named(name)}
    assert not rows & {hit.row for hit in hits}
    assert len({hit.row for hit in hits}) == len(hits) <= 10


@given(st.text(max_size=20))
def test_any_text_gives_an_order_by_score(places: KnowledgeBase, text: str) -> None:
    hits = retrieve(places, Query(text=text)).hits
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
