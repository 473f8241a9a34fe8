"""Ways of saying a condition, a bound or a group, with answers that plain Python computes from the same rows."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.planner import Plan, read_plan, write_code
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from tests.nodes.atlassplit.parts.planner.books import Row, orders, sales, shipments, shops, staff
from tests.nodes.atlassplit.parts.planner.planned import TODAY, answer, plain, plan, rows_of
from tests.nodes.atlassplit.parts.planner.rides import rides

KEPT: list[tuple[str, Callable[[Row], bool]]] = [
    ("不是苏州的行程", lambda r: r["城市"].strip() != "苏州"),
    ("非苏州的行程", lambda r: r["城市"].strip() != "苏州"),
    ("苏州和无锡以外的行程", lambda r: r["城市"].strip() == "南通"),
    ("城市既不是苏州也不是无锡的行程", lambda r: r["城市"].strip() == "南通"),
    ("除苏州以外的行程", lambda r: r["城市"].strip() != "苏州"),
    ("里程未超过20的行程", lambda r: r["里程(公里)"] <= 20),
    ("里程大于20公里的行程", lambda r: r["里程(公里)"] > 20),
    ("里程20到30公里的行程", lambda r: 20 <= r["里程(公里)"] <= 30),
    ("支出不为空且大于100的行程", lambda r: r["支出"] is not None and r["支出"] > 100),
    ("收入大于支出的行程", lambda r: r["支出"] is not None and r["收入"] > r["支出"]),
    ("支出为零的行程", lambda r: r["支出"] == 0),
    ("备注包含“夜间”但不包含“加急”的行程", lambda r: r["备注"] == "夜间"),
    ("没有司机的行程", lambda r: r["司机"] is None),
    ("等级为A，或里程大于50的行程", lambda r: r["等级"] == "A" or r["里程(公里)"] > 50),
    ("好评率高于80%的行程", lambda r: r["好评率"] > 0.8),
    ("2023年1月或3月出发的行程", lambda r: r["出发日期"].year == 2023 and r["出发日期"].month in (1, 3)),
    ("2023年以来的行程", lambda r: r["出发日期"] >= dt.date(2023, 1, 1)),
    ("按里程排序，降序", lambda r: True),
]


@pytest.mark.parametrize(("request_", "keep"), KEPT)
def test_rows_are_kept_as_said(request_: str, keep: Callable[[Row], bool]) -> None:
    expected = [row["行程编号"] for row in rides() if keep(row)]
    assert expected, "a filter that keeps nothing tests nothing"
    assert sorted(answer("rides", request_)["行程编号"]) == expected


def test_a_direction_behind_its_order_is_that_of_the_order() -> None:
    found = answer("rides", "按里程排序，降序")["里程(公里)"].tolist()
    assert found == sorted(found, reverse=True)


ENGLISH: list[tuple[str, Callable[[Row], bool]]] = [
    ("orders where region is not East", lambda r: r["Region"] != "East"),
    ("neither East nor West", lambda r: r["Region"] not in ("East", "West")),
    ("orders not from East", lambda r: r["Region"] != "East"),
    ("quantity not greater than 3", lambda r: r["Quantity"] <= 3),
    ("list orders with empty status", lambda r: r["Status"] is None),
    ("region is neither East nor West", lambda r: r["Region"] not in ("East", "West")),
    ("orders with more than 8 quantity", lambda r: r["Quantity"] > 8),
    ("orders that are from East", lambda r: r["Region"] == "East"),
]


@pytest.mark.parametrize(("request_", "keep"), ENGLISH)
def test_rows_are_kept_as_said_in_english(request_: str, keep: Callable[[Row], bool]) -> None:
    expected = [row["Order ID"] for row in shipments() if keep(row)]
    assert answer("shipments", request_)["Order ID"].tolist() == expected


def _totals(rows: list[Row], key: str, column: str) -> dict[Any, float]:
    sums: dict[Any, float] = defaultdict(float)
    for row in rows:
        sums[row[key]] += row[column]
    return sums


@pytest.mark.parametrize("request_", ["收入占比超过{}%的等级", "各等级收入占比不低于{}%"])
def test_a_bound_on_a_share_keeps_groups(request_: str) -> None:
    totals = _totals(rides(), "等级", "收入")
    whole = sum(totals.values())
    expected = {(key, plain(value), plain(value / whole)) for key, value in totals.items()}
    bound = round(100 * sorted(totals.values())[1] / whole - 0.5, 1)
    kept = {row for row in expected if row[2] > bound / 100}
    assert 0 < len(kept) < len(expected)
    assert set(rows_of(answer("rides", request_.format(bound)))) == kept


def test_a_bound_on_growth_keeps_periods() -> None:
    grown = rows_of(answer("rides", "各年份收入同比增长率"))
    expected = [row for row in grown if row[2] is not None and row[2] > -0.1]
    assert 0 < len(expected) < len(grown)
    assert rows_of(answer("rides", "各年份收入同比增长率大于-10%的年份")) == expected


def test_rows_are_counted_by_what_numbers_them() -> None:
    counted = Counter(row["等级"] for row in rides())
    assert dict(rows_of(answer("rides", "各等级行程数"))) == counted
    most = max(counted.values())
    assert rows_of(answer("rides", "行程最多的等级")) == [(k, n) for k, n in counted.items() if n == most]
    assert plain(answer("rides", "苏州的行程有多少条")) == sum(r["城市"].strip() == "苏州" for r in rides())


def test_groups_with_more_than_so_many_rows() -> None:
    counted = Counter(row["Region"] for row in shipments())
    bound = sorted(counted.values())[1]
    found = rows_of(answer("shipments", f"regions with more than {bound} orders"))
    assert dict(found) == {region: n for region, n in counted.items() if n > bound}


def test_spellings_of_one_value_are_ranked_as_one_group() -> None:
    found = answer("rides", "每个城市收入最高的2条行程")
    best: list[int] = []
    for city in ("苏州", "无锡", "南通"):
        incomes = sorted((row["收入"] for row in rides() if row["城市"].strip() == city), reverse=True)
        best += incomes[:2]
    assert sorted(found["收入"]) == sorted(best)


def test_rows_are_ranked_within_calendar_units() -> None:
    found = answer("rides", "每季度收入最高的1条行程")
    best: dict[tuple[int, int], int] = defaultdict(int)
    for row in rides():
        quarter = (row["出发日期"].year, (row["出发日期"].month + 2) // 3)
        best[quarter] = max(best[quarter], row["收入"])
    assert sorted(found["收入"]) == sorted(best.values())


def test_persons_are_ranked_within_groups() -> None:
    found = answer("staff", "各部门工资前2名")
    sizes = Counter(row["部门"] for row in staff())
    assert len(found) == sum(min(2, size) for size in sizes.values())


def test_happenings_are_counted_by_their_date() -> None:
    expected = Counter(row["入职日期"].year for row in staff())
    for request_ in ("每年入职人数", "按入职年份统计人数"):
        assert dict(rows_of(answer("staff", request_))) == expected


@pytest.mark.parametrize("request_", ["各年份收入", "列出不同的年份", "各年份收入同比"])
def test_years_are_whole_numbers_even_beside_blanks(request_: str) -> None:
    years = answer("rides", request_)["年份"].dropna()
    assert set(map(str, years)) == {"2022", "2023", "2024"}


def test_years_head_columns_and_tables_as_whole_numbers() -> None:
    table = answer("rides", "以等级为行、年份为列统计收入透视表")
    assert [*table.columns] == ["等级", "2022", "2023", "2024", "（空）"]
    assert set(answer("rides", "按年份拆分")) == {"2022", "2023", "2024", "（空）"}


def test_a_rate_made_by_division_is_compared_in_percent() -> None:
    found = answer("rides", "支出率=支出/收入，筛选支出率大于50%")
    known = [row for row in rides() if row["支出"] is not None]
    assert len(found) == sum(row["支出"] / row["收入"] > 0.5 for row in known)


def test_values_that_are_taken_each_by_itself_are_groups() -> None:
    expected = {key: value for key, value in _totals(sales(), "城市", "数量").items() if key != "广州"}
    assert dict(rows_of(answer("sales", "北京和上海各自的数量"))) == expected


def test_a_total_over_nothing_is_told() -> None:
    found = plan("sales", "备注为加急且数量大于9999的销售额合计")
    assert isinstance(found, Plan)
    frame = pd.DataFrame({"备注": ["加急"], "数量": [1], "销售额": ["10"]})
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(write_code(found), {"pd": pd, "np": np, "df": frame})
    assert "no row meets the conditions" in told.getvalue()


@pytest.mark.parametrize(
    ("request_", "of"),
    [
        ("2022年第1季度和第2季度的收入分别是多少", lambda day: f"{day.year}Q{(day.month + 2) // 3}"),
        ("2022年3月和5月的收入分别是多少", lambda day: f"{day:%Y-%m}"),
    ],
)
def test_times_that_are_taken_each_by_itself_are_groups_of_their_own_unit(
    request_: str, of: Callable[[dt.date], Any]
) -> None:
    rows = [{**row, "时间": of(row["出发日期"])} for row in rides()]
    totals = _totals(rows, "时间", "收入")
    found = dict(rows_of(answer("rides", request_)))
    assert len(found) == 2
    assert found == {key: totals[key] for key in found}


def test_years_that_are_taken_each_by_itself_are_groups() -> None:
    rows = [{**row, "年": row["日期"].year} for row in sales() if row["日期"] is not None]
    assert dict(rows_of(answer("sales", "2023年和2024年的数量分别是多少"))) == _totals(rows, "年", "数量")


def test_codes_are_compared_with_their_hyphens() -> None:
    assert answer("shipments", "order id is A-0003 or A-0010")["Order ID"].tolist() == ["A-0003", "A-0010"]


@pytest.mark.parametrize(
    "request_", ["把店铺表的区域匹配到订单，按区域汇总数量", "从店铺匹配区域，按区域汇总数量"]
)
def test_a_clause_ends_at_a_comma_behind_a_word_of_another_table(request_: str) -> None:
    regions = {row["店铺编号"]: row["区域"] for row in shops()}
    rows = [{**row, "区域": regions.get(row["店铺编号"])} for row in orders()]
    assert dict(rows_of(answer("orders", request_))) == _totals(rows, "区域", "数量")


def test_only_figures_that_were_made_are_rounded() -> None:
    found = answer("rides", "单价=收入/时长，保留1位小数")
    assert found["单价"].tolist() == [pytest.approx(row["收入"] / row["时长"], abs=0.051) for row in rides()]
    assert all(len(str(value).partition(".")[2]) <= 1 for value in found["单价"])
    assert found["好评率"].tolist() == [row["好评率"] for row in rides()]


def test_a_new_column_may_be_named_after_a_value() -> None:
    found = answer("rides", "A数=收入-10，按城市汇总A数")
    assert sum(found["A数"]) == sum(row["收入"] - 10 for row in rides())


def test_groups_become_a_cross_table_when_one_is_asked_for_behind_them() -> None:
    found = answer("rides", "按等级和司机汇总收入，做成透视表")
    assert [*found.columns] == ["等级", "丙", "乙", "甲", "（空）"]
    assert found.set_index("等级").sum().sum() == sum(row["收入"] for row in rides())


def test_a_column_may_be_called_by_a_year(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("门店,2023,2024\n东店,100,110\n西店,200,190\n东店,300,330\n", encoding="utf-8")
    request_ = "各门店2023和2024合计"
    books = read_workbooks([path], request=request_, cache=tmp_path / "cache")
    found = read_plan(request_, books.card, today=TODAY)
    assert isinstance(found, Plan), found
    names: dict[str, Any] = {"pd": pd, "np": np, "df": read_frame(Path(books.card.active_table.parquet))}
    exec(write_code(found), names)
    assert set(rows_of(names["result"])) == {("东店", 400, 440), ("西店", 200, 190)}
