from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from mindatlas.nodes.atlassplit.parts.book_reader import BookReader
from mindatlas.nodes.atlassplit.parts.code_writer import CodeRequest
from mindatlas.nodes.atlassplit.parts.planned_code_writer import PlannedAssertionWriter, PlannedCodeWriter
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from tests.sheets import write_workbook


@pytest.fixture
def books(tmp_path: Path) -> Books:
    return BookReader(tmp_path / "cache").read([str(write_workbook(tmp_path / "sales.xlsx"))], "")


def today() -> dt.date:
    return dt.date(2024, 6, 30)


def test_a_request_that_is_understood_has_a_program_a_plan_and_a_column_map(books: Books) -> None:
    draft = PlannedCodeWriter(today).write(CodeRequest(request="按门店汇总销售额", books=books))
    assert "result" in draft.code
    assert draft.column_map == {"门店": "门店", "销售额": "销售额"}
    assert draft.plan is not None
    assert draft.plan["operations"][0]["kind"] == "aggregate"


def test_a_column_that_is_missing_is_refused_with_candidates(books: Books) -> None:
    draft = PlannedCodeWriter(today).write(CodeRequest(request="按门店汇总利润", books=books))
    assert draft.refusal is not None
    assert (draft.refusal.kind, draft.refusal.about, draft.code) == ("missing_column", "利润", "")


def test_the_sum_of_groups_is_to_be_the_total(books: Books) -> None:
    kinds = {one.kind for one in PlannedAssertionWriter(today).propose("按门店汇总销售额", books)}
    assert "group_sums_match_total" in kinds


def test_nothing_follows_from_a_request_that_is_not_understood(books: Books) -> None:
    assert PlannedAssertionWriter(today).propose("写一首诗", books) == ()
