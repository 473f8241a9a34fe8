"""Requests with right answers that plain Python computes from the same rows."""

from __future__ import annotations

import datetime as dt
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.nodes.atlassplit.parts.planner.books import (
    Row,
    goods,
    messy,
    monthly,
    orders,
    quarters,
    routes,
    sales,
    shipments,
    staff,
    students,
    yearly,
)
from tests.nodes.atlassplit.parts.planner.planned import answer, plain, rows_of

Key = Callable[[Row], Any]
Figure = Callable[[list[Row]], Any]


def grouped(rows: Iterable[Row], key: Key, *figures: Figure) -> set[tuple[Any, ...]]:
    """Return a tuple of key and figures for each group; a key of several parts is spread."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    spread = ((k if isinstance(k, tuple) else (k,), members) for k, members in groups.items())
    return {(*map(plain, k), *(plain(figure(members)) for figure in figures)) for k, members in spread}


def total(column: str) -> Figure:
    return lambda rows: sum(row[column] for row in rows if row[column] is not None)


def mean(column: str) -> Figure:
    def figure(rows: list[Row]) -> float | None:
        known = [row[column] for row in rows if row[column] is not None]
        return statistics.fmean(known) if known else None

    return figure


def of(*columns: str) -> Key:
    return (lambda row: row[columns[0]]) if len(columns) == 1 else lambda row: tuple(row[c] for c in columns)


def month(row: Row, column: str = "日期") -> str | None:
    return row[column] and f"{row[column]:%Y-%m}"


def quarter(row: Row) -> str | None:
    return row["日期"] and f"{row['日期'].year}Q{(row['日期'].month + 2) // 3}"


def in_year(rows: Iterable[Row], column: str, year: int) -> list[Row]:
    return [row for row in rows if row[column] is not None and row[column].year == year]


GROUPS: list[tuple[str, str, set[tuple[Any, ...]]]] = [
    ("sales", "按门店汇总销售额", grouped(sales(), of("门店"), total("销售额"))),
    ("sales", "各门店的销售额合计", grouped(sales(), of("门店"), total("销售额"))),
    ("sales", "total 销售额 by 门店", grouped(sales(), of("门店"), total("销售额"))),
    ("sales", "各城市的订单数", grouped(sales(), of("城市"), len)),
    ("sales", "每个类别的平均单价", grouped(sales(), of("类别"), mean("单价"))),
    ("sales", "2024年各门店销售额", grouped(in_year(sales(), "日期", 2024), of("门店"), total("销售额"))),
    ("sales", "去年各门店销售额", grouped(in_year(sales(), "日期", 2024), of("门店"), total("销售额"))),
    ("sales", "按门店和类别统计销售额", grouped(sales(), of("门店", "类别"), total("销售额"))),
    ("sales", "按季度汇总销售额", grouped(sales(), quarter, total("销售额"))),
    ("sales", "按月汇总数量", grouped(sales(), month, total("数量"))),
    ("sales", "每年销售额", grouped(sales(), lambda r: r["日期"] and r["日期"].year, total("销售额"))),
    ("sales", "除北京外各城市的销售额", grouped([r for r in sales() if r["城市"] != "北京"], of("城市"), total("销售额"))),
    ("sales", "每个城市有几家门店", grouped(sales(), of("城市"), lambda g: len({r["门店"] for r in g} - {None}))),
    ("sales", "销售额中位数按门店", grouped(sales(), of("门店"), lambda g: statistics.median(r["销售额"] for r in g))),
    ("sales", "各门店的最大数量", grouped(sales(), of("门店"), lambda g: max(r["数量"] for r in g))),
    ("sales", "筛选饮料，按城市汇总销售额", grouped([r for r in sales() if r["类别"] == "饮料"], of("城市"), total("销售额"))),
    ("quarters", "各城市Q1收入合计", grouped(quarters(), of("城市"), total("Q1/收入"))),
    ("messy", "按区域统计折扣平均值", grouped(messy(), lambda r: r["区域"].strip().replace("ａｂ", "AB"), mean("折扣"))),
    ("shipments", "Total amount by region", grouped(shipments(), of("Region"), total("Amount"))),
    ("shipments", "Average quantity by region", grouped(shipments(), of("Region"), mean("Quantity"))),
    ("shipments", "Number of orders by status", grouped(shipments(), of("Status"), len)),
    ("routes", "按发货城市汇总销售额(含税)", grouped(routes(), of("发货城市"), total("销售额(含税)"))),
    ("staff", "各部门平均工资", grouped(staff(), of("部门"), mean("工资"))),
    ("staff", "各部门的工资总额和平均奖金", grouped(staff(), of("部门"), total("工资"), mean("奖金"))),
    ("staff", "各职位的人数", grouped(staff(), of("职位"), len)),
    ("yearly", "按产品线汇总收入和成本", grouped(yearly(), of("产品线"), total("收入"), total("成本"))),
    ("yearly", "2024年各季度收入", grouped([r for r in yearly() if r["年份"] == 2024], of("季度"), total("收入"))),
    ("monthly", "按渠道统计收入平均值", grouped(monthly(), of("渠道"), mean("收入"))),
    ("students", "按班级统计数学平均分", grouped(students(), of("班级"), mean("数学"))),
    ("students", "各班级语文平均分", grouped(students(), of("班级"), mean("语文"))),
    ("orders", "按商品编号汇总数量", grouped(orders(), of("商品编号"), total("数量"))),
]  # fmt: skip


def _comparable(rows: Iterable[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    """Return rows with spellings of one key folded, as a person reads them."""
    fold = {"华东 ": "华东", "ａｂ": "AB", "ab": "AB"}
    return {tuple(fold.get(v, v) if isinstance(v, str) else v for v in row) for row in rows}


@pytest.mark.parametrize(("book", "request_", "expected"), GROUPS)
def test_figures_by_group(book: str, request_: str, expected: set[tuple[Any, ...]]) -> None:
    assert _comparable(rows_of(answer(book, request_))) == _comparable(expected)


KEPT: list[tuple[str, str, Callable[[Row], bool], str]] = [
    ("sales", "筛选备注为退货的订单", lambda r: r["备注"] == "退货", "订单号"),
    ("sales", "数量大于30的订单", lambda r: r["数量"] > 30, "订单号"),
    ("sales", "数量不低于30的订单", lambda r: r["数量"] >= 30, "订单号"),
    ("sales", "数量在10到20之间的订单", lambda r: 10 <= r["数量"] <= 20, "订单号"),
    ("sales", "备注为空的订单", lambda r: r["备注"] is None, "订单号"),
    ("sales", "备注不为空的订单", lambda r: r["备注"] is not None, "订单号"),
    ("sales", "2024年3月的订单", lambda r: r["日期"] is not None and (r["日期"].year, r["日期"].month) == (2024, 3), "订单号"),
    ("sales", "城市为北京且类别为饮料的订单", lambda r: r["城市"] == "北京" and r["类别"] == "饮料", "订单号"),
    ("sales", "商品包含奶的订单", lambda r: "奶" in r["商品"], "订单号"),
    ("students", "语文为空的学生", lambda r: r["语文"] is None, "学号"),
    ("students", "英语90分以上的学生", lambda r: r["英语"] >= 90, "学号"),
    ("staff", "奖金为空的员工", lambda r: r["奖金"] is None, "工号"),
    ("staff", "工资大于10000的员工", lambda r: r["工资"] > 10000, "工号"),
    ("shipments", "Orders with status Returned", lambda r: r["Status"] == "Returned", "Order ID"),
    ("shipments", "Orders where quantity is greater than 5", lambda r: r["Quantity"] > 5, "Order ID"),
]  # fmt: skip
ROWS: dict[str, Callable[[], list[Row]]] = {
    "sales": sales,
    "students": students,
    "staff": staff,
    "shipments": shipments,
}


@pytest.mark.parametrize(("book", "request_", "keep", "key"), KEPT)
def test_rows_kept(book: str, request_: str, keep: Callable[[Row], bool], key: str) -> None:
    expected = [row[key] for row in ROWS[book]() if keep(row)]
    assert expected, "a filter that keeps nothing tests nothing"
    assert answer(book, request_)[key].tolist() == expected


SCALARS: list[tuple[str, str, Any]] = [
    ("sales", "备注不为空的订单有多少条", sum(r["备注"] is not None for r in sales())),
    ("sales", "2024年3月北京的销售额合计", sum(r["销售额"] for r in in_year(sales(), "日期", 2024) if r["日期"].month == 3 and r["城市"] == "北京")),
    ("sales", "销售额总和", sum(r["销售额"] for r in sales())),
    ("sales", "一共有多少行", len(sales())),
    ("students", "数学最高分", max(r["数学"] for r in students())),
    ("messy", "余额小于0的有几条", sum(r["余额"] < 0 for r in messy())),
    ("messy", "金额合计", sum(r["金额 "] or 0 for r in messy())),
    ("monthly", "2023年订单量合计", sum(r["订单量"] for r in monthly() if r["月份"].startswith("2023"))),
    ("shipments", "Total amount", sum(r["Amount"] for r in shipments())),
]  # fmt: skip


@pytest.mark.parametrize(("book", "request_", "expected"), SCALARS)
def test_single_figures(book: str, request_: str, expected: Any) -> None:
    assert plain(answer(book, request_)) == pytest.approx(float(expected))


def test_the_first_of_a_ranking_keep_their_order() -> None:
    by_store = grouped([r for r in sales() if r["类别"] == "饮料"], of("门店"), total("销售额"))
    expected = sorted(by_store, key=lambda row: -row[1])[:3]
    assert rows_of(answer("sales", "先筛选饮料，再按门店汇总销售额，取前3名")) == expected


def test_the_best_of_each_group() -> None:
    found = rows_of(answer("sales", "每个门店销售额前2的订单"))
    for store in {row["门店"] for row in sales()}:
        best = sorted((r["销售额"] for r in sales() if r["门店"] == store), reverse=True)[:2]
        assert (
            sorted((float(str(row[8]).replace(",", "")) for row in found if row[2] == store), reverse=True)
            == best
        )


def test_growth_over_the_month_before_skips_gaps() -> None:
    totals = {key: value for key, value in grouped(sales(), month, total("销售额")) if key}
    for name, amount, growth in rows_of(answer("sales", "每月销售额，环比增长率")):
        if name is None:
            assert growth is None
            continue
        first = dt.date.fromisoformat(f"{name}-01")
        before = totals.get(f"{first - dt.timedelta(days=1):%Y-%m}")
        assert amount == totals[name]
        assert growth == (None if not before else plain(amount / before - 1))


def test_growth_over_the_year_before_leaves_rows_without_a_date_apart() -> None:
    by_year = dict(grouped(sales(), lambda r: r["日期"] and r["日期"].year, total("销售额")))
    found = {row[0]: row[1:] for row in rows_of(answer("sales", "各年销售额同比增长"))}
    assert found[2024] == (by_year[2024], plain(by_year[2024] / by_year[2023] - 1))
    assert found[2023] == (by_year[2023], None)
    assert found[None] == (by_year[None], None)


def test_shares_add_up_to_one() -> None:
    found = rows_of(answer("sales", "按门店统计销售额占比"))
    whole = sum(r["销售额"] for r in sales())
    stores = grouped(sales(), of("门店"), total("销售额"))
    assert set(found) == {(store, amount, plain(amount / whole)) for store, amount in stores}
    assert sum(row[2] for row in found) == pytest.approx(1, abs=1e-5)


def test_a_split_keeps_all_rows() -> None:
    parts = answer("sales", "按城市拆分")
    assert {name: len(part) for name, part in parts.items()} == dict(grouped(sales(), of("城市"), len))


def test_a_column_by_arithmetic() -> None:
    found = answer("students", "总分=语文+数学+英语，按总分降序取前5名")
    sums = [r["语文"] + r["数学"] + r["英语"] for r in students() if r["语文"] is not None]
    assert found["总分"].tolist() == sorted(sums, reverse=True)[:5]


def test_a_look_up_multiplies_no_row() -> None:
    names = {row["商品编号"]: row["商品名称"] for row in goods()}
    found = answer("orders", "把商品表的商品名称匹配到订单")
    assert found["商品名称"].tolist() == [names[row["商品编号"]] for row in orders()]
