from __future__ import annotations

from pathlib import Path
from typing import Any

from mindatlas.nodes.atlassplit.generate import generate
from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitSettings
from tests.sheets import BY_STORE, ScriptedCodeWriter, make_parts, state_of


def generated(
    workbook: Path, reply: str | CodeDraft, **changes: Any
) -> tuple[dict[str, Any], ScriptedCodeWriter]:
    writer = ScriptedCodeWriter(reply)
    parts = make_parts(workbook.parent, writer)
    state: Any = {**state_of(parts, workbook), **changes}
    return dict(generate(state, parts)), writer


def test_the_first_program_is_no_regeneration(workbook: Path) -> None:
    update, writer = generated(workbook, BY_STORE)
    assert (update["code"], update["precheck_regenerations"]) == (BY_STORE, 0)
    assert (writer.requests[0].task, writer.requests[0].feedback) == ("generate", "")


def test_what_the_precheck_found_goes_before_what_the_round_found(workbook: Path) -> None:
    mismatch = {"task": "repair_columns", "feedback": "no column", "code": "before"}
    update, writer = generated(
        workbook, BY_STORE, mismatch=mismatch, task="repair", feedback="a type", code="after"
    )
    (request,) = writer.requests
    assert (request.task, request.feedback, request.code) == ("repair_columns", "no column", "before")
    assert (update["regenerations"], update["precheck_regenerations"], update["code_before"]) == (
        1,
        1,
        "before",
    )


def test_a_given_program_is_kept_and_no_writer_asked(workbook: Path) -> None:
    update, writer = generated(workbook, "never", given_code="result = 1")
    assert update["code"] == "result = 1"
    assert writer.requests == []


def test_the_column_map_of_the_first_draft_stays_where_a_later_one_has_none(workbook: Path) -> None:
    update, _ = generated(workbook, BY_STORE, column_map={"金额": "销售额"})
    assert update["column_map"] == {"金额": "销售额"}


def test_a_notice_is_told_once(workbook: Path) -> None:
    update, _ = generated(workbook, CodeDraft(code=BY_STORE, notices=("a", "a")), notices=["a"])
    assert update["notices"] == ["a"]


def test_the_schema_card_can_be_kept_from_the_writer(workbook: Path) -> None:
    cases: tuple[tuple[Any, bool], ...] = (((), True), (("schema_card",), False))
    for disabled, shown in cases:
        writer = ScriptedCodeWriter(BY_STORE)
        settings = AtlasSplitSettings(disabled=disabled)
        parts = make_parts(workbook.parent, writer, settings=settings)
        state: Any = state_of(parts, workbook)
        generate(state, parts)
        assert writer.requests[0].card is shown
