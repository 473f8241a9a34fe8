"""Questions over the CrossWOZ databases, with the right answers computed from the raw records.

CrossWOZ: Zhu et al., "CrossWOZ: A Large-Scale Chinese Cross-Domain Task-Oriented Dialogue Dataset", TACL 2020. The
wordings are ours; the answers come from plain comparisons over the records, not from the code under test.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Test = Callable[[Record], bool]

FILES = ("attraction_db.json", "hotel_db.json", "restaurant_db.json")


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, the names that answer it, and the turns before it."""

    text: str
    answers: frozenset[str]
    before: tuple[str, ...] = ()


def read_records(folder: Path) -> list[Record]:
    """Return the records of the three databases in `folder`."""
    return [record for name in FILES for _, record in json.loads((folder / name).read_text(encoding="utf-8"))]


def _amount(record: Record, field: str, low: float, high: float) -> bool:
    value = record.get(field)
    return isinstance(value, int | float) and low <= value <= high


def _hours(record: Record) -> tuple[float, float] | None:
    units = {"分钟": 1 / 60, "小时": 1.0, "天": 24.0}
    found = re.findall(r"([\d.]+)(分钟|小时|天)", str(record.get("游玩时间") or ""))
    amounts = [float(number) * units[unit] for number, unit in found]
    return (min(amounts), max(amounts)) if amounts else None


def _visit(record: Record, low: float, high: float) -> bool:
    hours = _hours(record)
    return hours is not None and low <= hours[0] and hours[1] <= high


def _has(record: Record, field: str, part: str) -> bool:
    return any(part in item for item in record.get(field) or ())


def constraint_questions(records: Sequence[Record], count: int, seed: int) -> list[Question]:
    """Return `count` questions with one to three constraints each; every one has an answer."""
    rng = random.Random(seed)
    makers = [_attraction, _hotel, _restaurant]
    found: list[Question] = []
    while len(found) < count:
        kind, text, tests = makers[len(found) % 3](rng)
        answers = frozenset(
            r["名称"] for r in records if r["领域"] == kind and all(test(r) for test in tests)
        )
        if answers:
            found.append(Question(text=text, answers=answers))
    return found


def _attraction(rng: random.Random) -> tuple[str, str, list[Test]]:
    rating, top = rng.choice([4, 4.3, 4.5, 4.7]), rng.choice([20, 50, 60, 100])
    low, high = rng.choice([(1, 2), (2, 3), (3, 4)])
    return "景点", *rng.choice(
        [
            (f"想找个评分{rating}以上、门票免费的景点", [_at_least(rating), _free]),
            (
                f"帮我推荐一个门票{top}元以内的景点，评分要在{rating}分以上",
                [_price("门票", 0, top), _at_least(rating)],
            ),
            (f"你好，我想去一个游玩时间{low}小时到{high}小时的景点", [lambda r: _visit(r, low, high)]),
            (f"有没有免费的景点，玩{low}-{high}小时就够的", [_free, lambda r: _visit(r, low, high)]),
            (
                f"找一个门票不超过{top}块、评分不低于{rating}的地方逛逛，要景点",
                [_price("门票", 0, top), _at_least(rating)],
            ),
            (f"门票在{top}到{top + 50}元之间的景点有哪些", [_price("门票", top, top + 50)]),
        ]
    )


def _hotel(rng: random.Random) -> tuple[str, str, list[Test]]:
    service = rng.choice(
        ["叫醒服务", "健身房", "商务中心", "早餐服务", "接机服务", "会议室", "吹风机", "国际长途电话"]
    )
    kind = rng.choice(["经济型", "舒适型", "高档型", "豪华型"])
    low = rng.choice([200, 300, 400, 600])
    rating = rng.choice([4, 4.3, 4.5])
    same_kind: Test = lambda r: r["酒店类型"] == kind  # noqa: E731
    has: Test = lambda r: _has(r, "酒店设施", service)  # noqa: E731
    return "酒店", *rng.choice(
        [
            (f"帮我找一家{kind}的酒店，要有{service}", [same_kind, has]),
            (
                f"想订一个价格在{low}到{low + 100}元的酒店，评分{rating}分以上",
                [_price("价格", low, low + 100), _at_least(rating)],
            ),
            (f"有{service}的{kind[:2]}酒店吗，{low}元以下", [has, same_kind, _price("价格", 0, low)]),
            (f"推荐一家每晚{low}元以内、提供{service}的宾馆", [_price("价格", 0, low), has]),
            (f"我要住酒店，评分{rating}以上，{kind}", [_at_least(rating), same_kind]),
        ]
    )


def _restaurant(rng: random.Random) -> tuple[str, str, list[Test]]:
    dish = rng.choice(
        ["烤鸭", "炸酱面", "涮羊肉", "小笼包", "豆汁", "驴打滚", "酸辣粉", "水煮鱼", "宫保鸡丁", "卤煮"]
    )
    low, rating = rng.choice([50, 80, 100, 150]), rng.choice([4, 4.3, 4.5])
    has: Test = lambda r: _has(r, "推荐菜", dish)  # noqa: E731
    asked: list[tuple[str, list[Test]]] = [
        (f"想吃{dish}，推荐个餐馆", [has]),
        (
            f"找一家人均{low}到{low + 50}元、评分{rating}以上的餐馆",
            [_price("人均消费", low, low + 50), _at_least(rating)],
        ),
        (f"有没有人均{low}以内能吃{dish}的饭店", [_price("人均消费", 0, low), has]),
        (
            f"人均消费{low}元以下，评分在{rating}分以上的餐厅有什么推荐",
            [_price("人均消费", 0, low), _at_least(rating)],
        ),
        (f"我们想吃{dish}，评分{rating}分以上", [has, _at_least(rating)]),
    ]
    return "餐馆", *rng.choice(asked)


def _at_least(rating: float) -> Test:
    return lambda record: _amount(record, "评分", rating, 5)


def _price(field: str, low: float, high: float) -> Test:
    return lambda record: _amount(record, field, low, high)


def _free(record: Record) -> bool:
    return _amount(record, "门票", 0, 0)


def others_questions(records: Sequence[Record], count: int, seed: int) -> list[Question]:
    """Return `count` two-turn conversations that end asking for other places near the first one."""
    rng = random.Random(seed)
    by_name = {record["名称"]: record for record in records}
    found: list[Question] = []
    while len(found) < count:
        found.extend(_others(rng, rng.choice(records), by_name))
    return found[:count]


def _others(rng: random.Random, anchor: Record, by_name: Mapping[str, Record]) -> Iterator[Question]:
    field, word = rng.choice([("周边餐馆", "餐馆"), ("周边景点", "景点"), ("周边酒店", "酒店")])
    limit = rng.choice([50, 100, 200, 500])
    price = {"餐馆": "人均消费", "景点": "门票", "酒店": "价格"}[word]
    said = {"餐馆": "人均", "景点": "门票", "酒店": "价格"}[word]
    near = [name for name in anchor.get(field) or () if name in by_name and name != anchor["名称"]]
    cheap = [name for name in near if _amount(by_name[name], price, 0, limit)]
    wording, names = rng.choice(
        [
            (f"周边还有别的{word}吗，{said}{limit}以内", cheap),
            (f"附近有其他{word}推荐吗？", near),
            (f"它周边有什么{word}？", near),
        ]
    )
    if names:
        yield Question(text=wording, answers=frozenset(names), before=(f"{anchor['名称']}的地址在哪里？",))
