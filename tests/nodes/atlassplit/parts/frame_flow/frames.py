"""Small real frames that the precheck programs run on, so that pandas itself says which programs are right."""

from __future__ import annotations

from collections.abc import Hashable

import pandas as pd

_ORDERS = pd.DataFrame(
    {
        "订单号": [1, 2, 3, 4],
        "下单日期": pd.to_datetime(["2024-01-05", "2024-01-20", "2024-02-03", "2024-03-09"]),
        "门店": ["一店", "一店", "二店", "三店"],
        "城市": ["上海", "上海", "北京", "广州"],
        "品类": ["饮料", "零食", "饮料", "饮料"],
        "商品": ["绿茶-大", "饼干-小", "红茶-小", "绿茶-小"],
        "数量": [2, 1, 5, 3],
        "单价": [4.0, 9.5, 3.5, 4.0],
        "销售额": [8.0, 9.5, 17.5, 12.0],
        "备注": [None, "加急", None, "自提"],
        "客户ID": [11, 12, 11, 13],
    }
)
_CLIENTS = pd.DataFrame(
    {
        "客户ID": [11, 12, 13],
        "客户名": ["甲", "乙", "丙"],
        "等级": ["A", "B", "A"],
        "城市": ["上海", "北京", "广州"],
    }
)
_GOALS = pd.DataFrame({"门店": ["一店", "二店", "三店"], "月份": [1, 1, 1], "目标": [15.0, 20.0, 10.0]})
_SALES = pd.DataFrame(
    {
        "order_id": [1, 2, 3],
        "order_date": pd.to_datetime(["2024-01-05", "2024-02-20", "2024-02-25"]),
        "region": ["East", "West", "East"],
        "product": ["pen", "ink", "pen"],
        "category": ["desk", "desk", "art"],
        "qty": [2, 1, 4],
        "unit_price": [3.0, 8.0, 3.0],
        "amount": [6.0, 8.0, 12.0],
        "cost": [4.0, 5.0, 8.0],
        "customer_id": [7, 8, 7],
    }
)
_CUSTOMERS = pd.DataFrame({"customer_id": [7, 8], "name": ["Ann", "Bob"], "tier": ["gold", "none"]})
_TARGETS = pd.DataFrame({"region": ["East", "West"], "month": [1, 1], "target": [10.0, 12.0]})
_SCORES = pd.DataFrame({"name": ["a", "b"], "Q1": [1, 2], "Q2": [3, 4], "Q3": [5, 6], "Q4": [7, 8]})
_YEARS = pd.DataFrame({"地区": ["东", "西"], 2022: [1, 2], 2023: [2, 3], 2024: [4, 6]})
_MESSY = pd.DataFrame(
    {
        "销售额 ": [1.0, 2.0],
        "ＡＢＣ": [3, 4],
        "a b": [5, 6],
        "金额(元)": [7.0, 8.0],
        "class": [1, 1],
        "count": [2, 2],
    }
)


def namespace() -> dict[str, object]:
    """Return fresh copies of the frames under the names that a program sees."""
    orders, clients, goals = _ORDERS.copy(), _CLIENTS.copy(), _GOALS.copy()
    others = {
        "sales": _SALES, "customers": _CUSTOMERS, "targets": _TARGETS, "scores": _SCORES, "years": _YEARS,
        "messy": _MESSY,
    }  # fmt: skip
    sheets = {"订单": orders, "客户": clients, "目标": goals}
    return {"df": orders, "sheets": sheets, **{name: frame.copy() for name, frame in others.items()}}


def columns() -> dict[str, list[Hashable]]:
    """Return the columns of each frame under the expression that a program reaches it by."""
    known: dict[str, list[Hashable]] = {}
    for name, value in namespace().items():
        if isinstance(value, pd.DataFrame):
            known[name] = list(value.columns)
        elif isinstance(value, dict):
            known.update({f"sheets[{sheet!r}]": list(frame.columns) for sheet, frame in value.items()})
    return known
