"""Ten workbooks of different shapes, as plain rows: what the tests ask, and what they compute answers from.

The rows hold what a person reads: numbers are numbers, dates are dates, missing cells are None. `book_files`
puts them into files the way such workbooks look in offices: amounts and dates as text, titles above.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from typing import Any

Row = dict[str, Any]
Rows = list[Row]


def sales() -> Rows:
    """Sales lines over two years, with gaps in months, missing stores, dates and remarks; amounts are text."""
    pick = random.Random(3)
    stores = {"朝阳店": "北京", "海淀店": "北京", "徐汇店": "上海", "天河店": "广州"}
    goods = [
        ("气泡水", "饮料", 6.5),
        ("燕麦奶", "饮料", 18.0),
        ("坚果礼盒", "零食", 128.0),
        ("保温杯", "日用", 89.0),
    ]
    rows: Rows = []
    for number in range(1, 161):
        store = pick.choice(list(stores))
        name, kind, price = pick.choice(goods)
        day = dt.date(2023, 1, 1) + dt.timedelta(days=pick.randrange(730))
        if store == "天河店" and day.month in (3, 8):
            day = day.replace(month=5, day=min(day.day, 28))
        count = pick.randint(1, 40)
        rows.append(
            {
                "订单号": f"SO{number:05d}",
                "日期": day if number % 40 else None,
                "门店": store if number % 33 else None,
                "城市": stores[store],
                "商品": name,
                "类别": kind,
                "数量": count,
                "单价": price,
                "销售额": round(count * price, 2),
                "备注": ["退货", "加急", None, None, None][pick.randrange(5)],
            }
        )
    return rows


def orders() -> Rows:
    """Order lines that name goods and shops by code."""
    pick = random.Random(5)
    return [
        {
            "订单号": f"D{1000 + number // 2}",
            "下单日期": dt.date(2024, 1, 1) + dt.timedelta(days=pick.randrange(180)),
            "店铺编号": pick.choice(["S1", "S2", "S3", "S9"]),
            "商品编号": pick.choice(["P1", "P2", "P3"]),
            "数量": pick.randint(1, 9),
        }
        for number in range(60)
    ]


def goods() -> Rows:
    """The goods that orders name."""
    return [
        {"商品编号": "P1", "商品名称": "铅笔", "类别": "文具", "售价": 2.5},
        {"商品编号": "P2", "商品名称": "笔记本", "类别": "文具", "售价": 12.0},
        {"商品编号": "P3", "商品名称": "台灯", "类别": "家居", "售价": 99.0},
    ]


def shops() -> Rows:
    """The shops that orders name; S9 is not among them."""
    return [
        {"店铺编号": "S1", "店铺名称": "东门店", "区域": "华东"},
        {"店铺编号": "S2", "店铺名称": "西门店", "区域": "华北"},
        {"店铺编号": "S3", "店铺名称": "南门店", "区域": "华东"},
    ]


def students() -> Rows:
    """One row a student; some marks are missing."""
    pick = random.Random(8)
    names = [a + b for a in "赵钱孙李周吴" for b in "明芳伟丽"]
    return [
        {
            "学号": f"2024{number:04d}",
            "姓名": name,
            "班级": f"{1 + number % 3}班",
            "性别": "男" if pick.random() < 0.5 else "女",
            "年龄": pick.randint(15, 18),
            "语文": None if number in (4, 11) else pick.randint(50, 100),
            "数学": pick.randint(40, 100),
            "英语": pick.randint(45, 100),
        }
        for number, name in enumerate(names, 1)
    ]


def quarters() -> Rows:
    """A report with a two-level header; its names are joined by a slash."""
    pick = random.Random(12)
    shops = {"东店": "苏州", "西店": "苏州", "南店": "无锡", "北店": "常州"}
    return [
        {
            "门店": shop,
            "城市": city,
            **{f"{q}/{what}": pick.randint(10, 99) * 100 for q in ("Q1", "Q2") for what in ("收入", "成本")},
        }
        for shop, city in shops.items()
    ]


def messy() -> Rows:
    """Contracts as a messy export has them; the same region is spelt in several ways."""
    regions = ["华东", "华东 ", "NA", "华南", "华北", "ａｂ", "AB", "华南"]
    pick = random.Random(21)
    return [
        {
            "编号": f"{number:03d}",
            "区域": regions[number % len(regions)],
            "签约日期": dt.date(2024, 1 + number % 6, 1 + number),
            "金额 ": None if number == 9 else pick.randint(1, 900) * 10.5,
            "折扣": pick.choice([0.05, 0.08, 0.1, 0.125]),
            "余额": pick.randint(-900, 900),
        }
        for number in range(1, 25)
    ]


def shipments() -> Rows:
    """English orders with two date columns."""
    pick = random.Random(31)
    rows: Rows = []
    for number in range(1, 91):
        ordered = dt.date(2023, 7, 1) + dt.timedelta(days=pick.randrange(540))
        quantity, price = pick.randint(1, 12), pick.choice([4.99, 20, 35.5, 120])
        rows.append(
            {
                "Order ID": f"A-{number:04d}",
                "Order Date": ordered,
                "Ship Date": ordered + dt.timedelta(days=pick.randint(1, 9)) if number % 30 else None,
                "Region": pick.choice(["East", "West", "North", "South"]),
                "Product Category": pick.choice(["Furniture", "Office Supplies", "Technology"]),
                "Product": pick.choice(["Chair", "Pen", "Phone", "Desk", "Paper"]),
                "Customer Name": pick.choice(
                    ["Ann Lee", "Bob Ray", "Cy Fox", "Di Wu", "Eve Hart", "Flo Orr"]
                ),
                "Quantity": quantity,
                "Unit Price": price,
                "Amount": round(quantity * price, 2),
                "Status": pick.choice(["Shipped", "Pending", "Returned", None]),
            }
        )
    return rows


def routes() -> Rows:
    """Transport lines whose columns are easily mistaken for each other."""
    pick = random.Random(44)
    cities = ["北京", "上海", "成都", "武汉"]
    return [
        {
            "单号": f"T{number:04d}",
            "下单日期": dt.date(2024, 3, 1) + dt.timedelta(days=number),
            "发货日期": dt.date(2024, 3, 3) + dt.timedelta(days=number),
            "发货城市": pick.choice(cities),
            "收货城市": pick.choice(cities),
            "销售额(含税)": pick.randint(100, 999),
            "销售额(不含税)": pick.randint(80, 900),
            "重量(万吨)": pick.randint(1, 9),
        }
        for number in range(30)
    ]


def staff() -> Rows:
    """One row an employee."""
    pick = random.Random(50)
    departments = ["销售部", "技术部", "行政部"]
    return [
        {
            "工号": f"E{100 + number}",
            "姓名": f"员工{number:02d}",
            "部门": pick.choice(departments) if number != 13 else None,
            "职位": pick.choice(["经理", "主管", "专员"]),
            "工资": pick.randint(40, 200) * 100,
            "奖金": pick.choice([None, 500, 1200, 3000]),
            "入职日期": dt.date(2015, 1, 1) + dt.timedelta(days=pick.randrange(3300)),
        }
        for number in range(1, 37)
    ]


def yearly() -> Rows:
    """Figures by year and quarter, without any date."""
    pick = random.Random(61)
    return [
        {
            "年份": year,
            "季度": f"Q{quarter}",
            "产品线": line,
            "收入": pick.randint(100, 900),
            "成本": pick.randint(50, 400),
            "利润率": round(pick.random(), 3),
        }
        for year in (2022, 2023, 2024)
        for quarter in (1, 2, 3, 4)
        for line in ("硬件", "软件", "服务")
    ]


def monthly() -> Rows:
    """Figures by month, the month as text such as 2024-01; one month is left out."""
    pick = random.Random(70)
    months = [f"{year}-{month:02d}" for year in (2023, 2024) for month in range(1, 13)]
    return [
        {"月份": month, "渠道": channel, "订单量": pick.randint(0, 50), "收入": pick.randint(0, 9) * 100}
        for month in months
        for channel in ("线上", "线下")
        if not (month == "2024-04" and channel == "线下") and month != "2023-09"
    ]


BOOKS: Mapping[str, Callable[[], Rows]] = {
    "sales": sales,
    "orders": orders,
    "goods": goods,
    "shops": shops,
    "students": students,
    "quarters": quarters,
    "messy": messy,
    "shipments": shipments,
    "routes": routes,
    "staff": staff,
    "yearly": yearly,
    "monthly": monthly,
}
