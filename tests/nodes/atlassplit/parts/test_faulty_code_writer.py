from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindatlas.nodes.atlassplit.parts.book_reader import BookReader
from mindatlas.nodes.atlassplit.parts.code_faults import FAULTS
from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft, CodeRequest
from mindatlas.nodes.atlassplit.parts.faulty_code_writer import FaultyCodeWriter
from mindatlas.nodes.atlassplit.parts.planner.plan import Refusal
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from tests.sheets import BY_STORE, ScriptedCodeWriter, write_workbook

# What mends each fault, and what says too little to.
TOLD = {
    "E1": ("df has no column '门项'; nearest: '门店'", "df has no column '门项'"),
    "E2": ("ValueError: could not convert string to float: '朝阳店'", "ValueError"),
    "E3": ("expected 200, actual 350, difference +150", "the total is off"),
    "E4": ("IndexError: single positional indexer is out-of-bounds", "an index"),
    "E5": ("the program left no `result`", "nothing"),
    "E6": ("import of 'requests' is not allowed", "an import is not allowed"),
    "E7": ("MemoryError", "a limit was hit"),
}


@pytest.fixture
def books(tmp_path: Path) -> Books:
    return BookReader(tmp_path / "cache").read([str(write_workbook(tmp_path / "sales.xlsx"))], "")


def written(books: Books, seed: int, findings: str = "") -> CodeDraft:
    request = CodeRequest(request="按门店汇总", books=books, feedback=findings)
    return FaultyCodeWriter(ScriptedCodeWriter(BY_STORE), seed).write(request)


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_the_first_program_has_its_fault_and_says_so(books: Books, kind: str) -> None:
    draft = written(books, int(kind[1]))
    assert draft.code != BY_STORE
    ast.parse(draft.code)
    assert draft.notices == (f"Simulated fault {kind}: {FAULTS[kind].name}.",)


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_it_is_mended_by_exactly_what_the_findings_hold(books: Books, kind: str) -> None:
    enough, too_little = TOLD[kind]
    assert written(books, int(kind[1]), enough).code == BY_STORE
    assert written(books, int(kind[1]), too_little).code != BY_STORE


def test_a_misnamed_column_is_misnamed_everywhere(books: Books) -> None:
    code = "x = df['门店']\ny = df.groupby('门店')\nz = '门店们'\n"
    assert FAULTS["E1"].spoil(code, books) == "x = df['门项']\ny = df.groupby('门项')\nz = '门店们'\n"


def test_a_program_without_columns_has_none_to_misname(books: Books) -> None:
    assert FAULTS["E1"].spoil("result = 1\n", books) == "result = 1\n"


def test_other_seeds_choose_with_the_request(books: Books) -> None:
    writer = FaultyCodeWriter(ScriptedCodeWriter(), 0)
    chosen = [writer.fault_for(f"request {number}") for number in range(40)]
    assert set(chosen) == set(FAULTS)
    assert chosen == [writer.fault_for(f"request {number}") for number in range(40)]


def test_a_refusal_is_no_program_to_break(books: Books) -> None:
    refusal = CodeDraft(refusal=Refusal(kind="outside", about="", candidates=(), message=""))
    request = CodeRequest(request="x", books=books)
    assert FaultyCodeWriter(ScriptedCodeWriter(refusal), 1).write(request) == refusal
