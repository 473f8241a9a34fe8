"""Small knowledge bases for tests: real ones, ingested from JSON lines into a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mindatlas.nodes.mindtrip.parts.ingest import IngestReport, ingest
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase

Record = dict[str, Any]

PLACES: tuple[Record, ...] = (
    {
        "id": "riyue", "title": "日月湾", "aliases": ["Riyue Bay", "日月灣"], "city": "万宁", "category": "海湾",
        "tags": ["冲浪", "日落"], "price": 0, "rating": 4.6, "hours": "全天",
        "text": "日月湾是冲浪的人最集中的海湾。湾边有冲浪店和客栈。",
    },
    {
        "id": "shimei", "title": "石梅湾", "aliases": ["Shimei Bay", "石梅灣"], "city": "万宁", "category": "海湾",
        "tags": ["冲浪", "亲子"], "price": 0, "rating": 4.8, "hours": "全天",
        "text": "石梅湾沙滩细白，浪小的时候有人教冲浪。往南是浪更大的日月湾。湾长约六公里。",
    },
    {
        "id": "houhai", "title": "后海", "aliases": ["Houhai Village"], "city": "三亚", "category": "海湾",
        "tags": ["冲浪", "夜间"], "price": 0, "rating": 4.3, "hours": "全天",
        "text": "后海是三亚的渔村，初学冲浪的人多。晚上街上有小酒馆。",
    },
    {
        "id": "palace", "title": "故宫", "aliases": ["Forbidden City", "紫禁城"], "city": "北京", "category": "景点",
        "tags": ["历史"], "price": 60, "rating": 4.9, "hours": "08:30-17:00",
        "text": "故宫是明清两代的皇宫，门票60元。参观一圈要三小时。",
    },
    {
        "id": "cafe", "title": "故宫角楼咖啡", "aliases": ["Corner Tower Cafe"], "city": "北京", "category": "餐馆",
        "tags": ["咖啡"], "price": 45, "rating": 4.1, "hours": "10:00-22:00",
        "text": "故宫角楼咖啡在神武门外，不用进故宫也能喝。人均45元。",
    },
    {
        "id": "noodles", "title": "陵水酸粉", "aliases": ["Lingshui sour noodles"], "city": "陵水", "category": "美食",
        "tags": ["小吃"], "price": 15, "rating": 4.4, "hours": "07:00-14:00",
        "text": "陵水酸粉是凉拌的米粉，酸甜微辣。一碗15元。",
    },
    {
        "id": "hotel", "title": "椰林酒店", "aliases": ["Palm Hotel"], "city": "陵水", "category": "酒店",
        "tags": ["亲子"], "price": 480, "rating": 4.0, "hours": "全天",
        "text": "椰林酒店在陵水海边，带孩子的家庭多。每晚480元起。",
    },
)  # fmt: skip


def write_records(path: Path, records: Sequence[Record]) -> Path:
    """Write `records` as JSON lines to `path` and return it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records), encoding="utf-8"
    )
    return path


def ingest_records(folder: Path, records: Sequence[Record], **options: Any) -> IngestReport:
    """Ingest `records` as the only file of the knowledge base in `folder`; `options` are those of `ingest`."""
    source = write_records(folder.parent / f"{folder.name}-source" / "records.jsonl", records)
    return ingest(folder, [source], **{"embedding": "builtin", **options})


def make_base(folder: Path, records: Sequence[Record], **options: Any) -> KnowledgeBase:
    """Return the knowledge base that holds `records`, newly ingested into `folder`."""
    ingest_records(folder, records, **options)
    return KnowledgeBase(folder)


def place(name: str, text: str = "", **fields: Any) -> Record:
    """Return a record whose id and title are `name`."""
    return {"id": name, "title": name, "text": text or f"{name}是一个地方。", **fields}


def found_by_each_leg(base: KnowledgeBase, text: str) -> dict[str, set[str]]:
    """Return, by leg, the ids that `text` finds."""
    everything = np.ones(len(base.passages), dtype=bool)
    legs = {
        "lexical": base.lexical.scores(base.terms(text)),
        "dense": base.dense.scores(base.embedding.query(text), everything, top=10),
    }
    found = {leg: {base.ids[row] for row in np.flatnonzero(scores > 0)} for leg, scores in legs.items()}
    return {**found, "names": {base.ids[row] for row in base.rows_named(text)}}


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the content of the manifest and of each text file of the generations."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".json", ".jsonl"}
    }
