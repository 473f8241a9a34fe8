"""The workbooks of AtlasSplit's tasks: each a table as it truly is, and what an office made of it."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from filelock import FileLock

from mindatlas.evals.atlassplit import office_tables, other_tables, shop_tables
from mindatlas.evals.atlassplit.writing import Look, Page, write_csv, write_workbook
from mindatlas.evals.code_version import hash_folders
from mindatlas.nodes.storage import ensure_folder, home

Write = Callable[[Path], None]


def _thousands(value: Decimal) -> str:
    return f"{value:,.2f}"


def _yuan(value: Decimal | None) -> str | None:
    return None if value is None else f"￥{value:,.2f}"


def _bracketed(value: Decimal | None) -> str | None:
    if value is None:
        return None
    return f"({-value:,.2f})" if value < 0 else f"{value:,.2f}"


def _percent(value: Decimal | None) -> str | None:
    return None if value is None else f"{value * 100:.1f}%"


def _chinese_day(value: dt.date | None) -> str | None:
    return None if value is None else f"{value.year}年{value.month}月{value.day}日"


def _dotted_day(value: Any) -> str | None:
    return value.strftime("%Y.%m.%d") if isinstance(value, dt.date) else value


def _month(value: dt.date) -> str:
    return value.strftime("%Y-%m")


def _dash(value: Decimal | None) -> Any:
    return "-" if value is None else value


def _sales(path: Path) -> None:
    rows = [{**row, "备注": None} for row in shop_tables.sales()]
    write_workbook(path, Page(name="销售明细", rows=rows, looks={"销售额": _thousands}))


def _orders(path: Path) -> None:
    targets = [{"门店": store, "目标": 1000 + 50 * at} for at, store in enumerate(shop_tables.STORES)]
    write_workbook(
        path,
        Page(name="订单", rows=shop_tables.orders()),
        Page(name="商品", rows=shop_tables.goods()),
        Page(name="目标", rows=targets, hidden=True),
    )


def _quarters(path: Path) -> None:
    rows = shop_tables.quarters()
    page = Page(
        name="季度报表",
        rows=rows,
        title="2024年门店收支表（单位：元）",
        two_levels=True,
        total=list(rows[0])[2:],
        note="备注：成本不含房租。",
    )
    write_workbook(path, page)


def _inventory(path: Path) -> None:
    page = Page(name="库存", rows=shop_tables.inventory())
    write_csv(path, page, encoding="utf-8-sig")


def _revenue(path: Path) -> None:
    page = Page(name="营收", rows=shop_tables.revenue(), looks={"月份": _month})
    write_workbook(path, page)


def _staff(path: Path) -> None:
    write_workbook(
        path,
        Page(name="员工", rows=office_tables.staff(), looks={"入职日期": _dotted_day}),
        Page(name="工时", rows=office_tables.hours()),
    )


def _contracts(path: Path) -> None:
    looks: dict[str, Look] = {"签约日期": _chinese_day, "金额": _yuan, "折扣": _percent, "余额": _bracketed}
    page = Page(
        name="合同",
        rows=office_tables.contracts(),
        looks=looks,
        total=["金额", "余额"],
        note="备注：余额为负表示预付。",
    )
    write_csv(path, page, encoding="gb18030", repeat_header=40)


def _projects(path: Path) -> None:
    page = Page(
        name="项目台账",
        rows=office_tables.projects(),
        title="项目台账（单位：万元）",
        merged="部门",
        total=["预算", "实际"],
    )
    write_workbook(path, page)


def _expenses(path: Path) -> None:
    looks: dict[str, Look] = {"申请金额": _yuan, "核准金额": _dash, "申请日期": _dotted_day}
    write_workbook(path, Page(name="报销", rows=office_tables.expenses(), looks=looks))


def _scores(path: Path) -> None:
    write_workbook(path, Page(name="成绩", rows=other_tables.scores(), title="期中考试成绩"))


def _tickets(path: Path) -> None:
    write_workbook(path, Page(name="tickets", rows=other_tables.tickets()))


def _survey(path: Path) -> None:
    page = Page(
        name="survey", rows=other_tables.survey(), looks={"monthly_spend": lambda value: f"${value:,.2f}"}
    )
    write_csv(path, page, encoding="utf-8", separator=";")


def _shipments(path: Path) -> None:
    page = Page(name="运单", rows=other_tables.shipments(), looks={"签收日期": _chinese_day})
    write_csv(path, page, encoding="gb18030", separator="\t")


WORKBOOKS: dict[str, Write] = {
    "sales.xlsx": _sales,
    "orders.xlsx": _orders,
    "quarters.xlsx": _quarters,
    "inventory.csv": _inventory,
    "revenue.xlsx": _revenue,
    "staff.xlsx": _staff,
    "contracts.csv": _contracts,
    "projects.xlsx": _projects,
    "expenses.xlsx": _expenses,
    "scores.xlsx": _scores,
    "tickets.xlsx": _tickets,
    "survey.csv": _survey,
    "shipments.tsv": _shipments,
}


def workbooks_folder() -> Path:
    """Return a folder that holds the workbooks, making them where they are missing.

    It lies in the cache under MINDATLAS_HOME, under a name that changes with the code that makes them.
    """
    version = hash_folders([Path(__file__).parent])[:12]
    folder = home() / "cache" / "bench_workbooks" / version
    ensure_folder(folder)
    with FileLock(f"{folder}.lock"):
        for name, write in WORKBOOKS.items():
            if not (folder / name).exists():
                part = folder / f"part.{name}"
                write(part)
                part.replace(folder / name)
    return folder


def workbook_hashes() -> dict[str, str]:
    """Return the SHA-256, in hex, of each workbook by name."""
    folder = workbooks_folder()
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in sorted(WORKBOOKS)}
