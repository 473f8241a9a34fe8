"""Tasks that add up, average and count."""

from __future__ import annotations

from mindatlas.evals.atlassplit import office_tables as office
from mindatlas.evals.atlassplit import other_tables as other
from mindatlas.evals.atlassplit import shop_tables as shop
from mindatlas.evals.atlassplit.reckoning import (
    different,
    grouped,
    largest,
    mean,
    median,
    scalar,
    smallest,
    total,
)
from mindatlas.evals.atlassplit.task import Task, task


def tasks() -> list[Task]:
    """Return the tasks of the kinds aggregate, count and distinct."""
    return [*_aggregates(), *_counts(), *_distinct()]


def _aggregates() -> list[Task]:
    sales, staff, contracts = shop.sales(), office.staff(), office.contracts()
    quarters, projects, scores = shop.quarters(), office.projects(), other.scores()
    tickets, survey, hours = other.tickets(), other.survey(), office.hours()
    return [
        task(
            "aggregate",
            "sales.xlsx",
            "按门店汇总销售额",
            grouped(sales, {"门店": "门店"}, 销售额=total("销售额")),
            tolerance="cent",
        ),
        task(
            "aggregate",
            "sales.xlsx",
            "全部销售额加起来是多少",
            scalar(total("销售额")(sales)),
            tolerance="cent",
        ),
        task(
            "aggregate",
            "sales.xlsx",
            "统计每个城市各类别的总数量",
            grouped(sales, {"城市": "城市", "类别": "类别"}, 数量=total("数量")),
        ),
        task(
            "aggregate",
            "staff.xlsx",
            "各部门的平均月薪、最高月薪和最低月薪",
            grouped(staff, {"部门": "部门"}, 平均=mean("月薪"), 最高=largest("月薪"), 最低=smallest("月薪")),
            tolerance="cent",
        ),
        task("aggregate", "staff.xlsx", "员工的平均年龄", scalar(mean("年龄")(staff)), tolerance="cent"),
        task(
            "aggregate",
            "contracts.csv",
            "按区域求合同金额的合计",
            grouped(contracts, {"区域": "区域"}, 金额=total("金额")),
            tolerance="cent",
        ),
        task("aggregate", "contracts.csv", "余额合计", scalar(total("余额")(contracts)), tolerance="cent"),
        task(
            "aggregate",
            "quarters.xlsx",
            "按城市汇总Q2收入",
            grouped(quarters, {"城市": "城市"}, **{"Q2/收入": total("Q2/收入")}),
            tolerance="cent",
        ),
        task(
            "aggregate",
            "projects.xlsx",
            "每个部门的预算合计和实际合计",
            grouped(projects, {"部门": "部门"}, 预算=total("预算"), 实际=total("实际")),
        ),
        task(
            "aggregate",
            "scores.xlsx",
            "各班级数学成绩的中位数",
            grouped(scores, {"班级": "班级"}, 数学=median("数学")),
            tolerance="float64",
        ),
        task(
            "aggregate",
            "tickets.xlsx",
            "average minutes by agent",
            grouped(tickets, {"agent": "agent"}, minutes=mean("minutes")),
            tolerance="cent",
        ),
        task(
            "aggregate",
            "survey.csv",
            "What is the total monthly spend per country?",
            grouped(survey, {"country": "country"}, monthly_spend=total("monthly_spend")),
            tolerance="cent",
        ),
        task(
            "aggregate",
            "staff.xlsx",
            "工时表里工时一共是多少",
            scalar(total("工时")(hours)),
            tolerance="float64",
        ),
    ]


def _counts() -> list[Task]:
    sales, staff, tickets = shop.sales(), office.staff(), other.tickets()
    scores, projects, shipments = other.scores(), office.projects(), other.shipments()
    return [
        task("count", "sales.xlsx", "一共有多少笔订单", scalar(len(sales))),
        task("count", "sales.xlsx", "每个门店有多少笔订单", grouped(sales, {"门店": "门店"}, 订单数=len)),
        task("count", "staff.xlsx", "每个部门有多少人", grouped(staff, {"部门": "部门"}, 人数=len)),
        task(
            "count",
            "scores.xlsx",
            "数学成绩低于60分的有几个学生",
            scalar(sum(row["数学"] is not None and row["数学"] < 60 for row in scores)),
        ),
        task("count", "projects.xlsx", "各状态的项目数量", grouped(projects, {"状态": "状态"}, 数量=len)),
        task(
            "count",
            "tickets.xlsx",
            "how many tickets with high priority are there per agent",
            grouped([row for row in tickets if row["priority"] == "high"], {"agent": "agent"}, count=len),
        ),
        task(
            "count",
            "shipments.tsv",
            "签收日期为空的运单有多少条",
            scalar(sum(row["签收日期"] is None for row in shipments)),
        ),
    ]


def _distinct() -> list[Task]:
    sales, orders, hours = shop.sales(), shop.orders(), office.hours()
    survey, inventory = other.survey(), shop.inventory()
    return [
        task("distinct", "sales.xlsx", "一共卖了多少种不同的商品", scalar(different("商品")(sales))),
        task(
            "distinct",
            "sales.xlsx",
            "每个城市有几家不同的门店",
            grouped(sales, {"城市": "城市"}, 门店数=different("门店")),
        ),
        task(
            "distinct",
            "orders.xlsx",
            "每个渠道卖出的不同商品编号有多少个",
            grouped(orders, {"渠道": "渠道"}, 商品数=different("商品编号")),
        ),
        task("distinct", "staff.xlsx", "工时表里有多少个不同的工号", scalar(different("工号")(hours))),
        task(
            "distinct",
            "survey.csv",
            "number of distinct plans by country",
            grouped(survey, {"country": "country"}, plans=different("plan")),
        ),
        task(
            "distinct",
            "inventory.csv",
            "各仓库有多少种不同的货号",
            grouped(inventory, {"仓库": "仓库"}, 货号数=different("货号")),
        ),
    ]
