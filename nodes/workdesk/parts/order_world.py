"""The made-up company whose work orders the order server keeps: sites, teams, people, types. All invented.

It holds what real directories hold: a team's name that is part of another's (东区抢修组 and 东区抢修组一班), two
teams of one name at different sites, people who share a name.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

SITES: tuple[tuple[str, str], ...] = (
    ("S-01", "城东站"),
    ("S-02", "城西站"),
    ("S-03", "高新区站"),
    ("S-04", "滨江站"),
    ("S-05", "南郊站"),
    ("S-06", "北环站"),
)

Team = tuple[str, str, str, float]
TEAMS: tuple[Team, ...] = (
    ("T-011", "客户服务班", "S-01", 0.9),
    ("T-012", "客户服务班", "S-02", 0.7),
    ("T-017", "东区抢修组", "S-01", 1.5),
    ("T-018", "东区抢修组一班", "S-01", 1.1),
    ("T-021", "西区抢修组", "S-02", 1.4),
    ("T-024", "配电运维班", "S-03", 1.2),
    ("T-031", "滨江综合班", "S-04", 1.0),
    ("T-042", "南郊检修班", "S-05", 0.9),
    ("T-051", "应急保障队", "S-06", 0.5),
)
"""Team id, name, site id and how often orders go to it, relative to the others."""

_SERVICE, _FAULTS, _UPKEEP = ("CS", "MR", "NB"), ("RP",), ("MT", "IN")
LEANS: dict[str, tuple[str, ...]] = {
    "T-011": _SERVICE,
    "T-012": _SERVICE,
    "T-017": _FAULTS,
    "T-018": _FAULTS,
    "T-021": _FAULTS,
    "T-024": _UPKEEP,
    "T-031": (*_SERVICE, *_FAULTS, *_UPKEEP),
    "T-042": _UPKEEP,
    "T-051": _FAULTS,
}
"""Team id -> the types of orders that mostly go to it."""


@dataclass(frozen=True, kw_only=True)
class OrderType:
    """A kind of order.

    Attributes:
        share: how often it comes, relative to the others.
        due_hours: hours until it is due, by priority 1 to 3.
        hours: median hours of the work itself.
        titles: what an order of this kind may be about.
    """

    code: str
    name: str
    share: float
    due_hours: tuple[int, int, int]
    hours: float
    titles: tuple[str, ...]


TYPES: tuple[OrderType, ...] = (
    OrderType(
        code="RP",
        name="抢修",
        share=0.30,
        due_hours=(6, 12, 24),
        hours=3.0,
        titles=("线路跳闸", "配变故障", "低压断线", "电缆破损", "整栋停电"),
    ),
    OrderType(
        code="MT",
        name="检修",
        share=0.20,
        due_hours=(24, 48, 120),
        hours=18.0,
        titles=("开关柜检修", "变压器检修", "刀闸缺陷处理", "接地电阻整改"),
    ),
    OrderType(
        code="IN",
        name="巡检",
        share=0.17,
        due_hours=(24, 48, 72),
        hours=10.0,
        titles=("线路巡视", "配电房巡检", "电缆沟巡查", "夜间测温"),
    ),
    OrderType(
        code="CS",
        name="客户诉求",
        share=0.16,
        due_hours=(4, 12, 48),
        hours=6.0,
        titles=("电费疑问", "电压偏低", "缴费异常", "停电咨询", "催办答复"),
    ),
    OrderType(
        code="MR",
        name="计量",
        share=0.11,
        due_hours=(24, 72, 120),
        hours=16.0,
        titles=("电表更换", "表计校验", "采集失败", "互感器更换"),
    ),
    OrderType(
        code="NB",
        name="业扩报装",
        share=0.06,
        due_hours=(72, 168, 360),
        hours=90.0,
        titles=("新装接电", "增容申请", "临时用电", "充电桩接入"),
    ),
)

STATUSES: tuple[tuple[int, str], ...] = (
    (0, "新建"),
    (1, "已派单"),
    (2, "处理中"),
    (3, "已完成"),
    (4, "已关闭"),
    (5, "已取消"),
)
PRIORITIES: dict[int, str] = {1: "紧急", 2: "高", 3: "普通"}

_SURNAMES = "赵钱孙周吴郑冯陈蒋沈韩杨朱许何吕施张"
_GIVEN = (
    "伟",
    "敏",
    "磊",
    "静",
    "洋",
    "艳",
    "勇",
    "娟",
    "涛",
    "明",
    "超",
    "霞",
    "平",
    "刚",
    "建国",
    "志远",
    "海燕",
    "文博",
)


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody who works on orders; the name is drawn from lists of surnames and given names."""

    id: str
    name: str
    team_id: str


def people(seed: int) -> list[Person]:
    """Return the people of all teams, nine to sixteen each; the last two teams each have one of the same name."""
    draw = random.Random(f"{seed}:people")
    staff: list[Person] = []
    for team_id, *_ in TEAMS:
        for _ in range(draw.randint(9, 16)):
            name = draw.choice(_SURNAMES) + draw.choice(_GIVEN)
            staff.append(Person(id=f"P-{len(staff) + 101:04d}", name=name, team_id=team_id))
    return [
        *staff,
        *(Person(id=f"P-{900 + n:04d}", name="张建国", team_id=team[0]) for n, team in enumerate(TEAMS[-2:])),
    ]
