"""What is not understood as a whole is refused with its reason, never answered in part."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.planner import (
    Plan,
    Refusal,
    conservation_assertions,
    read_plan,
    write_code,
)
from tests.nodes.atlassplit.parts.planner.planned import TODAY, plan, read

REFUSED: list[tuple[str, str, str]] = [
    ("sales", "利润最高的门店", "missing_column"),
    ("sales", "按供应商汇总销售额", "missing_column"),
    ("sales", "各门店的毛利率", "missing_column"),
    ("orders", "各区域的数量合计", "missing_column"),
    ("yearly", "按产品线和年份汇总利润", "missing_column"),
    ("routes", "按城市汇总重量", "missing_column"),
    ("students", "各班级的物理平均分", "missing_column"),
    ("routes", "按发货城市汇总销售额", "ambiguous"),
    ("shipments", "Number of orders per month", "ambiguous"),
    ("shipments", "Total amount by region for 2024", "ambiguous"),
    ("orders", "按商品编号统计数量", "ambiguous"),
    ("sales", "按门店统计数量", "ambiguous"),
    ("sales", "预测明年销售额", "outside"),
    ("sales", "给老板写一封邮件", "outside"),
    ("sales", "退货率", "outside"),
    ("sales", "连续三个月增长的门店", "outside"),
    ("sales", "单价大于平均单价的订单", "outside"),
    ("sales", "没有销售的门店", "outside"),
    ("sales", "把销售额翻译成英文", "outside"),
    ("sales", "对销售额做线性回归", "outside"),
    ("sales", "销售额的相关性分析", "outside"),
    ("sales", "合并单元格", "outside"),
    ("sales", "把标题改成红色", "outside"),
    ("shipments", "Orders not shipped", "outside"),
    ("shipments", "Forecast next quarter's amount", "outside"),
    ("shipments", "Email the report to Ann", "outside"),
    ("staff", "谁最努力", "outside"),
    ("sales", "", "outside"),
    ("sales", "？？？", "outside"),
    ("sales", "你好", "outside"),
    ("sales", "只保留北京，又排除北京", "contradictory"),
    ("sales", "销售额大于1000且小于500的订单", "contradictory"),
    ("sales", "数量大于30且数量小于10", "contradictory"),
    ("rides", "时长大于2小时的行程", "ambiguous"),
    ("rides", "里程大于20箱的行程", "ambiguous"),
    ("rides", "车费大于5元的行程", "ambiguous"),
    ("rides", "各城市车费合计大于5万元", "ambiguous"),
    ("rides", "好评率大于80的行程", "ambiguous"),
    ("rides", "净额=车费-支出", "ambiguous"),
    ("rides", "各城市单位油耗", "ambiguous"),
    ("rides", "各城市峰值速度", "ambiguous"),
    ("rides", "没有支出的行程", "ambiguous"),
    ("rides", "等级A和B的收入", "ambiguous"),
    ("rides", "每年收入", "ambiguous"),
    ("rides", "收入最高的3条行程和支出", "ambiguous"),
    ("rides", "排名前3的行程", "ambiguous"),
    ("sales", "每月平均销售额", "ambiguous"),
    ("shipments", "average amount per month by order date", "ambiguous"),
    ("shipments", "rank by amount", "ambiguous"),
    ("sales", "2024年最后一个季度的销售额", "outside"),
    ("sales", "按星期统计销售额", "outside"),
    ("sales", "按星期几统计销售额", "outside"),
    ("sales", "各门店的单均=销售额/数量", "outside"),
    ("shipments", "without the status column", "outside"),
    ("rides", "第二个季度的收入", "outside"),
    ("rides", "收入第二高的行程", "outside"),
    ("rides", "总好评率", "ambiguous"),
    ("shipments", "orders except East and West with quantity > 3", "ambiguous"),
    ("rides", "按城市、等级和司机汇总收入，做成透视表", "ambiguous"),
    ("rides", "保留两位小数", "ambiguous"),
    ("rides", "苏州的利润=收入-支出", "missing_column"),
    ("sales", "按月汇总销售额，取前3个月", "ambiguous"),
    ("sales", "按月汇总销售额，筛选2024年3月15日之后", "ambiguous"),
    ("rides", "2022年上半年和下半年的收入分别是多少", "ambiguous"),
]  # fmt: skip


@pytest.mark.parametrize(("book", "request_", "kind"), REFUSED)
def test_refused_with_its_kind(book: str, request_: str, kind: str) -> None:
    found = plan(book, request_)
    assert isinstance(found, Refusal), found
    assert found.kind == kind
    assert found.message


@pytest.mark.parametrize(
    ("book", "request_", "candidate"),
    [
        ("routes", "按发货城市汇总销售额", "销售额(含税)"),
        ("routes", "按发货城市汇总销售额", "销售额(不含税)"),
        ("shipments", "Number of orders per month", "Ship Date"),
    ],
)
def test_the_candidates_are_named(book: str, request_: str, candidate: str) -> None:
    found = plan(book, request_)
    assert isinstance(found, Refusal)
    assert candidate in found.candidates


@pytest.mark.parametrize(
    "tail", ["并发给老板", "然后预测下个月", "and email it", "再做回归分析", "用红色标出"]
)
def test_a_part_that_is_not_understood_refuses_the_whole(tail: str) -> None:
    assert isinstance(plan("sales", "按门店汇总销售额"), Plan)
    assert isinstance(plan("sales", f"按门店汇总销售额，{tail}"), Refusal)


_WORDS = "按 门店 汇总 销售额 前 3 名 且 大于 北京 占比 环比 top by 拆分 不".split()  # noqa: SIM905 - easier to read


@settings(max_examples=150)
@given(st.text(max_size=40) | st.lists(st.sampled_from(_WORDS)).map("".join))
def test_any_text_is_planned_or_refused_and_programs_import_nothing(text: str) -> None:
    card = read("sales", "x").card
    found = read_plan(text, card, today=TODAY)
    if isinstance(found, Refusal):
        return
    code = write_code(found)
    assert code == write_code(found)
    assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(ast.parse(code)))
    assert all("kind" in record for record in conservation_assertions(found, card))


def test_the_mapping_of_words_to_columns_is_shown() -> None:
    found = plan("sales", "total sales by city in 2024")
    assert isinstance(found, Plan)
    assert found.column_map["sales"] == "销售额"
    assert found.column_map["city"] == "城市"
