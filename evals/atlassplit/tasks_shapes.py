"""Tasks that change the shape of a table, or take several steps."""

from __future__ import annotations

from mindatlas.evals.atlassplit import office_tables as office
from mindatlas.evals.atlassplit import other_tables as other
from mindatlas.evals.atlassplit import shop_tables as shop
from mindatlas.evals.atlassplit.reckoning import (
    chosen,
    crossed,
    grouped,
    groups,
    mean,
    month,
    scalar,
    table,
    tables,
    top_groups,
    total,
    without_repeats,
)
from mindatlas.evals.atlassplit.task import Task, task


def tasks() -> list[Task]:
    """Return the tasks of the kinds pivot, split and chain."""
    return [*_pivots(), *_splits(), *_chains()]


def _pivots() -> list[Task]:
    sales, staff, tickets = shop.sales(), office.staff(), other.tickets()
    survey, revenue = other.survey(), shop.revenue()
    return [
        task(
            "pivot",
            "sales.xlsx",
            "做一个透视表，行是门店，列是类别，值是销售额的合计",
            crossed(sales, "门店", "类别", total("销售额")),
            tolerance="cent",
        ),
        task(
            "pivot",
            "sales.xlsx",
            "城市和类别的交叉表，统计数量",
            crossed(sales, "城市", "类别", total("数量")),
        ),
        task(
            "pivot",
            "staff.xlsx",
            "以部门为行、职位为列，计算平均月薪",
            crossed(staff, "部门", "职位", mean("月薪")),
            tolerance="cent",
        ),
        task(
            "pivot",
            "tickets.xlsx",
            "pivot table of ticket count by agent and priority",
            crossed(tickets, "agent", "priority", len),
        ),
        task(
            "pivot",
            "survey.csv",
            "pivot: rows country, columns plan, values average monthly_spend",
            crossed(survey, "country", "plan", mean("monthly_spend")),
            tolerance="cent",
        ),
        task(
            "pivot",
            "revenue.xlsx",
            "行为月份，列为产品线，值为营收，做透视表",
            crossed(revenue, month("月份"), "产品线", total("营收"), heading="月份"),
            tolerance="cent",
        ),
    ]


def _splits() -> list[Task]:
    sales, tickets, scores, projects = shop.sales(), other.tickets(), other.scores(), office.projects()

    def split(rows: list[shop.Row], key: str, *columns: str) -> dict[str, object]:
        return tables({name: chosen(part, columns) for (name,), part in groups(rows, key).items()})

    return [
        task("split", "sales.xlsx", "按城市拆分成多个工作表", split(sales, "城市", "订单号", "门店", "数量")),
        task("split", "scores.xlsx", "按班级拆分", split(scores, "班级", "学号", "语文")),
        task("split", "projects.xlsx", "把项目按状态拆成不同的表", split(projects, "状态", "项目", "预算")),
        task(
            "split",
            "tickets.xlsx",
            "split into one sheet per priority",
            split(tickets, "priority", "ticket_id"),
        ),
    ]


def _chains() -> list[Task]:
    sales, staff, inventory = shop.sales(), office.staff(), shop.inventory()
    contracts, expenses, tickets = office.contracts(), office.expenses(), other.tickets()
    northern = [row for row in sales if row["城市"] in {"北京", "上海"}]
    experts = [row for row in staff if row["职位"] != "专员"]
    once = without_repeats(inventory)
    eastern = [row for row in contracts if row["区域"] == "华东" and row["签约日期"].year == 2023]
    paid = [row for row in expenses if row["已付款"] == "是"]
    slow = [row for row in tickets if row["reopened"] == "yes"]
    return [
        task(
            "chain",
            "sales.xlsx",
            "先筛选城市为北京或上海的订单，再按商品汇总销售额，取销售额最高的3个商品",
            table(["商品", "销售额"], top_groups(northern, "商品", total("销售额"), 3)),
            tolerance="cent",
            ordered=True,
        ),
        task(
            "chain",
            "staff.xlsx",
            "去掉职位为专员的员工，按部门计算平均月薪，并按平均月薪从高到低排序",
            table(["部门", "月薪"], top_groups(experts, "部门", mean("月薪"), 5)),
            tolerance="cent",
            ordered=True,
        ),
        task(
            "chain",
            "inventory.csv",
            "先删除重复行，再按仓库汇总入库和出库",
            grouped(once, {"仓库": "仓库"}, 入库=total("入库"), 出库=total("出库")),
        ),
        task(
            "chain",
            "contracts.csv",
            "华东区域2023年签约的合同金额合计",
            scalar(total("金额")(eastern)),
            tolerance="cent",
        ),
        task(
            "chain",
            "expenses.xlsx",
            "筛选已付款为是的记录，按申请人汇总申请金额，取前3名",
            table(["申请人", "申请金额"], top_groups(paid, "申请人", total("申请金额"), 3)),
            tolerance="cent",
            ordered=True,
        ),
        task(
            "chain",
            "tickets.xlsx",
            "filter reopened is yes, then total minutes by agent, sorted descending",
            table(["agent", "minutes"], top_groups(slow, "agent", total("minutes"), 4)),
            ordered=True,
        ),
    ]
