"""Tables of an office, as they truly are: staff, working hours, contracts, projects, expenses."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

Row = dict[str, Any]

DEPARTMENTS = ("研发部", "市场部", "销售部", "财务部", "人事部")
TITLES = ("专员", "主管", "经理")
REGIONS = ("华东", "华南", "华北", "西南", "NA")
STATES = ("进行中", "已完成", "已暂停", "未开始")
COSTS = ("差旅", "办公", "招待", "培训")
_SURNAMES, _GIVEN = "赵钱孙李周吴郑王冯陈褚卫", "明华丽强芳军敏静伟洋"


def staff() -> list[Row]:
    """Return 60 people; a few have no age on file."""
    rng = random.Random(201)
    names = rng.sample([surname + given for surname in _SURNAMES for given in _GIVEN], 60)
    return [
        {
            "工号": f"{number:04d}",
            "姓名": name,
            "部门": rng.choice(DEPARTMENTS),
            "职位": rng.choice(TITLES),
            "入职日期": dt.date(2015, 1, 1) + dt.timedelta(days=rng.randrange(3400)),
            "月薪": Decimal(rng.randrange(6_000, 40_000, 50)),
            "年龄": None if number % 15 == 0 else rng.randint(22, 58),
        }
        for number, name in enumerate(names, 1)
    ]


def hours() -> list[Row]:
    """Return 150 days of work by staff number; some hours are missing, some numbers are of nobody on file."""
    rng = random.Random(202)
    return [
        {
            "日期": dt.date(2024, 4, 1) + dt.timedelta(days=rng.randrange(91)),
            "工号": f"{rng.randint(1, 64):04d}",
            "工时": None if number % 12 == 0 else Decimal(rng.randrange(8, 25)) / 2,
            "加班": Decimal(rng.randrange(0, 9)) / 2,
        }
        for number in range(1, 151)
    ]


def contracts() -> list[Row]:
    """Return 80 contracts with an amount, a discount and a balance that may be negative."""
    rng = random.Random(203)
    return [
        {
            "合同号": f"{number:03d}",
            "区域": rng.choice(REGIONS),
            "签约日期": dt.date(2023, 1, 1) + dt.timedelta(days=rng.randrange(540)),
            "金额": Decimal(rng.randrange(50_000, 3_000_000)) / 100,
            "折扣": Decimal(rng.randrange(0, 31)) / 200,
            "余额": Decimal(rng.randrange(-50_000, 200_000)) / 100,
        }
        for number in range(1, 81)
    ]


def projects() -> list[Row]:
    """Return 40 projects, grouped by department as in a sheet with merged cells."""
    rng = random.Random(204)
    rows = []
    for number in range(40):
        budget = rng.randrange(50, 900)
        rows.append(
            {
                "部门": DEPARTMENTS[number // 8],
                "项目": f"项目{chr(65 + number % 26)}{number // 26 + 1}",
                "状态": rng.choice(STATES),
                "预算": budget,
                "实际": round(budget * rng.uniform(0.5, 1.3)),
                "开始日期": dt.date(2023, 1, 1) + dt.timedelta(days=rng.randrange(700)),
            }
        )
    return rows


def expenses() -> list[Row]:
    """Return 100 expense claims; what is not known stands as a dash in the sheet."""
    rng = random.Random(205)
    return [
        {
            "单据号": f"BX{number:04d}",
            "申请人": rng.choice([surname + "工" for surname in _SURNAMES[:8]]),
            "费用类型": rng.choice(COSTS),
            "申请日期": dt.date(2024, 1, 1) + dt.timedelta(days=rng.randrange(150)),
            "申请金额": Decimal(rng.randrange(5_000, 500_000)) / 100,
            "核准金额": None if number % 9 == 0 else Decimal(rng.randrange(4_000, 400_000)) / 100,
            "已付款": rng.choice(("是", "否")),
        }
        for number in range(1, 101)
    ]
