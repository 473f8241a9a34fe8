"""A workbook of rides: columns in units, rates, levels that do not add up, and spellings that vary."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any


def rides() -> list[dict[str, Any]]:
    """One row a ride; some cities have a space behind them, some years, dates and drivers are missing."""
    pick = random.Random(77)
    rows: list[dict[str, Any]] = []
    for number in range(1, 91):
        year = pick.choice([2022, 2023, 2024])
        rows.append(
            {
                "行程编号": f"R{number:04d}",
                "城市": pick.choice(["苏州", "无锡", "南通"]) + (" " if number % 8 == 0 else ""),
                "司机": pick.choice(["甲", "乙", "丙"]) if number % 11 else None,
                "出发日期": dt.date(year, pick.randint(1, 12), pick.randint(1, 28)),
                "年份": year if number % 9 else None,
                "等级": pick.choice(["A", "B", "C"]),
                "里程(公里)": pick.randint(1, 60),
                "时长": pick.randint(3, 120),
                "车费(万元)": pick.randint(1, 90) / 10,
                "收入": pick.randint(10, 500),
                "支出": pick.choice([0, 50, 120, 300]) if number % 7 else None,
                "单位油耗": pick.randint(4, 12),
                "峰值速度": pick.randint(50, 120),
                "好评率": pick.randint(1, 100) / 100,
                "备注": pick.choice([None, "夜间加急", "夜间", "加急"]),
            }
        )
    return rows
