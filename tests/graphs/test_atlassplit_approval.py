"""Approving programs before they run: waiting, declining, editing, and asking once for each program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from mindatlas.graphs.atlassplit import AtlasSplitSettings, build_atlassplit
from mindatlas.nodes.atlassplit.parts.rounds import sha256_of
from tests.sheets import BY_STORE, TOTAL_KEPT, ScriptedCodeWriter, make_parts, write_workbook

ROW_LOST = "result = df.iloc[1:].groupby('门店', as_index=False)['销售额'].sum()\n"
AS_FAR = ["describe_schema", "propose_assertions", "generate", "precheck", "approve"]


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")


class Approval:
    """A run that waits for approval, and its answers."""

    def __init__(self, workbook: Path, *script: str) -> None:
        self.writer = ScriptedCodeWriter(*script)
        parts = make_parts(
            workbook.parent, self.writer, TOTAL_KEPT, settings=AtlasSplitSettings(approve=True)
        )
        self.graph: Any = build_atlassplit(parts).compile(checkpointer=InMemorySaver())
        self.config: RunnableConfig = {"configurable": {"thread_id": "t"}}
        given: Any = {"workbooks": [str(workbook)], "request": "按门店汇总销售额"}
        self.graph.invoke(given, self.config)

    @property
    def question(self) -> dict[str, Any]:
        (asked,) = self.graph.get_state(self.config).interrupts
        return dict(asked.value)

    def answer(self, text: str) -> dict[str, Any]:
        resumed: Any = Command(resume=text)
        return dict(self.graph.invoke(resumed, self.config))


def test_approval_shows_the_program_and_waits(workbook: Path) -> None:
    run = Approval(workbook, BY_STORE)
    assert run.question["code"] == BY_STORE
    output = run.answer("yes")
    assert output["path"] == [*AS_FAR, "execute", "check_assertions", "publish"]
    assert output["status"] == "pass"


def test_declining_stops_before_the_run(workbook: Path) -> None:
    output = Approval(workbook, BY_STORE).answer("不同意")
    assert output["path"][-3:] == ["approve", "stop", "publish"]
    assert (output["status"], output["stop_reason"], output["executions"]) == ("stopped", "declined", 0)


def test_an_edited_program_runs_instead(workbook: Path) -> None:
    edited = "total = df['销售额'].sum()\nresult = pd.DataFrame({'销售额': [total]})"
    output = Approval(workbook, BY_STORE).answer(edited)
    assert output["code"] == f"{edited}\n"
    assert output["result"]["rows"] == [[200]]
    assert "The program was edited by the user before it ran." in output["notices"]


def test_an_answer_that_cannot_be_read_is_asked_again(workbook: Path) -> None:
    run = Approval(workbook, BY_STORE)
    run.answer("maybe")
    assert run.question["question"].startswith("The answer is none of")
    assert run.answer("好")["status"] == "pass"


def test_each_new_program_is_approved_once(workbook: Path) -> None:
    run = Approval(workbook, ROW_LOST, BY_STORE)
    run.answer("yes")
    assert run.question["code_sha256"] == sha256_of(BY_STORE)
    assert run.answer("yes")["status"] == "pass"
