from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitSettings
from mindatlas.nodes.atlassplit.precheck import precheck
from tests.sheets import BY_STORE, ScriptedCodeWriter, make_parts, state_of

WRONG = BY_STORE.replace("销售额", "销售金额")


def checked(workbook: Path, code: str, *, disabled: tuple[Any, ...] = (), **changes: Any) -> dict[str, Any]:
    parts = make_parts(workbook.parent, ScriptedCodeWriter(), settings=AtlasSplitSettings(disabled=disabled))
    state: Any = {**state_of(parts, workbook), "code": code, **changes}
    return dict(precheck(state, parts))


def test_a_right_program_has_no_mismatch(workbook: Path) -> None:
    update = checked(workbook, BY_STORE)
    assert update == {"mismatch": None, "precheck": [{"missing": [], "unknown": [], "suggestions": {}}]}


def test_a_misnamed_column_is_told_with_the_real_ones(workbook: Path) -> None:
    update = checked(workbook, WRONG)
    assert update["mismatch"]["task"] == "repair_columns"
    assert "'销售额'" in update["mismatch"]["feedback"]
    assert update["precheck"][0]["suggestions"]["销售金额"][0]["column"] == "销售额"


@pytest.mark.parametrize(
    "code",
    [
        "result = (",
        "import socket\nresult = df",
        "total = df['销售额'].sum()",
        "small = df[['门店']]\nresult = small['销售额']",  # its name is right, the program lost it
        "result = df['xyzzy']",  # nothing is like it
    ],
)
def test_what_other_names_cannot_mend_is_free_to_change(workbook: Path, code: str) -> None:
    assert checked(workbook, code)["mismatch"]["task"] == "repair"


def test_a_repair_of_column_names_may_change_nothing_else(workbook: Path) -> None:
    more = BY_STORE.replace("sum", "mean")
    update = checked(workbook, more, task="repair_columns", feedback="no column 销售金额", code_before=WRONG)
    assert update["mismatch"]["task"] == "repair_columns"
    assert update["mismatch"]["code"] == WRONG
    assert "no column 销售金额" in update["mismatch"]["feedback"]
    assert "mean" in update["mismatch"]["feedback"]


def test_a_repair_of_column_names_alone_passes(workbook: Path) -> None:
    assert checked(workbook, BY_STORE, task="repair_columns", code_before=WRONG)["mismatch"] is None


def test_it_can_be_switched_off(workbook: Path) -> None:
    assert checked(workbook, WRONG, disabled=("precheck",)) == {"precheck": [], "mismatch": None}
