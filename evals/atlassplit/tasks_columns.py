"""Tasks that change columns: cleaning, formulas, lookups."""

from __future__ import annotations

from fractions import Fraction

from mindatlas.evals.atlassplit import office_tables as office
from mindatlas.evals.atlassplit import other_tables as other
from mindatlas.evals.atlassplit import shop_tables as shop
from mindatlas.evals.atlassplit.reckoning import chosen, grouped, joined, total, without_repeats
from mindatlas.evals.atlassplit.task import Task, task


def tasks() -> list[Task]:
    """Return the tasks of the kinds cleaning, derived and lookup."""
    return [*_cleaning(), *_derived(), *_lookups()]


def _cleaning() -> list[Task]:
    sales, contracts, staff = shop.sales(), office.contracts(), office.staff()
    inventory, shipments = shop.inventory(), other.shipments()
    expenses = office.expenses()
    return [
        task(
            "cleaning",
            "sales.xlsx",
            "把销售额转换成数值",
            chosen(sales, ["订单号", "销售额"]),
            tolerance="cent",
        ),
        task(
            "cleaning",
            "contracts.csv",
            "把金额和余额转成数字",
            chosen(contracts, ["合同号", "金额", "余额"]),
            tolerance="cent",
        ),
        task("cleaning", "staff.xlsx", "把入职日期转换成日期格式", chosen(staff, ["工号", "入职日期"])),
        task(
            "cleaning",
            "inventory.csv",
            "删除重复的行",
            chosen(without_repeats(inventory), ["流水号", "货号", "入库", "出库"]),
        ),
        task("cleaning", "shipments.tsv", "将签收日期转换为日期", chosen(shipments, ["运单号", "签收日期"])),
        task(
            "cleaning",
            "expenses.xlsx",
            "把申请金额转为数字",
            chosen(expenses, ["单据号", "申请金额"]),
            tolerance="cent",
        ),
    ]


def _derived() -> list[Task]:
    quarters, inventory, projects = shop.quarters(), shop.inventory(), office.projects()
    scores, goods, contracts = other.scores(), shop.goods(), office.contracts()
    profit = [{**row, "Q1利润": row["Q1/收入"] - row["Q1/成本"]} for row in quarters]
    net = [{**row, "净入库": row["入库"] - row["出库"]} for row in inventory]
    left = [{**row, "剩余": row["预算"] - row["实际"]} for row in projects]
    rate = [{**row, "执行率": Fraction(row["实际"], row["预算"])} for row in projects]
    mark = [
        {
            **row,
            "总分": None if None in (row["数学"], row["英语"]) else row["语文"] + row["数学"] + row["英语"],
        }
        for row in scores
        if None not in (row["数学"], row["英语"])
    ]
    taxed = [{**row, "含税价": row["售价"] * 113 / 100} for row in goods]
    paid = [{**row, "折后金额": row["金额"] * (1 - row["折扣"])} for row in contracts]
    return [
        task(
            "derived",
            "quarters.xlsx",
            "新增一列Q1利润，等于Q1收入减去Q1成本",
            chosen(profit, ["门店", "Q1利润"]),
            tolerance="cent",
        ),
        task("derived", "inventory.csv", "新增列净入库=入库-出库", chosen(net, ["流水号", "净入库"])),
        task("derived", "projects.xlsx", "增加一列剩余，为预算减实际", chosen(left, ["项目", "剩余"])),
        task(
            "derived",
            "projects.xlsx",
            "新增一列执行率，等于实际除以预算",
            chosen(rate, ["项目", "执行率"]),
            tolerance="basis_point",
        ),
        task(
            "derived",
            "scores.xlsx",
            "筛选数学不为空且英语不为空的学生，新增列总分=语文+数学+英语",
            chosen(mark, ["学号", "总分"]),
        ),
        task(
            "derived",
            "contracts.csv",
            "新增一列折后金额=金额*(1-折扣)",
            chosen(paid, ["合同号", "折后金额"]),
            tolerance="cent",
        ),
        task(
            "derived",
            "orders.xlsx",
            "在商品表中新增列含税价=售价*1.13",
            chosen(taxed, ["商品编号", "含税价"]),
            tolerance="cent",
        ),
    ]


def _lookups() -> list[Task]:
    orders, goods = shop.orders(), shop.goods()
    staff, hours = office.staff(), office.hours()
    with_goods, with_staff = joined(orders, goods, "商品编号"), joined(hours, staff, "工号")
    sold = [{**row, "销售额": row["件数"] * row["售价"]} for row in with_goods if row["售价"] is not None]
    known = [row for row in with_goods if row["品类"] is not None]
    drinks = [row for row in with_goods if row["品类"] == "饮料"]
    placed = [row for row in with_staff if row["部门"] is not None]
    return [
        task(
            "lookup",
            "orders.xlsx",
            "根据商品编号从商品表匹配商品名称",
            chosen(with_goods, ["单号", "商品编号", "商品名称"]),
        ),
        task(
            "lookup",
            "orders.xlsx",
            "把商品表的售价按商品编号匹配到订单表",
            chosen(with_goods, ["单号", "售价"]),
            tolerance="cent",
        ),
        task(
            "lookup",
            "orders.xlsx",
            "按商品编号匹配品类，去掉品类为空的行，再按品类汇总件数",
            grouped(known, {"品类": "品类"}, 件数=total("件数")),
        ),
        task(
            "lookup",
            "orders.xlsx",
            "从商品表匹配品类，只保留品类为饮料的订单",
            chosen(drinks, ["单号", "品类"]),
        ),
        task(
            "lookup",
            "staff.xlsx",
            "在工时表中按工号从员工表匹配部门，排除部门为空的行，然后按部门汇总加班",
            grouped(placed, {"部门": "部门"}, 加班=total("加班")),
            tolerance="float64",
        ),
        task(
            "lookup",
            "orders.xlsx",
            "匹配商品的售价，去掉售价为空的行，新增列销售额=件数*售价，再按门店汇总销售额",
            grouped(sold, {"门店": "门店"}, 销售额=total("销售额")),
            tolerance="cent",
        ),
    ]
