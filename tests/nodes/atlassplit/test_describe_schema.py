from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.atlassplit.describe_schema import UNCONFINED, describe_schema
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitSettings
from mindatlas.nodes.errors import FileReadError, UsageError
from tests.sheets import ScriptedCodeWriter, make_parts


def describe(workbook: Path, given: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    parts = make_parts(workbook.parent, ScriptedCodeWriter(), settings=AtlasSplitSettings(**settings))
    state: Any = {"workbooks": [str(workbook)], "request": "汇总", **(given or {})}
    return dict(describe_schema(state, parts))


def test_the_card_and_the_files_are_told(workbook: Path) -> None:
    described = describe(workbook)
    assert "sheets['销售'], also df" in described["schema"]
    assert described["files"][0]["path"] == str(workbook)
    assert "朝阳店" in described["schema"]


def test_a_private_card_holds_no_value(workbook: Path) -> None:
    schema = describe(workbook, private=True)["schema"]
    assert "朝阳店" not in schema
    assert "门店" in schema


def test_checked_assertions_of_an_earlier_run_are_no_new_ones(workbook: Path) -> None:
    asked = [{"kind": "row_count", "expected": 2}, {"kind": "row_count", "expected": 9, "passed": False}]
    assert [item["expected"] for item in describe(workbook, {"assertions": asked})["asked"]] == [2]


def test_a_given_program_runs_once_and_is_never_sent_back(workbook: Path) -> None:
    described = describe(workbook, {"given_code": "result = 1", "request": ""})
    assert (described["rounds_allowed"], described["regenerations_allowed"]) == (1, 0)


def test_faults_are_labelled_simulated(workbook: Path) -> None:
    assert "Simulated faults, not a language model." in describe(workbook, model="faulty:3")["notices"]


def test_a_run_without_a_boundary_says_so(workbook: Path) -> None:
    assert UNCONFINED in describe(workbook, sandbox="subprocess")["notices"]
    assert UNCONFINED not in describe(workbook)["notices"]


@pytest.mark.parametrize("request_", ["", "  ", "x" * 4001])
def test_a_request_that_is_none_is_refused(workbook: Path, request_: str) -> None:
    with pytest.raises(UsageError, match="request"):
        describe(workbook, {"request": request_})


def test_a_missing_file_is_named(workbook: Path) -> None:
    with pytest.raises(FileReadError, match=r"nowhere\.xlsx"):
        describe(workbook.with_name("nowhere.xlsx"))


@pytest.mark.parametrize("name", ["sales.xlsx", "result.docx"])
def test_an_output_that_cannot_be_is_refused_before_any_work(workbook: Path, name: str) -> None:
    with pytest.raises(UsageError):
        describe(workbook, {"save_as": str(workbook.with_name(name))})
