"""Tables of a chain of shops, as they truly are: real numbers and dates, before a workbook spoils them."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

Row = dict[str, Any]

STORES = {
    "朝阳店": "北京",
    "海淀店": "北京",
    "徐汇店": "上海",
    "浦东店": "上海",
    "天河店": "广州",
    "福田店": "深圳",
}
GOODS = {
    "P001": ("气泡水", "饮料", Decimal("6.50")),
    "P002": ("燕麦奶", "饮料", Decimal("18.00")),
    "P003": ("坚果礼盒", "零食", Decimal("128.00")),
    "P004": ("挂耳咖啡", "饮料", Decimal("59.90")),
    "P005": ("海苔脆片", "零食", Decimal("15.80")),
    "P006": ("保温杯", "日用", Decimal("89.00")),
    "P007": ("纸巾", "日用", Decimal("12.90")),
}
WAREHOUSES = ("东仓", "西仓", "南仓")
LINES = ("硬件", "软件", "服务")


def sales() -> list[Row]:
    """Return 180 sales of the first half of 2024, by date."""
    rng = random.Random(101)
    days = sorted(dt.date(2024, 1, 1) + dt.timedelta(days=rng.randrange(182)) for _ in range(180))
    rows = []
    for number, day in enumerate(days, 1):
        store = rng.choice(list(STORES))
        name, kind, price = rng.choice(list(GOODS.values()))
        count = rng.randint(1, 60)
        rows.append(
            {
                "订单号": f"SO{number:05d}",
                "日期": day,
                "门店": store,
                "城市": STORES[store],
                "类别": kind,
                "商品": name,
                "数量": count,
                "单价": price,
                "销售额": count * price,
            }
        )
    return rows


def orders() -> list[Row]:
    """Return 120 orders that name goods and members by code; three codes stand in no other sheet."""
    rng = random.Random(102)
    codes = [*GOODS, "P009"]
    rows = []
    for number in range(1, 121):
        code = rng.choice(codes[:-1]) if number % 40 else codes[-1]
        rows.append(
            {
                "单号": f"D{number:04d}",
                "下单日期": dt.date(2023, 7, 1) + dt.timedelta(days=rng.randrange(366)),
                "门店": rng.choice(list(STORES)),
                "商品编号": code,
                "件数": rng.randint(1, 30),
                "渠道": rng.choice(("线上", "线下", "电话")),
            }
        )
    return rows


def goods() -> list[Row]:
    """Return the goods that orders name by code."""
    columns = ("商品名称", "品类", "售价")
    return [{"商品编号": code, **dict(zip(columns, facts, strict=True))} for code, facts in GOODS.items()]


def quarters() -> list[Row]:
    """Return income and costs of each store for three quarters."""
    rng = random.Random(103)
    parts = [f"{quarter}/{kind}" for quarter in ("Q1", "Q2", "Q3") for kind in ("收入", "成本")]
    return [
        {"门店": store, "城市": city}
        | {part: Decimal(rng.randrange(5_000_000, 20_000_000)) / 100 for part in parts}
        for store, city in STORES.items()
    ]


def inventory() -> list[Row]:
    """Return stock movements of 100 lines; every tenth line stands twice."""
    rng = random.Random(104)
    rows: list[Row] = []
    for number in range(1, 101):
        if number % 10 == 0:
            rows.append(dict(rows[-1]))
            continue
        received, sent = rng.randint(0, 500), rng.randint(0, 300)
        code, (name, kind, _) = rng.choice(list(GOODS.items()))
        rows.append(
            {
                "流水号": f"{number:04d}",
                "货号": code,
                "品名": name,
                "分类": kind,
                "仓库": rng.choice(WAREHOUSES),
                "入库": received,
                "出库": sent,
                "破损": rng.choice((None, None, 0, 1, 2, 5)),
            }
        )
    return rows


def revenue() -> list[Row]:
    """Return the monthly revenue of three product lines over two years."""
    rng = random.Random(105)
    return [
        {
            "月份": dt.date(year, month, 1),
            "产品线": line,
            "营收": Decimal(rng.randrange(8_000_000, 30_000_000)) / 100,
            "新客数": rng.randint(5, 90),
        }
        for year in (2022, 2023)
        for month in range(1, 13)
        for line in LINES
    ]
