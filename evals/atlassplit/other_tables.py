"""Tables of a school, a help desk, a survey and a carrier, as they truly are."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

Row = dict[str, Any]

CLASSES = ("一班", "二班", "三班")
AGENTS = ("Amy", "Ben", "Chen", "Dora")
PRIORITIES = ("low", "medium", "high")
COUNTRIES = ("Germany", "Japan", "Brazil", "Kenya", "Canada")
PLANS = ("Free", "Basic", "Pro")
CARRIERS = ("顺丰", "中通", "京东")
CITIES = ("北京", "上海", "广州", "成都")


def scores() -> list[Row]:
    """Return the marks of 90 pupils; who was absent has none."""
    rng = random.Random(301)
    return [
        {
            "学号": f"2024{number:03d}",
            "姓名": f"学生{number:02d}",
            "班级": rng.choice(CLASSES),
            "性别": rng.choice(("男", "女")),
            "语文": rng.randint(45, 100),
            "数学": None if number % 20 == 0 else rng.randint(30, 100),
            "英语": None if number % 33 == 0 else rng.randint(40, 100),
        }
        for number in range(1, 91)
    ]


def tickets() -> list[Row]:
    """Return 140 support tickets of 2023 and 2024."""
    rng = random.Random(302)
    return [
        {
            "ticket_id": f"T-{number:04d}",
            "opened": dt.date(2023, 6, 1) + dt.timedelta(days=rng.randrange(390)),
            "agent": rng.choice(AGENTS),
            "priority": rng.choice(PRIORITIES),
            "minutes": rng.randint(5, 480),
            "reopened": rng.choice(("yes", "no", "no", "no")),
        }
        for number in range(1, 141)
    ]


def survey() -> list[Row]:
    """Return 130 answers; some gave no rating."""
    rng = random.Random(303)
    return [
        {
            "respondent": f"R{number:03d}",
            "country": rng.choice(COUNTRIES),
            "plan": rng.choice(PLANS),
            "rating": None if number % 14 == 0 else rng.randint(1, 10),
            "monthly_spend": Decimal(rng.randrange(0, 20_000)) / 100,
        }
        for number in range(1, 131)
    ]


def shipments() -> list[Row]:
    """Return 110 parcels; the time of signing is missing where a parcel is still under way."""
    rng = random.Random(304)
    rows = []
    for number in range(1, 111):
        sent = dt.date(2024, 3, 1) + dt.timedelta(days=rng.randrange(92))
        rows.append(
            {
                "运单号": f"YD{number:06d}",
                "承运商": rng.choice(CARRIERS),
                "目的地": rng.choice(CITIES),
                "发货日期": sent,
                "签收日期": None if number % 11 == 0 else sent + dt.timedelta(days=rng.randint(1, 6)),
                "重量": Decimal(rng.randrange(20, 3_000)) / 100,
                "运费": Decimal(rng.randrange(800, 9_000)) / 100,
            }
        )
    return rows
