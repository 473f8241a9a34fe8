"""Tasks that pick rows: conditions, ranks, and conditions that no row meets."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from mindatlas.evals.atlassplit import office_tables as office
from mindatlas.evals.atlassplit import other_tables as other
from mindatlas.evals.atlassplit import shop_tables as shop
from mindatlas.evals.atlassplit.reckoning import chosen, first, mean, table, top_groups, total
from mindatlas.evals.atlassplit.task import Task, task


def tasks() -> list[Task]:
    """Return the tasks of the kinds filter, top_n and empty."""
    return [*_filters(), *_filters_by_time_and_text(), *_ranks(), *_ranks_of_groups(), *_empty()]


def _filters() -> list[Task]:
    sales, staff, contracts = shop.sales(), office.staff(), office.contracts()
    projects, scores, tickets = office.projects(), other.scores(), other.tickets()
    sold = [row for row in sales if row["销售额"] > 3000]
    paid = [row for row in staff if row["部门"] == "研发部" and row["月薪"] >= 20000]
    reduced = [row for row in contracts if row["折扣"] > Decimal("0.1")]
    owed = [row for row in contracts if row["余额"] < 0]
    over = [row for row in projects if row["实际"] > row["预算"]]
    good = [row for row in scores if row["语文"] >= 90 or (row["英语"] or 0) >= 90]
    long = [row for row in tickets if row["priority"] == "high" and row["minutes"] > 300]
    return [
        task("filter", "sales.xlsx", "列出销售额大于3000的订单", chosen(sold, ["订单号", "门店", "数量"])),
        task(
            "filter", "staff.xlsx", "筛选研发部月薪不低于20000的员工", chosen(paid, ["工号", "姓名", "月薪"])
        ),
        task("filter", "contracts.csv", "折扣大于10%的合同", chosen(reduced, ["合同号", "区域"])),
        task("filter", "contracts.csv", "找出余额为负的合同", chosen(owed, ["合同号", "区域"])),
        task("filter", "projects.xlsx", "实际大于预算的项目有哪些", chosen(over, ["项目"])),
        task("filter", "scores.xlsx", "语文或英语不低于90分的学生", chosen(good, ["学号", "姓名"])),
        task(
            "filter",
            "tickets.xlsx",
            "high priority tickets longer than 300 minutes",
            chosen(long, ["ticket_id"]),
        ),
    ]


def _filters_by_time_and_text() -> list[Task]:
    sales, staff, contracts = shop.sales(), office.staff(), office.contracts()
    shipments = other.shipments()
    spring = [row for row in sales if row["日期"].month == 3 and row["门店"] == "徐汇店"]
    lately = [row for row in staff if row["入职日期"] >= dt.date(2023, 1, 1)]
    unknown = [row for row in contracts if row["区域"] == "NA"]
    northern = [row for row in shipments if row["目的地"] in {"北京", "上海"} and row["承运商"] != "顺丰"]
    return [
        task("filter", "sales.xlsx", "筛选徐汇店2024年3月的记录", chosen(spring, ["订单号", "商品", "数量"])),
        task("filter", "staff.xlsx", "入职日期在2023年1月1日及以后的员工", chosen(lately, ["工号", "姓名"])),
        task("filter", "contracts.csv", "区域为NA的合同", chosen(unknown, ["合同号", "区域"])),
        task(
            "filter",
            "shipments.tsv",
            "目的地是北京或上海，承运商不是顺丰的运单",
            chosen(northern, ["运单号", "目的地"]),
        ),
    ]


def _ranks() -> list[Task]:
    staff, projects, scores, survey = office.staff(), office.projects(), other.scores(), other.survey()
    paid = first(staff, 5, lambda row: row["月薪"])
    small = first(projects, 3, lambda row: row["预算"], least=True)
    best = first(scores, 3, lambda row: row["语文"] + (row["数学"] or 0) / 1000)
    spent = first(survey, 10, lambda row: row["monthly_spend"])
    return [
        task("top_n", "staff.xlsx", "月薪最高的5名员工", chosen(paid, ["工号", "姓名", "月薪"])),
        task("top_n", "projects.xlsx", "预算最小的3个项目", chosen(small, ["项目", "预算"])),
        task(
            "top_n",
            "survey.csv",
            "top 10 respondents by monthly_spend",
            chosen(spent, ["respondent", "country"]),
        ),
        task(
            "top_n",
            "scores.xlsx",
            "按语文降序、数学降序排序，取前3行",
            chosen(best, ["学号", "语文", "数学"]),
            ordered=True,
        ),
    ]


def _ranks_of_groups() -> list[Task]:
    sales, tickets, shipments = shop.sales(), other.tickets(), other.shipments()
    stores = top_groups(sales, "门店", total("销售额"), 3)
    slowest = top_groups(tickets, "agent", mean("minutes"), 1)
    cheapest = top_groups(shipments, "承运商", mean("运费"), 1, least=True)
    cities = [
        [city, *top_groups([row for row in sales if row["城市"] == city], "商品", total("销售额"), 1)[0]]
        for city in sorted(set(shop.STORES.values()))
    ]
    goods = top_groups(sales, "商品", total("数量"), 5)
    return [
        task(
            "top_n",
            "sales.xlsx",
            "销售额最高的3个门店",
            table(["门店", "销售额"], stores),
            tolerance="cent",
            ordered=True,
        ),
        task(
            "top_n",
            "tickets.xlsx",
            "which agent has the highest average minutes",
            table(["agent", "minutes"], slowest),
            tolerance="cent",
        ),
        task(
            "top_n",
            "shipments.tsv",
            "哪个承运商的平均运费最低",
            table(["承运商", "运费"], cheapest),
            tolerance="cent",
        ),
        task(
            "top_n",
            "sales.xlsx",
            "每个城市销售额最高的商品是什么",
            table(["城市", "商品", "销售额"], cities),
            tolerance="cent",
        ),
        task(
            "top_n", "sales.xlsx", "总数量前5的商品，从高到低", table(["商品", "数量"], goods), ordered=True
        ),
    ]


def _empty() -> list[Task]:
    return [
        task("empty", "sales.xlsx", "数量大于100的订单", table(["订单号"], [])),
        task("empty", "staff.xlsx", "列出年龄小于20岁的员工", table(["工号"], [])),
        task("empty", "contracts.csv", "折扣高于20%的合同", table(["合同号"], [])),
        task("empty", "tickets.xlsx", "show tickets with more than 600 minutes", table(["ticket_id"], [])),
    ]
