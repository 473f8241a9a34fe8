"""A desk of made-up orders in memory, and the whole way of a question over it without graph, server or checks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.builtin_planner import BuiltinPlanner
from mindatlas.nodes.workdesk.parts.builtin_reply_writer import BuiltinReplyWriter
from mindatlas.nodes.workdesk.parts.calls import RawCall, ToolResult
from mindatlas.nodes.workdesk.parts.planning import PlanRequest, ReplyRequest
from tests.nodes.workdesk.parts.asking_desk import DIRECTORIES, TODAY
from tests.nodes.workdesk.parts.desk_cards import brought, desk_cards

CLOCKS = {1: ("创建时间", "creation time"), 2: ("完成时间", "finish time")}


@dataclass(frozen=True, kw_only=True)
class Order:
    team: str
    type: str
    status: int
    priority: int
    created: date
    finished: date | None


def _orders() -> Iterator[Order]:
    """Yield 600 orders of the half year before `TODAY`."""
    drawn = random.Random(7)
    for _ in range(600):
        created = TODAY - timedelta(days=drawn.randrange(180))
        status = drawn.choices([0, 1, 2, 3, 4, 5], [5, 5, 10, 40, 30, 10])[0]
        finished = created + timedelta(days=drawn.randrange(20)) if status in {3, 4} else None
        yield Order(
            team=drawn.choice(DIRECTORIES["team_list"][1]), type=drawn.choice(DIRECTORIES["type_dict"][1]),
            status=status, priority=drawn.choice([1, 2, 3]), created=created, finished=finished,
        )  # fmt: skip


ORDERS = list(_orders())


def count(keep: Callable[[Order], bool], since: str, until: str, clock: str = "created") -> int:
    """Return how many orders fit, counted without any of the code under test."""
    first, last = date.fromisoformat(since), date.fromisoformat(until)
    days = ((order, getattr(order, clock)) for order in ORDERS)
    return sum(day is not None and first <= day <= last and keep(order) for order, day in days)


def _fits(order: Order, args: Mapping[str, Any]) -> bool:
    day = order.created if args.get("time_type", 1) == 1 else order.finished
    if day is None or not args["start_time"][:10] <= day.isoformat() <= args["end_time"][:10]:
        return False
    asked = {
        "team_id": order.team,
        "type_code": order.type,
        "status": order.status,
        "priority": order.priority,
    }
    return all(args.get(name) in (None, value) for name, value in asked.items())


def _statistics(args: Mapping[str, Any]) -> list[dict[str, Any]]:
    fitting = [order for order in ORDERS if _fits(order, args)]
    group = args.get("group_by", "none")
    if group == "none":
        return [{"key": "", "name": "", "cnt": len(fitting)}]
    keys = Counter(str(getattr(order, group)) for order in fitting)
    return [{"key": f"K-{key}", "name": key, "cnt": number} for key, number in sorted(keys.items())]


def _made(call: RawCall, *, english: bool) -> Iterator[ToolResult]:
    """Yield the result, and for a count without a clock the one by the other clock, as the graph does."""
    args = dict(call["args"])
    if call["tool"] in DIRECTORIES:
        column, names = DIRECTORIES[call["tool"]]
        rows = [{column: name} for name in names if args.get("keyword", "") in name]
        yield brought(call["tool"], rows, id=call["id"], args=args)
        return
    for clock in [args["time_type"]] if "time_type" in args else [1, 2]:
        name = call["id"] if clock == args.get("time_type", 1) else f"{call['id']}-{clock}"
        given = {**args, "time_type": clock}
        yield brought(call["tool"], _statistics(given), id=name, args=given, clock=CLOCKS[clock][english])


def answer(question: str, *history: str) -> str:
    """Return the reply to a question that the planner understands."""
    turns = [{"role": "user", "content": said} for said in history]
    results: list[ToolResult] = []
    language = language_of(question)
    more = True
    while more:
        plan = BuiltinPlanner().plan(
            PlanRequest(question=question, today=TODAY, tools=desk_cards(), history=turns, results=results)
        )
        assert not plan.refusal, plan.refusal
        for call in plan.calls:
            results += _made(call, english=language == "en")
        more = plan.more
    return BuiltinReplyWriter().reply(
        ReplyRequest(
            question=question, language=language, today=TODAY, tools=desk_cards(), history=turns, results=results
        )
    )  # fmt: skip
