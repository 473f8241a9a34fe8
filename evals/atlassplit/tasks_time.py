"""Tasks about time and parts of a whole: growth, units of time, shares."""

from __future__ import annotations

from mindatlas.evals.atlassplit import office_tables as office
from mindatlas.evals.atlassplit import other_tables as other
from mindatlas.evals.atlassplit import shop_tables as shop
from mindatlas.evals.atlassplit.reckoning import (
    by_period,
    grouped,
    groups,
    growth,
    mean,
    month,
    quarter,
    shares,
    table,
    total,
)
from mindatlas.evals.atlassplit.task import Task, task


def tasks() -> list[Task]:
    """Return the tasks of the kinds growth, time_unit and share."""
    return [*_growth(), *_units(), *_shares()]


def _growth() -> list[Task]:
    sales, revenue, tickets = shop.sales(), shop.revenue(), other.tickets()
    monthly = by_period(revenue, month("月份"), total("营收"))
    lines = [
        [key[0], *line]
        for key, part in groups(revenue, "产品线").items()
        for line in growth(by_period(part, month("月份"), total("营收")))
    ]
    yearly = by_period(revenue, lambda row: row["月份"].year, total("营收"))
    quarterly = by_period(revenue, quarter("月份"), total("营收"))
    tickets_a_month = by_period(tickets, month("opened"), total("minutes"))
    columns = ["月份", "营收", "增长率"]
    return [
        task(
            "growth",
            "sales.xlsx",
            "按月汇总销售额并计算环比增长率",
            table(["月份", "销售额", "增长率"], growth(by_period(sales, month("日期"), total("销售额")))),
            tolerance="basis_point",
        ),
        task(
            "growth",
            "revenue.xlsx",
            "每月营收合计及环比",
            table(columns, growth(monthly)),
            tolerance="basis_point",
        ),
        task(
            "growth",
            "revenue.xlsx",
            "每月营收合计及同比增长率",
            table(columns, growth(monthly, 12)),
            tolerance="basis_point",
        ),
        task(
            "growth",
            "revenue.xlsx",
            "各产品线每月营收的环比增长率",
            table(["产品线", *columns], lines),
            tolerance="basis_point",
        ),
        task(
            "growth",
            "revenue.xlsx",
            "按年统计营收并计算同比增长",
            table(["年份", "营收", "增长率"], growth(yearly)),
            tolerance="basis_point",
        ),
        task(
            "growth",
            "revenue.xlsx",
            "按季度汇总营收，计算环比增长率",
            table(["季度", "营收", "增长率"], growth(quarterly)),
            tolerance="basis_point",
        ),
        task(
            "growth",
            "tickets.xlsx",
            "total minutes per month with month-over-month growth",
            table(["month", "minutes", "growth"], growth(tickets_a_month)),
            tolerance="basis_point",
        ),
    ]


def _units() -> list[Task]:
    sales, contracts, staff = shop.sales(), office.contracts(), office.staff()
    shipments, tickets, expenses = other.shipments(), other.tickets(), office.expenses()
    return [
        task(
            "time_unit", "sales.xlsx", "按月统计订单数", grouped(sales, {"月份": month("日期")}, 订单数=len)
        ),
        task(
            "time_unit",
            "contracts.csv",
            "按季度统计合同金额",
            grouped(contracts, {"季度": quarter("签约日期")}, 金额=total("金额")),
            tolerance="cent",
        ),
        task(
            "time_unit",
            "staff.xlsx",
            "每年入职的人数",
            grouped(staff, {"年份": lambda row: row["入职日期"].year}, 人数=len),
        ),
        task(
            "time_unit",
            "shipments.tsv",
            "按发货月份统计平均运费",
            grouped(shipments, {"月份": month("发货日期")}, 运费=mean("运费")),
            tolerance="cent",
        ),
        task(
            "time_unit",
            "tickets.xlsx",
            "number of tickets per quarter",
            grouped(tickets, {"quarter": quarter("opened")}, count=len),
        ),
        task(
            "time_unit",
            "expenses.xlsx",
            "按月汇总各费用类型的申请金额",
            grouped(
                expenses, {"月份": month("申请日期"), "费用类型": "费用类型"}, 申请金额=total("申请金额")
            ),
            tolerance="cent",
        ),
    ]


def _shares() -> list[Task]:
    sales, staff, contracts = shop.sales(), office.staff(), office.contracts()
    survey, projects, expenses = other.survey(), office.projects(), office.expenses()
    people = [{**row, "人": 1} for row in staff]
    running = [row for row in projects if row["状态"] == "进行中"]

    def share(workbook: str, request: str, rows: list[shop.Row], key: str, name: str) -> Task:
        expected = table([key, name, "占比"], shares(rows, key, name))
        return task("share", workbook, request, expected, tolerance="basis_point")

    return [
        share("sales.xlsx", "各门店销售额及占总销售额的比例", sales, "门店", "销售额"),
        share("sales.xlsx", "各类别的数量和占比", sales, "类别", "数量"),
        share("staff.xlsx", "各部门人数及占比", people, "部门", "人"),
        share("contracts.csv", "按区域汇总金额并计算占比", contracts, "区域", "金额"),
        share(
            "survey.csv",
            "total monthly_spend by plan and its share of the total",
            survey,
            "plan",
            "monthly_spend",
        ),
        share("projects.xlsx", "筛选进行中的项目，计算各部门预算及占比", running, "部门", "预算"),
        share("expenses.xlsx", "各费用类型的申请金额占比", expenses, "费用类型", "申请金额"),
    ]
