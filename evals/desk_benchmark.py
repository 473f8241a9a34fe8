"""`make bench-desk`: what the checks of a reply cost, beside a plain regex with json_repair in the same run.

    python -m mindatlas.evals.desk_benchmark [--repeats 20]

The replies are the cases of the bench, and long ones made here with a fixed seed: 4,000 characters over a result
of 200 rows. json_repair is no dependency; without it the peer is the regex alone.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from rich.console import Console
from rich.table import Table

from mindatlas.nodes.charts import mend_charts
from mindatlas.nodes.workdesk.parts.figure_masks import scan
from mindatlas.nodes.workdesk.parts.verify_reply_lines import verify_line

Line = dict[str, Any]
LIMIT_MS = 2.0
"""What all checks of a reply may take together."""

_PLAIN_CALL = re.compile(r"\b\w+\s*\([^)]*\)")
_BLOCK = re.compile(r"```(?:json|chart)?\n(.*?)(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table; times in milliseconds a reply."""

    what: str
    replies: int
    p50: float
    p95: float
    slowest: float


def cases() -> list[Line]:
    """Return the cases of replies that ship with the evaluation."""
    folder = files("mindatlas.evals").joinpath("cases", "workdesk")
    names = ("replies.jsonl", "replies_fresh.jsonl")
    return [
        json.loads(line)
        for name in names
        for line in folder.joinpath(name).read_text(encoding="utf-8").splitlines()
    ]


def long_replies(count: int, *, characters: int = 4000, rows: int = 200) -> list[Line]:
    """Return replies of about `characters` over results of `rows` orders, right ones and some that are not."""
    rng = random.Random(7)
    return [_long_reply(rng, number, characters, rows) for number in range(count)]


def _long_reply(rng: random.Random, number: int, characters: int, rows: int) -> Line:
    orders = [
        {
            "order_id": f"WO-202603{rng.randrange(1, 29):02}-{index:04}",
            "team_name": f"{rng.choice('东西南北')}区{rng.choice('一二三')}班",
            "status": rng.randrange(6),
            "minutes": rng.randrange(5, 900),
            "created": f"2026-03-{rng.randrange(1, 29):02} 10:00:00",
        }
        for index in range(rows)
    ]
    text = f"共 {rows} 单，合计 {sum(int(str(order['minutes'])) for order in orders)} 分钟。\n| 工单 | 班组 | 分钟 |\n|---|---|---|\n"
    for order in orders:
        text += f"| {order['order_id']} | {order['team_name']} | {order['minutes']} |\n"
        if len(text) > characters - 300:
            break
    labels, data = [order["order_id"] for order in orders[:6]], [order["minutes"] for order in orders[:6]]
    chart = {
        "type": "bar",
        "labels": labels,
        "series": [{"name": "分钟", "data": data[:5] if number % 3 else data}],
    }
    text += f"\n```chart\n{json.dumps(chart, ensure_ascii=False)}\n```\n"
    text += "其中 98765 单异常。" if number % 4 == 0 else "以上按编号列出。"
    content = json.dumps(
        {"code": 0, "msg": "ok", "data": {"list": orders, "total": rows}}, ensure_ascii=False
    )
    results = [{"tool": "order_list", "content": content}]
    return {"id": number, "reply": text, "tools": ["order_stat", "order_list"], "tool_results": results}


def checks(line: Line) -> None:
    """Make all checks of a reply: the verdict with its flags, and the charts."""
    scan.cache_clear()  # each reply is met once in real work
    verify_line(line)
    mend_charts(line["reply"])


def peer() -> tuple[str, Callable[[Line], None]]:
    """Return the peer and its name: a regex for calls, and json_repair on each block and result."""
    found = find_spec("json_repair") is not None
    repair: Callable[[str], Any] = import_module("json_repair").repair_json if found else str

    def work(line: Line) -> None:
        _PLAIN_CALL.findall(line["reply"])
        for block in _BLOCK.findall(line["reply"]) if found else ():
            repair(block)
        for result in line["tool_results"] if found else ():
            repair(str(result["content"]))

    return "regex + json_repair" if found else "regex alone (json_repair is not installed)", work


def measure(what: str, work: Callable[[Line], None], lines: Sequence[Line], repeats: int) -> Row:
    """Return the spread of the time that `work` takes for a line, each line's the middle one of `repeats`."""
    times = []
    for line in lines:
        work(line)
        taken = []
        for _ in range(repeats):
            started = time.perf_counter()
            work(line)
            taken.append((time.perf_counter() - started) * 1000)
        times.append(sorted(taken)[len(taken) // 2])
    times.sort()
    return Row(
        what=what,
        replies=len(times),
        p50=times[len(times) // 2],
        p95=times[int(len(times) * 0.95)],
        slowest=times[-1],
    )


def show(rows: Sequence[Row]) -> None:
    """Print the rows as a table."""
    table = Table(title=f"checks of a reply, ms (limit {LIMIT_MS:g})")
    for heading in ("what", "replies", "p50", "p95", "slowest"):
        table.add_column(heading)
    for row in rows:
        table.add_row(row.what, str(row.replies), f"{row.p50:.3f}", f"{row.p95:.3f}", f"{row.slowest:.3f}")
    Console().print(table)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    name, other = peer()
    sets = {"cases": cases(), "4,000 characters, 200 rows": long_replies(60)}
    show(
        [
            measure(f"{who}: {what}", work, lines, options.repeats)
            for what, lines in sets.items()
            for who, work in (("mindatlas", checks), (name, other))
        ]
    )


if __name__ == "__main__":
    main()
