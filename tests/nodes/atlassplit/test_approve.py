from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.approve import approve
from mindatlas.nodes.atlassplit.parts.rounds import sha256_of
from tests.sheets import BY_STORE, ScriptedCodeWriter, make_parts


class State(TypedDict):
    code: str
    plan: Any
    column_map: dict[str, str]
    asked: list[Any]
    approved: list[str]
    declined: bool
    notices: list[str]


def answered(folder: Path, *answers: object) -> dict[str, Any]:
    """Return the state after the node got `answers`, one after the other."""
    parts = make_parts(folder, ScriptedCodeWriter())

    def node(state: State) -> Any:
        return approve(state, parts)

    builder = StateGraph(State)
    builder.add_node("approve", node)
    builder.add_edge(START, "approve")
    graph: Any = builder.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    given: Any = {
        "code": BY_STORE,
        "plan": None,
        "column_map": {},
        "asked": [],
        "approved": [],
        "notices": [],
    }
    output = graph.invoke(given, config)
    for answer in answers:
        output = graph.invoke(Command(resume=answer), config)
    return dict(output)


@pytest.mark.parametrize("answer", ["yes", " Y ", "好的", "是。", "OK", True])
def test_yes_approves_this_program(tmp_path: Path, answer: object) -> None:
    state = answered(tmp_path, answer)
    assert (state["declined"], state["approved"]) == (False, [sha256_of(BY_STORE)])


@pytest.mark.parametrize("answer", ["no", "不同意", "N", False])
def test_no_declines_it(tmp_path: Path, answer: object) -> None:
    state = answered(tmp_path, answer)
    assert (state["declined"], state["approved"]) == (True, [])


def test_a_program_takes_the_place_of_the_written_one(tmp_path: Path) -> None:
    state = answered(tmp_path, "result = 1")
    assert (state["code"], state["approved"]) == ("result = 1\n", [sha256_of("result = 1\n")])


@pytest.mark.parametrize("answer", ["maybe", "result = (", "x = 1", ""])
def test_anything_else_is_asked_again(tmp_path: Path, answer: str) -> None:
    (asked,) = answered(tmp_path, answer)["__interrupt__"]
    assert asked.value["question"].startswith("The answer is none of")
    assert answered(tmp_path, answer, "yes")["declined"] is False
