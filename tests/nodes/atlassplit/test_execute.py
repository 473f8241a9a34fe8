from __future__ import annotations

from pathlib import Path
from typing import Any

from mindatlas.nodes.atlassplit.execute import execute
from tests.sheets import BY_STORE, ScriptedCodeWriter, make_parts, state_of, write_workbook


def executed(workbook: Path, code: str, **changes: Any) -> dict[str, Any]:
    parts = make_parts(workbook.parent, ScriptedCodeWriter())
    state: Any = {**state_of(parts, workbook), "code": code, **changes}
    return dict(execute(state, parts))


def test_a_result_lies_in_a_file_and_the_state_says_where(workbook: Path) -> None:
    update = executed(workbook, BY_STORE)
    (table,) = update["execution"]["result"]["tables"]
    assert Path(table["path"]).is_file()
    assert (update["executions"], update["sandbox"]) == (1, "landlock")


def test_the_result_of_the_run_before_is_deleted(workbook: Path) -> None:
    first = executed(workbook, BY_STORE)
    executed(workbook, BY_STORE, execution=first["execution"])
    assert not Path(first["execution"]["result"]["tables"][0]["path"]).exists()


def test_an_error_is_data(workbook: Path) -> None:
    error = executed(workbook, "x = 1\nresult = df['a']")["execution"]["error"]
    assert (error["kind"], error["line"]) == ("KeyError", 2)


def test_a_program_without_a_result_has_an_error(workbook: Path) -> None:
    for code in ("result = None", "result = {}", "x = 1"):
        assert executed(workbook, code)["execution"]["error"]["kind"] == "no_result"


def test_a_changed_input_is_noticed(workbook: Path) -> None:
    assert executed(workbook, "df['销售额'] = 0\nresult = df")["execution"]["input_intact"] is False


def test_several_workbooks_are_seen_by_name(workbook: Path) -> None:
    other = write_workbook(workbook.with_name("other.xlsx"), [("门店", "目标"), ("朝阳店", 120)])
    parts = make_parts(workbook.parent, ScriptedCodeWriter())
    code = "result = len(books['other.xlsx']['销售']) + len(sheets)"
    state = state_of(parts, workbook, workbooks=[str(workbook), str(other)], code=code)
    update = execute(state, parts)
    assert update["execution"]["result"] == {"kind": "scalar", "tables": [], "value": 3}
