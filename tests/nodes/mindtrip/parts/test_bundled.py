from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.mindtrip.parts import bundled
from mindatlas.nodes.mindtrip.parts.bundled import ensure_bundled
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase, Manifest
from mindatlas.nodes.text import fold

SOURCE = files("mindatlas.nodes.mindtrip.parts").joinpath("hainan")
ENTRIES: list[dict[str, Any]] = [
    json.loads(line)
    for file in sorted(SOURCE.iterdir(), key=lambda file: file.name)
    for line in file.read_text(encoding="utf-8").splitlines()
]
KEYS = ["id", "title", "entity", "aliases", "city", "category", "tags", "price", "hours", "as_of", "text"]
CITIES = {
    None, "万宁", "陵水", "三亚", "琼海", "文昌", "海口", "保亭", "五指山", "乐东", "琼中", "儋州", "东方", "澄迈", "定安",
    "屯昌", "临高", "昌江", "白沙", "三沙",
}  # fmt: skip
CATEGORIES = {
    "交通", "住宿", "公园", "古镇", "城镇", "市场", "景点", "村寨", "活动", "海岛", "海湾", "美食", "贴士",
}  # fmt: skip
TAGS = {
    "乐园", "亲子", "免费", "公交", "冲浪", "动物", "博物馆", "博览", "历史", "咖啡", "垂钓", "夜间", "天气", "安全", "宗教", "小吃",
    "帆船", "建筑", "徒步", "情侣", "拍照", "摩托", "无障碍", "日出", "日落", "早餐", "机场", "植物", "民俗", "水上运动", "水果", "沙滩",
    "浮潜", "海岛", "海鲜", "温泉", "漂流", "潜水", "演艺", "热饮", "甜品", "登山", "看海", "素食", "红色", "老人", "自驾", "观鸟",
    "购物", "赶海", "轮渡", "防晒", "雨天", "雨林", "露营", "预算", "骑行", "高铁",
}  # fmt: skip
PHONE = re.compile(r"\b1[3-9]\d{9}\b|\b0\d{2,3}[- ]?\d{7,8}\b|\b400[- ]?\d{3}[- ]?\d{4}\b")


def faulty(check: Any) -> list[str]:
    """Return the ids of the entries that `check` finds wrong."""
    return [entry["id"] for entry in ENTRIES if check(entry)]


def test_there_are_enough_entries_over_the_towns() -> None:
    assert len(ENTRIES) >= 300
    cities = Counter(entry["city"] for entry in ENTRIES)
    assert all(cities[city] >= 50 for city in ("万宁", "陵水", "三亚"))
    assert faulty(lambda entry: entry["city"] not in CITIES) == []


def test_each_entry_has_exactly_the_keys() -> None:
    assert faulty(lambda entry: list(entry) != KEYS) == []


def test_ids_are_unique_and_readable() -> None:
    counts = Counter(entry["id"] for entry in ENTRIES)
    assert [name for name, count in counts.items() if count > 1] == []
    assert faulty(lambda entry: not re.fullmatch(r"[a-z]+(-[a-z0-9]+)+", entry["id"])) == []


def test_texts_have_80_to_300_characters_and_are_not_repeated() -> None:
    assert faulty(lambda entry: not 80 <= len(entry["text"]) <= 300) == []
    assert len({fold(entry["text"]) for entry in ENTRIES}) == len(ENTRIES)


def test_categories_come_from_a_closed_list() -> None:
    assert faulty(lambda entry: entry["category"] not in CATEGORIES) == []
    used = Counter(entry["category"] for entry in ENTRIES)
    assert all(used[category] for category in ("海湾", "美食", "交通", "贴士", "景点"))


def test_tags_come_from_a_closed_list() -> None:
    assert faulty(lambda entry: not entry["tags"] or not TAGS.issuperset(entry["tags"])) == []
    assert faulty(lambda entry: len(set(entry["tags"])) != len(entry["tags"])) == []
    assert {tag for entry in ENTRIES for tag in entry["tags"]} >= {"冲浪", "露营", "亲子", "潜水", "夜间"}


