"""The paths of AtlasSplit: which way each kind of failure goes, and why a run stops."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from mindatlas.graphs import atlassplit
from mindatlas.graphs.atlassplit import AtlasSplitParts, AtlasSplitSettings, build_atlassplit
from mindatlas.nodes.atlassplit.parts.chat_code_writer import ChatCodeWriter
from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft
from mindatlas.nodes.atlassplit.parts.faulty_code_writer import FaultyCodeWriter
from mindatlas.nodes.atlassplit.parts.planned_code_writer import PlannedCodeWriter
from mindatlas.nodes.atlassplit.parts.planner.plan import Refusal
from mindatlas.nodes.atlassplit.parts.rounds import sha256_of
from tests.scripted import ScriptedChatModel
from tests.sheets import BY_STORE, TOTAL_KEPT, ScriptedCodeWriter, make_parts, write_workbook

START = ["describe_schema", "propose_assertions"]
WRITE = ["generate", "precheck"]
RUN = ["execute", "check_assertions"]
FAIL = ["classify_error", "choose_strategy"]

WRONG_COLUMN = BY_STORE.replace("销售额", "销售金额")
TEXT_AS_NUMBER = "result = df['门店'].astype(float).to_frame()\n"
ROW_LOST = "result = df.iloc[1:].groupby('门店', as_index=False)['销售额'].sum()\n"
ROW_LOST_TOO = "result = df.iloc[:-1].groupby('门店', as_index=False)['销售额'].sum()\n"
PAST_THE_END = "result = df.iloc[[99]]\n"
FORBIDDEN = "import no_such_library\nresult = df\n"
FORBIDDEN_TOO = "import no_such_library_either\nresult = df\n"
TOO_BIG = "padding = [0] * 10**11\nresult = df\n"
TOO_BIG_TOO = "padding = [1] * 10**11\nresult = df\n"


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")


def run(
    workbook: Path, *script: str | CodeDraft, **settings: Any
) -> tuple[dict[str, Any], ScriptedCodeWriter]:
    writer = ScriptedCodeWriter(*script)
    parts = make_parts(workbook.parent, writer, TOTAL_KEPT, settings=AtlasSplitSettings(**settings))
    return invoke(parts, workbook), writer


def invoke(parts: AtlasSplitParts, workbook: Path) -> dict[str, Any]:
    given: Any = {"workbooks": [str(workbook)], "request": "按门店汇总销售额"}
    return dict(build_atlassplit(parts).compile().invoke(given))


def test_a_clean_pass(workbook: Path) -> None:
    output, _ = run(workbook, BY_STORE)
    assert output["path"] == [*START, *WRITE, *RUN, "publish"]
    assert (output["status"], output["stop_reason"], output["executions"]) == ("pass", "passed", 1)
    assert output["result"] == {
        "kind": "table",
        "columns": ["门店", "销售额"],
        "rows": [["徐汇店", 50], ["朝阳店", 150]],
        "n_rows": 2,
    }
    assert Path(output["output"]).is_file()


def test_a_wrong_column_is_caught_before_it_runs(workbook: Path) -> None:
    output, writer = run(workbook, WRONG_COLUMN, BY_STORE)
    assert output["path"] == [*START, *WRITE, *WRITE, *RUN, "publish"]
    assert (output["executions"], output["precheck_regenerations"]) == (1, 1)
    assert output["precheck"][0]["missing"] == ["销售金额"]
    assert writer.tasks == ["generate", "repair_columns"]
    assert "'销售额'" in writer.requests[1].feedback


def test_a_mismatch_runs_anyway_after_two_regenerations(workbook: Path) -> None:
    output, _ = run(workbook, WRONG_COLUMN, WRONG_COLUMN, WRONG_COLUMN, BY_STORE)
    assert output["path"] == [*START, *WRITE, *WRITE, *WRITE, *RUN, *FAIL, "repair", *WRITE, *RUN, "publish"]
    assert output["rounds"][0]["error_type"] == "E1"
    assert output["precheck_regenerations"] == 2


def test_a_type_error_is_repaired(workbook: Path) -> None:
    output, writer = run(workbook, TEXT_AS_NUMBER, BY_STORE)
    assert output["path"] == [*START, *WRITE, *RUN, *FAIL, "repair", *WRITE, *RUN, "publish"]
    assert [round_["error_type"] for round_ in output["rounds"]] == ["E2", None]
    assert writer.tasks == ["generate", "repair"]
    assert "could not convert" in writer.requests[1].feedback


def test_a_logic_error_is_told_with_its_difference(workbook: Path) -> None:
    output, writer = run(workbook, ROW_LOST, BY_STORE)
    assert output["rounds"][0]["error_type"] == "E3"
    assert "expected 200, actual 100, difference -100" in writer.requests[1].feedback
    assert output["status"] == "pass"


def test_a_logic_error_twice_changes_the_strategy(workbook: Path) -> None:
    output, writer = run(workbook, ROW_LOST, ROW_LOST_TOO, BY_STORE)
    assert output["path"][-7:] == [*FAIL, "change_strategy", *WRITE, *RUN, "publish"][-7:]
    assert writer.tasks == ["generate", "repair", "change_strategy"]
    assert len(writer.requests[2].failed_approaches) == 2
    assert output["status"] == "pass"


def test_the_same_wrong_program_changes_the_strategy_at_once_and_then_stops(workbook: Path) -> None:
    output, writer = run(workbook, ROW_LOST, ROW_LOST, ROW_LOST, rounds=5)
    assert writer.tasks == ["generate", "repair", "change_strategy"]
    assert (output["status"], output["stop_reason"]) == ("stopped", "same_code")


def test_a_repair_that_oversteps_is_sent_back(workbook: Path) -> None:
    overstepped = BY_STORE.replace("sum", "max")
    output, writer = run(workbook, WRONG_COLUMN, overstepped, BY_STORE)
    assert writer.tasks == ["generate", "repair_columns", "repair_columns"]
    assert (output["executions"], output["precheck_regenerations"]) == (1, 2)
    assert writer.requests[2].code == WRONG_COLUMN


def test_the_same_program_under_another_error_stops(workbook: Path) -> None:
    output, _ = run(workbook, PAST_THE_END, PAST_THE_END, rounds=5)
    assert [round_["error_type"] for round_ in output["rounds"]] == ["E4", "E4"]
    assert (output["status"], output["stop_reason"]) == ("stopped", "same_code")


def test_a_forbidden_import_twice_stops(workbook: Path) -> None:
    output, writer = run(workbook, FORBIDDEN, FORBIDDEN_TOO, rounds=5, regenerations=0)
    assert writer.tasks == ["generate", "repair"]
    assert [round_["error_type"] for round_ in output["rounds"]] == ["E6", "E6"]
    assert output["status"] == "stopped"
    assert output["output"] is None


def test_too_big_twice_is_optimized(workbook: Path) -> None:
    output, writer = run(workbook, TOO_BIG, TOO_BIG_TOO, BY_STORE)
    assert writer.tasks == ["generate", "repair", "optimize"]
    assert [round_["error_type"] for round_ in output["rounds"]] == ["E7", "E7", None]
    assert output["status"] == "pass"


def test_rounds_that_are_used_up_have_failed(workbook: Path) -> None:
    output, _ = run(workbook, ROW_LOST, TEXT_AS_NUMBER, rounds=2)
    assert (output["status"], output["executions"]) == ("failed", 2)
    assert output["path"][-2:] == ["stop", "publish"]
    assert output["result"] is None


@pytest.mark.parametrize("budget", ["token_budget", "cost_budget", "time_budget_s"])
def test_each_budget_has_its_own_stop_reason(workbook: Path, budget: str) -> None:
    model = ScriptedChatModel(replies=[f"```python\n{ROW_LOST}```"])
    settings = AtlasSplitSettings(**{budget: 1e-9 if budget == "time_budget_s" else 1})  # type: ignore[arg-type]
    parts = make_parts(workbook.parent, ChatCodeWriter(model), TOTAL_KEPT, settings=settings)
    output = invoke(parts, workbook)
    assert output["path"][-3:] == ["choose_strategy", "stop", "publish"]
    assert (output["status"], output["stop_reason"]) == ("stopped", budget.removesuffix("_s"))
    assert output["usage"]["output_tokens"] > 0


def test_a_chat_model_is_told_the_difference_and_mends_its_program(workbook: Path) -> None:
    model = ScriptedChatModel(replies=[f"```python\n{ROW_LOST}```", f"```python\n{BY_STORE}```"])
    parts = make_parts(workbook.parent, ChatCodeWriter(model), TOTAL_KEPT)
    output = invoke(parts, workbook)
    assert output["status"] == "pass"
    assert "expected 200, actual 100, difference -100" in model.prompts[1]
    audit = workbook.with_name("sales.result.audit.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["tokens"]["output"] > 0 for line in audit] == [True, True]


@pytest.mark.parametrize("seed", range(1, 8))
def test_each_simulated_fault_is_found_and_mended(workbook: Path, seed: int) -> None:
    planned = PlannedCodeWriter(AtlasSplitSettings().day)
    parts = make_parts(workbook.parent, FaultyCodeWriter(planned, seed), TOTAL_KEPT)
    output = invoke(parts, workbook)
    caught_early = seed in (1, 6)  # before the program ran
    assert (output["status"], output["executions"]) == ("pass", 1 if caught_early else 2)
    assert output["precheck_regenerations"] == int(caught_early)
    assert output["rounds"][0]["error_type"] == (None if caught_early else f"E{seed}")
    assert sum("Simulated fault" in notice for notice in output["notices"]) == 1


def test_a_refusal_ends_without_a_run(workbook: Path) -> None:
    refusal = Refusal(kind="missing_column", about="利润", candidates=("销售额",), message="没有这一列")
    output, _ = run(workbook, CodeDraft(refusal=refusal))
    assert output["path"] == [*START, "generate", "refuse", "publish"]
    assert output["refusal"] == {"kind": "missing_column", "about": "利润", "candidates": ["销售额"]}
    assert (output["status"], output["stop_reason"], output["executions"]) == ("stopped", "refused", 0)
    assert "没有这一列" in output["notices"]


def test_the_input_files_stay_as_they_are(workbook: Path) -> None:
    before = hashlib.sha256(workbook.read_bytes()).hexdigest()
    output, _ = run(workbook, "df['销售额'] = 0\nresult = df\n", BY_STORE)
    assert hashlib.sha256(workbook.read_bytes()).hexdigest() == before
    assert output["rounds"][0]["error_type"] == "E3"


def test_the_drawing_has_every_rule() -> None:
    edges = {(edge.source, edge.target) for edge in atlassplit.graph.get_graph().edges}
    assert {
        ("generate", "refuse"),
        ("precheck", "generate"),
        ("precheck", "approve"),
        ("approve", "stop"),
        ("check_assertions", "classify_error"),
        ("choose_strategy", "repair"),
        ("choose_strategy", "change_strategy"),
        ("choose_strategy", "optimize"),
        ("choose_strategy", "stop"),
        ("stop", "publish"),
        ("refuse", "publish"),
    } <= edges


def test_node_files_and_node_ids_are_the_same() -> None:
    folder = Path(atlassplit.__file__).resolve().parent.parent / "nodes" / "atlassplit"
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == set(atlassplit.graph.nodes) - {"__start__"}


@pytest.mark.parametrize(
    ("state", "following"),
    [
        ({"mismatch": {}, "regenerations": 1, "approval_wanted": True}, "generate"),
        ({"mismatch": {}, "regenerations": 2, "approval_wanted": True}, "approve"),
        ({"mismatch": {}, "regenerations": 2, "approval_wanted": False}, "execute"),
        ({"mismatch": None, "regenerations": 0, "approval_wanted": True}, "approve"),
        (
            {"mismatch": None, "regenerations": 0, "approval_wanted": True, "approved": [sha256_of("x")]},
            "execute",
        ),
    ],
)
def test_after_the_precheck(state: dict[str, Any], following: str) -> None:
    given = {"regenerations_allowed": 2, "approved": [], "code": "x", **state}
    assert atlassplit.route_after_precheck(given) == following
