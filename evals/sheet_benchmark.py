"""`make bench-sheet`: what AtlasSplit costs, beside plain pandas with openpyxl and a cold process in the same run.

    python -m mindatlas.evals.sheet_benchmark [--rows 100000] [--columns 20] [--repeats 5]

The workbook is made here, with a fixed seed. Everything runs with builtin settings: no model, no download.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from mindatlas.graphs.atlassplit import AtlasSplitSettings, build_atlassplit, open_parts
from mindatlas.nodes.atlassplit.parts.book_reader import inputs_of
from mindatlas.nodes.atlassplit.parts.precheck import precheck
from mindatlas.nodes.atlassplit.parts.precheck_view import frames_of
from mindatlas.nodes.atlassplit.parts.sandbox import Sandbox
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks

REQUEST = "按门店汇总销售额"
CODE = "result = df.groupby('门店', as_index=False, dropna=False)['销售额'].sum()\n"
COLD = "import pandas as pd; df = pd.read_parquet({path!r}); df.groupby(df.columns[0]).size()"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table; times in milliseconds, the middle one of the repeats."""

    what: str
    ours: float
    peer: float | None = None
    peer_name: str = ""


def median_ms(work: Callable[[], Any], repeats: int) -> float:
    """Return the middle one of the times that `work` takes, in milliseconds."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times)


def make_workbook(path: Path, rows: int, columns: int) -> Path:
    """Write sales with a store, a date, an amount stored as text, and further columns of numbers."""
    rng = random.Random(7)
    data: dict[str, list[Any]] = {
        "门店": [f"门店{rng.randrange(40):02}" for _ in range(rows)],
        "日期": [pd.Timestamp(2024, 1, 1) + pd.Timedelta(days=rng.randrange(365)) for _ in range(rows)],
        "销售额": [f"{rng.randrange(1000, 999900) / 100:,.2f}" for _ in range(rows)],
    }
    for number in range(columns - len(data)):
        data[f"指标{number + 1}"] = [rng.randrange(100000) / 10 for _ in range(rows)]
    pd.DataFrame(data).to_excel(path, index=False, engine="xlsxwriter")
    return path


def measure_reading(large: Path, folder: Path) -> list[Row]:
    """Return the time to read the large workbook into tables with their card, cold and from the cache."""
    cold = median_ms(lambda: read_workbooks([large], cache=folder / "cache"), 1)
    cached = median_ms(lambda: read_workbooks([large], cache=folder / "cache"), 3)
    peer = median_ms(lambda: pd.read_excel(large, engine="openpyxl"), 1)
    return [
        Row(
            what="reading and card, first time", ours=cold, peer=peer, peer_name="pandas + openpyxl, no card"
        ),
        Row(
            what="reading and card, from the cache",
            ours=cached,
            peer=peer,
            peer_name="pandas + openpyxl, no card",
        ),
    ]


def measure_small(small: Path, folder: Path, repeats: int) -> list[Row]:
    """Return the times of the steps on a small workbook: precheck, a run, the whole task."""
    books = read_workbooks([small], cache=folder / "cache")
    frames, inputs = frames_of(books), inputs_of(books)
    checking = median_ms(lambda: precheck(CODE, frames, convention=True), repeats)
    script = COLD.format(path=str(inputs.frames[inputs.active]))
    cold = median_ms(lambda: subprocess.run([sys.executable, "-c", script], check=True), min(repeats, 3))
    with Sandbox() as sandbox:
        started = median_ms(lambda: sandbox.run("result = 1", inputs), 1)
        running = median_ms(lambda: sandbox.run("result = len(df)", inputs), repeats)
    return [
        Row(what="precheck of a program", ours=checking),
        Row(what="first run in the sandbox", ours=started, peer=cold, peer_name="cold process"),
        Row(what="each further run in the sandbox", ours=running, peer=cold, peer_name="cold process"),
        measure_task(small, folder, repeats),
    ]


def measure_task(small: Path, folder: Path, repeats: int) -> Row:
    """Return the time of a whole task, beside the same three lines of pandas."""
    graph = build_atlassplit(open_parts(AtlasSplitSettings())).compile()
    given: Any = {"workbooks": [str(small)], "request": REQUEST, "save_as": str(folder / "result.xlsx")}
    output = graph.invoke(given)
    if output["status"] != "pass":
        raise SystemExit(f"the task did not pass: {output['stop_reason']} {output['notices']}")

    def by_hand() -> None:
        frame = pd.read_excel(small, engine="openpyxl")
        frame["销售额"] = frame["销售额"].str.replace(",", "").astype(float)
        frame.groupby("门店", as_index=False)["销售额"].sum().to_excel(folder / "by_hand.xlsx", index=False)

    ours = median_ms(lambda: graph.invoke(given), repeats)
    return Row(
        what="a whole task, warm", ours=ours, peer=median_ms(by_hand, repeats), peer_name="by hand, unchecked"
    )


def show(rows: list[Row], title: str) -> None:
    """Print the rows as a table."""
    table = Table(title=title)
    for heading in ("what", "mindatlas ms", "peer ms", "peer"):
        table.add_column(heading)
    for row in rows:
        peer = "" if row.peer is None else f"{row.peer:,.1f}"
        table.add_row(row.what, f"{row.ours:,.1f}", peer, row.peer_name)
    Console().print(table)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = make_workbook(folder / "small.xlsx", 240, 6)
        show(measure_small(small, folder, options.repeats), "240 rows x 6 columns")
        large = make_workbook(folder / "large.xlsx", options.rows, options.columns)
        show(measure_reading(large, folder), f"{options.rows:,} rows x {options.columns} columns")


if __name__ == "__main__":
    main()
