from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from mindatlas.nodes.atlassplit.check_assertions import check_assertions
from mindatlas.nodes.atlassplit.choose_strategy import choose_strategy
from mindatlas.nodes.atlassplit.classify_error import classify_error
from mindatlas.nodes.atlassplit.execute import execute
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitSettings
from mindatlas.nodes.atlassplit.publish import publish
from tests.sheets import BY_STORE, ScriptedCodeWriter, make_parts, state_of

BY_SHEET = "result = {name: part for name, part in df.groupby('门店')}\n"


def published(workbook: Path, code: str, *, private: bool = False, **changes: Any) -> dict[str, Any]:
    parts = make_parts(workbook.parent, ScriptedCodeWriter(), settings=AtlasSplitSettings(private=private))
    state: Any = {**state_of(parts, workbook), "code": code, **changes}
    state |= execute(state, parts)
    state |= check_assertions(state, parts)
    if not state["passed"]:
        state |= {"status": "failed", "stop_reason": "rounds_used_up"}
    return dict(publish(state, parts))


def audit(workbook: Path, name: str = "sales.result") -> list[dict[str, Any]]:
    path = workbook.with_name(f"{name}.audit.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_beside_the_result_lie_its_program_and_its_audit(workbook: Path) -> None:
    update = published(workbook, BY_STORE)
    assert update["output"] == str(workbook.with_name("sales.result.xlsx"))
    assert workbook.with_name("sales.result.py").is_file()
    (line,) = audit(workbook)
    assert (line["status"], line["code"], line["outputs"][0]["path"]) == ("pass", BY_STORE, update["output"])


def test_a_default_name_never_takes_the_place_of_a_file(workbook: Path) -> None:
    first = published(workbook, BY_STORE)["output"]
    assert published(workbook, BY_STORE)["output"] == str(workbook.with_name("sales.result-2.xlsx"))
    assert Path(first).is_file()


def test_a_named_file_is_replaced_and_that_is_said(workbook: Path) -> None:
    out = workbook.with_name("out.xlsx")
    out.write_text("old")
    update = published(workbook, BY_STORE, save_as=str(out))
    assert load_workbook(out).worksheets[0]["A1"].value == "门店"
    assert any("was replaced" in notice for notice in update["notices"])


def test_a_program_of_the_users_own_is_never_replaced(workbook: Path) -> None:
    own = workbook.with_name("mine.py")
    own.write_text("result = df\n", encoding="utf-8")
    out = str(workbook.with_name("mine.xlsx"))
    for told in (
        ["'mine.py' is another file, so the program is in 'mine-2.py'."],
        [f"The existing {out!r} was replaced."],
    ):
        notices = published(workbook, BY_STORE, save_as=out)["notices"]
        assert set(told) <= set(notices)
    assert own.read_text(encoding="utf-8") == "result = df\n"
    assert sorted(path.name for path in workbook.parent.glob("*.py")) == ["mine-2.py", "mine.py"]


def test_files_that_are_replaced_in_a_folder_are_said(workbook: Path) -> None:
    out = str(workbook.with_name("out.xlsx"))
    folder = published(workbook, BY_SHEET, into_files=True, save_as=out)["output"]
    again = published(workbook, BY_SHEET, into_files=True, save_as=out)["notices"]
    assert [notice for notice in again if "replaced" in notice] == [
        f"The existing {str(Path(folder, name))!r} was replaced." for name in ("徐汇店.xlsx", "朝阳店.xlsx")
    ]


def test_a_failed_run_leaves_its_audit_only(workbook: Path) -> None:
    update = published(workbook, "result = df['nothing']")
    assert (update["status"], update["output"], update["result"]) == ("failed", None, None)
    assert audit(workbook)[0]["error"]["kind"] == "KeyError"
    assert not workbook.with_name("sales.result.xlsx").exists()


def test_a_run_goes_on_in_the_audit_that_it_began(workbook: Path) -> None:
    parts = make_parts(workbook.parent, ScriptedCodeWriter())
    state: Any = {**state_of(parts, workbook, run_id="r"), "code": "result = df['nothing']"}
    state |= execute(state, parts)
    state |= check_assertions(state, parts)
    state |= classify_error(state, parts)
    state |= choose_strategy(state, parts)
    state |= {"code": BY_STORE, "task": state["next_step"]}
    state |= execute(state, parts)
    state |= check_assertions(state, parts)
    state |= publish(state, parts)
    assert state["output"] == str(workbook.with_name("sales.result.xlsx"))
    told = [(line["run_id"], line["round"], line["status"]) for line in audit(workbook)]
    assert told == [("r", 1, None), ("r", 2, "pass")]


def test_an_audit_of_another_run_is_left_alone(workbook: Path) -> None:
    published(workbook, "result = df['nothing']", run_id="other")
    assert published(workbook, BY_STORE, run_id="r")["output"] == str(
        workbook.with_name("sales.result-2.xlsx")
    )
    assert [line["run_id"] for line in audit(workbook)] == ["other"]


def test_each_table_is_a_sheet_or_on_demand_a_file(workbook: Path) -> None:
    sheets = published(workbook, BY_SHEET)["output"]
    assert load_workbook(sheets).sheetnames == ["徐汇店", "朝阳店"]
    folder = Path(published(workbook, BY_SHEET, into_files=True)["output"])
    assert sorted(path.name for path in folder.iterdir()) == ["徐汇店.xlsx", "朝阳店.xlsx"]


def test_what_the_program_printed_is_told(workbook: Path) -> None:
    assert (
        "two cells were blank" in published(workbook, BY_STORE + "print('two cells were blank')\n")["notices"]
    )


@pytest.mark.parametrize("kind", [{"kind": "bar"}, {"type": "column"}])
def test_a_chart_is_drawn(workbook: Path, kind: dict[str, str]) -> None:
    chart = {**kind, "x": "门店", "y": "销售额", "title": "t"}
    update = published(workbook, f"{BY_STORE}chart = {chart!r}\n")
    assert len(load_workbook(update["output"]).worksheets[0]._charts) == 1  # type: ignore[attr-defined]
    assert not any("chart" in notice for notice in update["notices"])


def test_a_private_audit_holds_no_cell_value(workbook: Path) -> None:
    code = "result = df[df['门店'] == '朝阳店']\nprint('徐汇店')\n"
    update = published(workbook, code, private=True)
    text = workbook.with_name("sales.result.audit.jsonl").read_text(encoding="utf-8")
    assert "朝阳店" not in text
    assert audit(workbook)[0]["request"] is None
    assert "徐汇店" not in str(update["notices"])
    assert update["result"]["n_rows"] == 2


def test_the_stored_results_are_gone_afterwards(workbook: Path) -> None:
    published(workbook, BY_STORE)
    assert list((workbook.parent / "results").iterdir()) == []
