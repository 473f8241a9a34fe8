from __future__ import annotations

import csv
import hashlib
from collections import Counter
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from mindatlas.evals.atlassplit import shop_tables
from mindatlas.evals.atlassplit.workbooks import WORKBOOKS, workbook_hashes, workbooks_folder
from mindatlas.evals.atlassplit.write_cases import FOLDER, main
from mindatlas.evals.cases import read_cases
from mindatlas.evals.measures.atlassplit_tolerances import TOLERANCES


def test_the_case_files_are_what_the_tables_and_tasks_give(tmp_path: Path) -> None:
    main(tmp_path)
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert written == {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}


def test_there_are_120_tasks_over_13_workbooks_of_every_kind() -> None:
    cases = read_cases(sorted(FOLDER.glob("*.jsonl")))
    kinds = Counter(case.case_type for case in cases)
    assert len(cases) == 120
    assert len(kinds) == 16
    assert kinds["refusal"] == sum(bool(case.extra.get("must_refuse")) for case in cases) == 15
    assert {name for case in cases for name in case.extra["workbooks"]} == set(WORKBOOKS)
    assert {case.extra.get("tolerance", "exact") for case in cases} <= set(TOLERANCES)
    assert len({case.query for case in cases}) == 120


def test_workbooks_are_made_once_and_with_the_same_bytes(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashes = workbook_hashes()
    folder = workbooks_folder()
    assert set(hashes) == set(WORKBOOKS) == {path.name for path in folder.iterdir()}
    monkeypatch.setenv("MINDATLAS_HOME", str(tmp_path / "other"))
    assert workbook_hashes() == hashes


def test_a_sheet_holds_the_table_as_an_office_would_write_it(home: Path) -> None:
    sheet = openpyxl.load_workbook(workbooks_folder() / "sales.xlsx").active
    assert sheet is not None
    header, *rows = sheet.iter_rows(values_only=True)
    amounts = [Decimal(str(row[header.index("销售额")]).replace(",", "")) for row in rows]
    assert sum(amounts) == sum(row["销售额"] for row in shop_tables.sales())
    assert any("," in str(row[header.index("销售额")]) for row in rows)


def test_a_pasted_export_holds_a_second_header_a_total_and_a_note(home: Path) -> None:
    text = (workbooks_folder() / "contracts.csv").read_bytes().decode("gb18030")
    lines = list(csv.reader(text.splitlines()))
    assert lines[41] == lines[0]
    assert [lines[82][0], lines[84][0][:2]] == ["合计", "备注"]


def test_a_title_stands_over_a_header_of_two_levels(home: Path) -> None:
    sheet = openpyxl.load_workbook(workbooks_folder() / "quarters.xlsx").active
    assert sheet is not None
    assert {"A1:H1", "C2:D2", "A2:A3"} <= {str(area) for area in sheet.merged_cells.ranges}


def test_the_hashes_are_those_of_the_files(home: Path) -> None:
    name = "survey.csv"
    content = (workbooks_folder() / name).read_bytes()
    assert workbook_hashes()[name] == hashlib.sha256(content).hexdigest()
