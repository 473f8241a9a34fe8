"""A run again from its audit, and what a private audit holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.graphs.command import run
from tests.sheets import write_workbook

REQUEST = "按门店汇总销售额"


@pytest.fixture
def workbook(tmp_path: Path, home: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")


def cells(path: str | Path) -> list[list[list[tuple[Any, str]]]]:
    """Return values and formats of all sheets."""
    return [
        [[(cell.value, cell.number_format) for cell in row] for row in sheet.iter_rows()]
        for sheet in load_workbook(path)
    ]


def audit_of(output: str) -> Path:
    path = Path(output)
    return path.with_name(f"{path.stem}.audit.jsonl")


def test_a_run_again_from_its_audit_is_the_same(workbook: Path) -> None:
    first = run("sheet", workbook, REQUEST, "--json").json
    again = run("sheet", "--from-audit", audit_of(first["output"]), "--json")
    assert (again.code, again.json["result"]) == (0, first["result"])
    assert again.json["output"] != first["output"]
    assert cells(again.json["output"]) == cells(first["output"])


def test_an_audit_whose_workbook_changed_is_not_run_again(workbook: Path) -> None:
    first = run("sheet", workbook, REQUEST, "--json").json
    write_workbook(workbook, [("a", "b"), (1, 2)])
    done = run("sheet", "--from-audit", audit_of(first["output"]))
    assert (done.code, "its content has changed" in done.err) == (2, True)


def test_a_moved_workbook_can_be_named(workbook: Path, tmp_path: Path) -> None:
    first = run("sheet", workbook, REQUEST, "--json").json
    moved = workbook.rename(tmp_path / "moved.xlsx")
    done = run("sheet", moved, "--from-audit", audit_of(first["output"]), "--json")
    assert (done.code, done.json["result"]) == (0, first["result"])


def test_a_split_into_files_is_split_again(workbook: Path) -> None:
    first = run("sheet", workbook, "按门店拆分到不同文件", "--json").json
    again = run("sheet", "--from-audit", workbook.with_name("sales.result.audit.jsonl"), "--json").json
    names = {path.name for path in Path(first["output"]).iterdir()}
    assert names == {path.name for path in Path(again["output"]).iterdir()} == {"朝阳店.xlsx", "徐汇店.xlsx"}


def test_a_private_run_keeps_cell_values_out_of_its_audit(workbook: Path) -> None:
    done = run("sheet", workbook, "门店是朝阳店的记录", "--private", "--json", "--model", "faulty:2")
    assert done.code == 0, done.err
    text = audit_of(done.json["output"]).read_text(encoding="utf-8")
    assert "朝阳店" not in text
    assert "徐汇店" not in text
    refused = run("sheet", "--from-audit", audit_of(done.json["output"]))
    assert (refused.code, "is private" in refused.err) == (2, True)
