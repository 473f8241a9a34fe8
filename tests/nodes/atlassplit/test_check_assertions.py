from __future__ import annotations

from pathlib import Path
from typing import Any

from mindatlas.nodes.atlassplit.check_assertions import check_assertions
from mindatlas.nodes.atlassplit.execute import execute
from mindatlas.nodes.atlassplit.parts.asked import to_state
from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft
from mindatlas.nodes.atlassplit.parts.planner.plan import Refusal
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts, AtlasSplitSettings
from tests.sheets import BY_STORE, TOTAL_KEPT, ScriptedCodeWriter, make_parts, state_of

ROW_LOST = "result = df.iloc[1:].groupby('门店', as_index=False)['销售额'].sum()\n"


def checked(workbook: Path, code: str, parts: AtlasSplitParts | None = None) -> dict[str, Any]:
    parts = parts or make_parts(workbook.parent, ScriptedCodeWriter())
    state: Any = {**state_of(parts, workbook), "asked": to_state([TOTAL_KEPT]), "code": code}
    state |= execute(state, parts)
    return dict(check_assertions(state, parts))


def test_a_result_that_holds_passes(workbook: Path) -> None:
    update = checked(workbook, BY_STORE)
    assert update["passed"]
    assert [record["kind"] for record in update["assertions"]] == ["total_sum_match", "input_intact"]
    assert update["rounds"][0]["error_type"] is None


def test_a_difference_is_told_exactly(workbook: Path) -> None:
    update = checked(workbook, ROW_LOST)
    assert not update["passed"]
    assert update["findings"].startswith("✗ total_sum_match")
    assert "difference -100" in update["findings"]


def test_an_error_is_told_with_its_line(workbook: Path) -> None:
    update = checked(workbook, "x = 1\nresult = df['门店'].astype(float)")
    assert not update["passed"]
    assert update["assertions"] == []
    assert "> 2: result = df['门店'].astype(float)" in update["findings"]


def test_in_a_private_run_no_cell_value_is_told(workbook: Path) -> None:
    parts = make_parts(workbook.parent, ScriptedCodeWriter(), settings=AtlasSplitSettings(private=True))
    error = checked(workbook, "result = df['门店'].astype(float)", parts)
    assert "could not convert string to float" in error["findings"]
    assert "朝阳店" not in str(error)
    lost = checked(workbook, ROW_LOST, parts)
    assert "200" not in str(lost["findings"]) + str(lost["assertions"])


def agreeing(workbook: Path, second: str | CodeDraft, code: str) -> dict[str, Any]:
    return checked(
        workbook,
        code,
        make_parts(workbook.parent, ScriptedCodeWriter(), second_writer=ScriptedCodeWriter(second)),
    )


def test_two_writers_that_agree_are_told(workbook: Path) -> None:
    update = agreeing(workbook, BY_STORE, BY_STORE + "result = result.iloc[::-1]\n")
    assert update["passed"]
    assert update["assertions"][-1]["kind"] == "writers_agree"


def test_a_difference_between_two_writers_fails_the_round(workbook: Path) -> None:
    update = agreeing(workbook, BY_STORE, "result = df.groupby('门店', as_index=False)['销售额'].mean()\n")
    assert not update["passed"]
    assert not update["assertions"][-1]["passed"]


def test_a_second_writer_that_does_not_understand_is_no_check(workbook: Path) -> None:
    refusal = Refusal(kind="outside", about="", candidates=(), message="")
    update = agreeing(workbook, CodeDraft(refusal=refusal), BY_STORE)
    assert "writers_agree" not in {record["kind"] for record in update["assertions"]}
    assert update["passed"]


def test_the_second_writer_is_asked_once_a_run(workbook: Path) -> None:
    second = ScriptedCodeWriter(BY_STORE)
    parts = make_parts(workbook.parent, ScriptedCodeWriter(), second_writer=second)
    state: Any = {**state_of(parts, workbook), "code": BY_STORE}
    state |= execute(state, parts)
    state |= check_assertions(state, parts)
    assert check_assertions(state, parts)["assertions"][-1]["kind"] == "writers_agree"
    assert len(second.requests) == 1


def test_it_can_be_switched_off(workbook: Path) -> None:
    settings = AtlasSplitSettings(disabled=("check_assertions",))
    update = checked(workbook, ROW_LOST, make_parts(workbook.parent, ScriptedCodeWriter(), settings=settings))
    assert update["passed"]
    assert update["assertions"] == []
