"""Tasks that must be refused or asked about: what is asked for is not there, is not clear, or contradicts itself."""

from __future__ import annotations

from mindatlas.evals.atlassplit.task import Task, refused


def tasks() -> list[Task]:
    """Return the tasks of the kind refusal."""
    return [
        refused("sales.xlsx", "按门店汇总利润", "there is no profit and no cost to compute it from"),
        refused("sales.xlsx", "按客户等级统计销售额", "there is no such column"),
        refused("sales.xlsx", "列出深圳湾店的订单", "there is no such store"),
        refused("sales.xlsx", "2025年的销售额合计", "the data end in June 2024"),
        refused("sales.xlsx", "数量大于30且小于10的订单", "the conditions contradict each other"),
        refused("sales.xlsx", "各门店销售额的同比增长率", "there is no earlier year, and no period is named"),
        refused("orders.xlsx", "把订单按会员号匹配会员等级", "there is no table of members"),
        refused("orders.xlsx", "按商品编号求平均值", "codes are not numbers, and no figure is named"),
        refused("staff.xlsx", "统计各部门的奖金总额", "there is no bonus"),
        refused("staff.xlsx", "工号的总和是多少", "identifiers are not added up"),
        refused("scores.xlsx", "各班级的平均分", "three subjects: it is not said which"),
        refused("quarters.xlsx", "按城市汇总Q4收入", "there are only three quarters"),
        refused("tickets.xlsx", "total cost by agent", "there is no cost"),
        refused("survey.csv", "average rating of customers in Atlantis", "there is no such country"),
        refused("revenue.xlsx", "预测下个月的营收", "a forecast is no figure of the table"),
    ]
