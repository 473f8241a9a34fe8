"""The commands schema and precheck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.graphs.command import run
from tests.sheets import BY_STORE, write_workbook


@pytest.fixture
def workbook(tmp_path: Path, home: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")


def test_schema_tells_what_is_in_a_workbook(workbook: Path) -> None:
    assert "sheets['销售'], also df" in run("schema", workbook).out
    card = run("schema", workbook, "--json").json
    assert card["tables"][0]["columns"][0]["name"] == "门店"
    assert "朝阳店" not in run("schema", workbook, "--private").out
    assert run("schema", workbook.with_name("nowhere.xlsx")).code == 2


def test_precheck_tells_what_is_to_be_mended(workbook: Path, tmp_path: Path) -> None:
    program = tmp_path / "own.py"
    program.write_text("result = df['销售金额'].sum()\n", encoding="utf-8")
    done = run("precheck", program, "--workbook", workbook, "--json")
    assert set(done.json) == {"ok", "missing", "unknown", "suggestions", "lint", "feedback"}
    assert (done.code, done.json["missing"]) == (1, ["销售金额"])
    program.write_text(BY_STORE, encoding="utf-8")
    right = run("precheck", program, "--workbook", workbook)
    assert (right.code, right.out) == (0, "Nothing to mend.\n")
    assert run("precheck", program).code == 2


def test_precheck_takes_a_batch(tmp_path: Path) -> None:
    batch = tmp_path / "cases.jsonl"
    lines: list[dict[str, Any]] = [
        {"id": "a", "frames": {"df": ["x"]}, "code": "df['y']"},
        {"id": "b", "frames": {"df": ["x"]}, "code": "df['x']"},
        {"id": "c", "frames": ["x"], "code": ""},
    ]
    batch.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run("precheck", "--batch", batch)
    assert done.code == 1
    assert [line.get("missing") for line in done.lines] == [["y"], [], None]
