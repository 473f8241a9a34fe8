from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from mindatlas.nodes.models import ask
from mindatlas.nodes.tracing import Trace, traced
from tests.scripted import ScriptedChatModel


class State(Trace):
    x: int


class Input(TypedDict):
    x: int


def increment(state: Any, parts: Any) -> dict[str, Any]:
    return {"x": state["x"] + 1}


def asking(model: BaseChatModel) -> Callable[[Any, Any], dict[str, Any]]:
    def node(state: Any, parts: Any) -> dict[str, Any]:
        return {"x": len(ask(model, "12345"))}

    return node


def run(*nodes: Any, inputs: dict[str, Any] | None = None, context: Any = None) -> dict[str, Any]:
    """Return the output of a graph that runs `nodes` in a row, each under the name n0, n1, …"""
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(State, input_schema=Input)
    for number, node in enumerate(nodes):
        builder.add_node(f"n{number}", traced(f"n{number}", node, lambda given: given, first=number == 0))
        builder.add_edge(f"n{number - 1}" if number else START, f"n{number}")
    builder.add_edge(f"n{len(nodes) - 1}", END)
    output: dict[str, Any] = builder.compile().invoke(inputs or {"x": 1}, context=context)
    return output


def test_path_and_times_of_each_node() -> None:
    output = run(increment, increment)
    assert output["x"] == 3
    assert output["path"] == ["n0", "n1"]
    assert set(output["timings_ms"]) == {"n0", "n1"}
    assert all(time >= 0 for time in output["timings_ms"].values())
    assert output["usage"] == {"input_tokens": 0, "output_tokens": 0, "cost": 0}


def test_a_node_that_runs_twice_stands_twice_in_the_path_with_its_times_added() -> None:
    node = traced("n", increment, lambda _: None)
    state: dict[str, Any] = {"x": 1, "path": ["n"], "timings_ms": {"n": 1000.0}}
    update = node(state, _Runtime())
    assert update["path"] == ["n", "n"]
    assert update["timings_ms"]["n"] >= 1000.0


class _Runtime:
    context = None


def test_the_first_node_drops_the_record_of_the_turn_before() -> None:
    node = traced("n", increment, lambda _: None, first=True)
    usage = {"input_tokens": 5, "output_tokens": 5, "cost": None}
    update = node({"x": 1, "path": ["old"], "timings_ms": {"old": 9.0}, "usage": usage}, _Runtime())
    assert update["path"] == ["n"]
    assert set(update["timings_ms"]) == {"n"}
    assert update["usage"] == {"input_tokens": 0, "output_tokens": 0, "cost": 0}


def test_tokens_of_all_nodes_are_added_and_an_unknown_price_makes_the_cost_unknown() -> None:
    model = ScriptedChatModel(replies=["abc", "abcd"])
    output = run(asking(model), increment, asking(model))
    assert output["usage"] == {"input_tokens": 10, "output_tokens": 7, "cost": None}


def test_the_cost_of_all_nodes_is_added_where_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    prices = {"scripted": {"input": 1_000_000, "output": 2_000_000}}
    monkeypatch.setattr("mindatlas.nodes.models_usage._prices", lambda: prices)
    model = ScriptedChatModel(replies=["abc", "a"])
    assert run(asking(model), asking(model))["usage"]["cost"] == 5 + 6 + 5 + 2


def test_the_parts_are_those_of_the_context_that_the_caller_passed() -> None:
    def node(state: Any, parts: Any) -> dict[str, Any]:
        return {"x": parts}

    assert run(node, context=7)["x"] == 7


def test_the_update_of_a_node_is_not_changed_in_place() -> None:
    update = {"x": 2}
    run(lambda *_: update)
    assert update == {"x": 2}


def test_an_error_of_a_node_passes_through() -> None:
    def node(state: Any, parts: Any) -> dict[str, Any]:
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        run(node)
