"""The names that the exclusion cases take as known; every other name in them is unknown."""

from __future__ import annotations

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex

KNOWN = EntityIndex(
    {
        "日月湾": ["Riyue Bay", "日月灣"],
        "石梅湾": ["Shimei Bay"],
        "神州半岛": ["Shenzhou Peninsula"],
        "南湾猴岛": [],
        "分界洲岛": [],
        "亚龙湾": ["Yalong Bay"],
        "三亚湾": ["Sanya Bay"],
        "南山": [],
        "故宫": ["Forbidden City"],
        "颐和园": [],
        "天坛": ["Temple of Heaven"],
        "全聚德": [],
        "文昌鸡": [],
    }
)