def test_what_is_tagged_surfing_speaks_of_surfing() -> None:
    assert (
        faulty(lambda entry: "冲浪" in entry["tags"] and "冲浪" not in entry["title"] + entry["text"]) == []
    )


def test_no_phone_number_and_no_address_of_a_page() -> None:
    assert faulty(lambda entry: PHONE.search(entry["text"])) == []
    assert faulty(lambda entry: re.search(r"https?://|www\.|微信|@", entry["text"])) == []


def test_prices_are_numbers_and_hours_can_be_read() -> None:
    from mindatlas.nodes.mindtrip.parts.fields import to_span

    def wrong_price(entry: dict[str, Any]) -> bool:
        return not (
            entry["price"] is None or (isinstance(entry["price"], int | float) and entry["price"] >= 0)
        )

    assert faulty(wrong_price) == []
    assert faulty(lambda entry: entry["hours"] is not None and to_span(entry["hours"], "hours") is None) == []
    assert faulty(lambda entry: not re.fullmatch(r"\d{4}-\d{2}", entry["as_of"])) == []


def test_an_alias_is_never_the_name_of_another_entity() -> None:
    entities = {fold(entry["entity"]): entry["entity"] for entry in ENTRIES}
    owners: dict[str, set[str]] = {}
    for entry in ENTRIES:
        for alias in entry["aliases"]:
            owners.setdefault(fold(alias), set()).add(entry["entity"])
    assert {alias: names for alias, names in owners.items() if len(names) > 1} == {}
    taken = {
        alias: names for alias, names in owners.items() if alias in entities and names != {entities[alias]}
    }
    assert taken == {}


def test_most_entries_have_an_english_name() -> None:
    english = [any(alias.isascii() for alias in entry["aliases"]) for entry in ENTRIES]
    assert sum(english) >= 0.75 * len(english)


def test_passages_mention_neighbours_in_passing(places_of_hainan: KnowledgeBase) -> None:
    base = places_of_hainan
    mentions = [
        {mention.entity for mention in base.entities.find(passage.text)} - {passage.entity}
        for passage in base.passages
    ]
    assert sum(bool(found) for found in mentions) >= 0.5 * len(mentions)


@pytest.fixture
def places_of_hainan(bundled_home: Path) -> KnowledgeBase:
    return KnowledgeBase(bundled_home / "kb" / "hainan")


def test_each_entry_is_one_passage(places_of_hainan: KnowledgeBase) -> None:
    assert places_of_hainan.ids == sorted(entry["id"] for entry in ENTRIES)


def test_the_fields_are_of_the_kinds_that_questions_use(places_of_hainan: KnowledgeBase) -> None:
    kinds = {field.name: field.kind for field in places_of_hainan.table.fields.values()}
    assert (kinds["city"], kinds["category"], kinds["tags"]) == ("choice", "choice", "list")
    assert (kinds["price"], kinds["hours"]) == ("number", "span")


def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let the package ship one entry with `text`."""
    source = tmp_path / "package" / "hainan"
    source.mkdir(parents=True, exist_ok=True)
    (source / "a.jsonl").write_text(
        json.dumps({"id": "a", "title": "日月湾", "text": text}), encoding="utf-8"
    )
    monkeypatch.setattr(bundled, "files", lambda _: tmp_path / "package")
    bundled._digest.cache_clear()


@pytest.fixture(autouse=True)
def _forget_the_digest() -> Any:
    yield
    bundled._digest.cache_clear()


def test_it_is_made_once_and_made_anew_when_the_package_ships_other_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kb"
    small(tmp_path, monkeypatch, "旧的。")
    for _ in range(2):
        ensure_bundled(folder)
        assert Manifest.read(folder).generation == 1
    small(tmp_path, monkeypatch, "新的。")
    ensure_bundled(folder)
    assert [passage.text for passage in KnowledgeBase(folder).passages] == ["新的。"]
    assert Manifest.read(folder).embedding.startswith("builtin:")


def test_it_is_made_whole_after_a_crash_before_its_stamp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kb"
    small(tmp_path, monkeypatch, "日月湾。")
    ensure_bundled(folder)
    (folder / "bundled.sha256").unlink()
    ensure_bundled(folder)
    assert KnowledgeBase(folder).ids == ["a"]
