from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.atlassplit.check_assertions import check_assertions
from mindatlas.nodes.atlassplit.classify_error import classify_error
from mindatlas.nodes.atlassplit.execute import execute
from mindatlas.nodes.atlassplit.parts.asked import to_state
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitSettings
from tests.sheets import TOTAL_KEPT, ScriptedCodeWriter, make_parts, state_of


def classified(
    workbook: Path, code: str, *, private: bool = False, disabled: tuple[Any, ...] = (), **changes: Any
) -> dict[str, Any]:
    settings = AtlasSplitSettings(private=private, disabled=disabled)
    parts = make_parts(workbook.parent, ScriptedCodeWriter(), settings=settings)
    state: Any = {**state_of(parts, workbook), "asked": to_state([TOTAL_KEPT]), "code": code, **changes}
    state |= execute(state, parts)
    state |= check_assertions(state, parts)
    return dict(classify_error(state, parts))


@pytest.mark.parametrize(
    ("code", "error_type"),
    [
        ("result = df[chr(97)]", "E1"),
        ("result = df['门店'].astype(float)", "E2"),
        ("result = df.head(1)", "E3"),
        ("result = df.iloc[[99]]", "E4"),
        ("result = None", "E5"),
        ("import no_such_library\nresult = df", "E6"),
        ("padding = [0] * 10**11\nresult = df", "E7"),
    ],
)
def test_each_class_is_told_with_evidence(workbook: Path, code: str, error_type: str) -> None:
    update = classified(workbook, code)
    assert update["error_type"] == error_type
    assert update["evidence"]
    assert update["rounds"][-1]["error_type"] == error_type


def test_a_column_that_the_program_lost_is_not_misnamed(workbook: Path) -> None:
    assert classified(workbook, "result = df['销售金额']")["column_misnamed"] is True
    lost = classified(workbook, "result = df.rename(columns={'销售额': 'x'})['销售额']")
    assert (lost["error_type"], lost["column_misnamed"]) == ("E1", False)


def test_what_the_precheck_found_is_told_again(workbook: Path) -> None:
    mismatch = {"task": "repair", "feedback": "the real columns", "code": ""}
    assert classified(workbook, "result = df['a']", mismatch=mismatch)["findings"].endswith(
        "the real columns"
    )


def test_evidence_of_a_private_run_holds_no_cell_value(workbook: Path) -> None:
    update = classified(workbook, "result = df['门店'].astype(float)", private=True)
    assert "朝阳店" not in str(update)


def test_without_the_column_constraint_more_than_names_may_change(workbook: Path) -> None:
    update = classified(workbook, "result = df['销售金额']", disabled=("column_constraint",))
    assert (update["error_type"], update["column_misnamed"]) == ("E1", False)


def test_without_structured_feedback_only_what_python_says_is_told(workbook: Path) -> None:
    mismatch = {"task": "repair", "feedback": "the real columns", "code": ""}
    off: dict[str, Any] = {"disabled": ("structured_feedback",), "mismatch": mismatch}
    assert classified(workbook, "result = df['a']", **off)["findings"] == "KeyError: 'a'"
    assert classified(workbook, "result = df.head(1)", **off)["findings"] == "The result is wrong."


def test_without_structured_feedback_a_private_run_still_tells_no_cell_value(workbook: Path) -> None:
    code = "result = df['门店'].astype(float)"
    update = classified(workbook, code, private=True, disabled=("structured_feedback",))
    assert "朝阳店" not in update["findings"]
