from __future__ import annotations

from pathlib import Path

import pytest

from mindatlas.nodes.atlassplit.parts.output_path import audit_path, free_path, output_path, script_path
from mindatlas.nodes.errors import UsageError


def test_the_default_lies_beside_the_first_workbook(tmp_path: Path) -> None:
    workbooks = [str(tmp_path / "a.csv"), str(tmp_path / "other" / "b.xlsx")]
    assert output_path(None, workbooks) == tmp_path / "a.result.xlsx"


@pytest.mark.parametrize("taken", ["a.result.xlsx", "a.result.audit.jsonl", "a.result.py", "a.result"])
def test_a_default_name_is_free_in_every_respect(tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).touch()
    assert output_path(None, [str(tmp_path / "a.xlsx")]) == tmp_path / "a.result-2.xlsx"


def test_a_named_output_is_taken_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.CSV"
    assert output_path(str(out), [str(tmp_path / "a.xlsx")]) == out
    assert audit_path(out) == tmp_path / "new" / "out.audit.jsonl"
    assert script_path(out) == tmp_path / "new" / "out.py"


@pytest.mark.parametrize("name", ["a.xlsx", "sub/../a.xlsx"])
def test_an_input_is_never_an_output(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="inputs are never changed"):
        output_path(str(tmp_path / name), [str(tmp_path / "a.xlsx")])


@pytest.mark.parametrize("name", ["out", "out.xls", "out.txt"])
def test_an_output_of_another_kind_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"must end in \.xlsx or \.csv"):
        output_path(str(tmp_path / name), [str(tmp_path / "a.xlsx")])


@pytest.mark.parametrize(
    ("name", "file"), [("7", "7.xlsx"), ("a/b:c", "a_b_c.xlsx"), ("..", "result.xlsx"), ("门店", "门店.xlsx")]
)
def test_a_name_becomes_a_file_name(tmp_path: Path, name: str, file: str) -> None:
    assert free_path(tmp_path, name) == tmp_path / file
