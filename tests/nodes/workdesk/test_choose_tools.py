"""The first node: tools for the question, and nothing left of the question before."""

from __future__ import annotations

from typing import Any

import pytest

from mindatlas.graphs.workdesk import WorkdeskState
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.choose_tools import choose_tools
from tests.desk import ScriptedPlanner, ScriptedWriter, TableAccess, make_parts

KEPT = {"history", "path", "timings_ms", "usage"}


def run(**state: Any) -> dict[str, Any]:
    parts = make_parts(ScriptedPlanner(), ScriptedWriter(), **state.pop("settings", {}))
    return dict(choose_tools({"question": "上个月新增了多少工单？", **state}, parts))  # type: ignore[typeddict-item]


def test_every_key_of_the_state_is_set_anew() -> None:
    assert set(run()) == set(WorkdeskState.__annotations__) - KEPT


def test_the_chosen_are_names_of_tools_and_a_turn_has_an_id_of_its_own() -> None:
    output = run(settings={"tools": 1, "max_calls": 3, "retries": 0})
    assert set(output["chosen"]) <= {"count", "teams", "remark"}
    assert (output["max_calls"], output["retries_allowed"]) == (3, 0)
    assert run()["turn_id"] != output["turn_id"]


def test_a_named_tool_is_chosen() -> None:
    assert run(question="用 remark", settings={"tools": 1})["chosen"] == ["remark"]


def test_turns_and_choices_of_the_thread_are_kept_and_win_over_a_history() -> None:
    turns = [{"role": "user", "content": "a"}]
    history = [{"role": "user", "content": "b"}]
    output = run(turns=turns, choices={"which_name:东区": "T-02"}, history=history)
    assert (output["turns"], output["choices"]) == (turns, {"which_name:东区": "T-02"})
    assert run(history=history, turns=[])["turns"] == history


@pytest.mark.parametrize("question", ["", "  ", None, 7, "字" * 4001])
def test_what_is_no_question_is_wrong_use(question: Any) -> None:
    with pytest.raises(UsageError, match="question"):
        run(question=question)


@pytest.mark.parametrize("history", [["text"], [{"role": "user"}], [{"role": "system", "content": "x"}]])
def test_a_history_of_another_form_is_wrong_use(history: Any) -> None:
    with pytest.raises(UsageError, match="'history'"):
        run(history=history)


def test_what_the_servers_and_the_choice_tell_stands_in_the_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableAccess, "notices", lambda self: ["Overlay of 'desk': skipped"])
    output = run(settings={"model": "faulty:1"})
    assert output["notices"] == ["Overlay of 'desk': skipped", "Simulated faults, not a language model."]


def test_rules_render_no_prompt() -> None:
    assert run()["prompt_versions"] == {}
