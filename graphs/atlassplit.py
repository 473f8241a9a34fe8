"""AtlasSplit: does what a sentence asks of spreadsheets, by writing pandas code, checking it, and mending it.

Example:
    >>> graph = build_atlassplit().compile()
    >>> done = graph.invoke({"workbooks": ["sales.xlsx"], "request": "按门店汇总销售额"})  # doctest: +SKIP
    >>> done["status"], done["output"]  # doctest: +SKIP
    ('pass', 'sales.result.xlsx')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.approve import approve
from mindatlas.nodes.atlassplit.change_strategy import change_strategy
from mindatlas.nodes.atlassplit.check_assertions import check_assertions
from mindatlas.nodes.atlassplit.choose_strategy import choose_strategy
from mindatlas.nodes.atlassplit.classify_error import classify_error
from mindatlas.nodes.atlassplit.describe_schema import describe_schema
from mindatlas.nodes.atlassplit.execute import execute
from mindatlas.nodes.atlassplit.generate import generate
from mindatlas.nodes.atlassplit.optimize import optimize
from mindatlas.nodes.atlassplit.parts.code_writer import Mismatch
from mindatlas.nodes.atlassplit.parts.rounds import Attempt, Execution, Round, sha256_of
from mindatlas.nodes.atlassplit.parts.second_opinion import SecondOpinion
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts, AtlasSplitSettings, open_parts
from mindatlas.nodes.atlassplit.precheck import precheck
from mindatlas.nodes.atlassplit.propose_assertions import propose_assertions
from mindatlas.nodes.atlassplit.publish import publish
from mindatlas.nodes.atlassplit.refuse import refuse
from mindatlas.nodes.atlassplit.repair import repair
from mindatlas.nodes.atlassplit.stop import stop
from mindatlas.nodes.tracing import Node, Trace, traced

__all__ = ["AtlasSplitParts", "AtlasSplitSettings", "build_atlassplit", "graph", "open_parts"]


class AtlasSplitInput(TypedDict):
    """Workbooks and a request.

    `assertions` are items as in an assertion file; `given_code` is a program to run instead of writing one;
    `save_as` is where the result workbook goes (default: beside the first workbook, under a free name);
    with `into_files` each table of the result gets a file of its own. `run_id` is what the audit calls the run.
    """

    workbooks: list[str]
    request: str
    assertions: NotRequired[list[dict[str, Any]]]
    given_code: NotRequired[str]
    save_as: NotRequired[str]
    into_files: NotRequired[bool]
    run_id: NotRequired[str]


class AtlasSplitOutput(Trace):
    """The result and everything that led to it."""

    run_id: str
    request: str
    model: str
    prompt_versions: dict[str, str]
    status: Literal["pass", "stopped", "failed"]
    rounds: list[Round]
    precheck: list[dict[str, Any]]
    precheck_regenerations: int
    executions: int
    column_map: dict[str, str]
    refusal: dict[str, Any] | None
    assertions: list[dict[str, Any]]
    result: dict[str, Any] | None
    output: str | None
    code: str
    sandbox: str
    versions: dict[str, str]
    notices: list[str]
    stop_reason: str


class AtlasSplitState(AtlasSplitInput, Trace):
    """Everything the nodes hand on; frames lie in files, the state carries their paths and hashes."""

    model: str
    prompt_versions: dict[str, str]
    versions: dict[str, str]
    files: list[dict[str, str]]
    schema: str
    asked: list[dict[str, Any]]
    rounds_allowed: int
    regenerations_allowed: int
    approval_wanted: bool
    task: str
    feedback: str
    mismatch: Mismatch | None
    regenerations: int
    precheck: list[dict[str, Any]]
    precheck_regenerations: int
    code: str
    code_before: str
    plan: dict[str, Any] | None
    prompt_sha256: str
    column_map: dict[str, str]
    refusal: dict[str, Any] | None
    approved: list[str]
    declined: bool
    execution: Execution | None
    executions: int
    second: SecondOpinion | None
    findings: str
    passed: bool
    error_type: str | None
    column_misnamed: bool
    evidence: str
    next_step: str
    rounds: list[Round]
    attempts: list[Attempt]
    result: dict[str, Any] | None
    output: str | None
    sandbox: str
    status: Literal["pass", "stopped", "failed"]
    notices: list[str]
    stop_reason: str


def route_after_generate(state: Mapping[str, Any]) -> Literal["precheck", "refuse"]:
    """Check the program before it runs; a writer that refused is not asked again."""
    return "precheck" if state["refusal"] is None else "refuse"


def route_after_precheck(state: Mapping[str, Any]) -> Literal["generate", "approve", "execute"]:
    """Send a mismatch back at most so often a round; then run anyway, once a new program was approved."""
    if state["mismatch"] is not None and state["regenerations"] < state["regenerations_allowed"]:
        return "generate"
    if state["approval_wanted"] and sha256_of(state["code"]) not in state["approved"]:
        return "approve"
    return "execute"


def route_after_approve(state: Mapping[str, Any]) -> Literal["execute", "stop"]:
    """Run what was approved; stop when it was declined."""
    return "stop" if state["declined"] else "execute"


def route_after_check_assertions(state: Mapping[str, Any]) -> Literal["publish", "classify_error"]:
    """Publish a result that holds; find out what is wrong with any other."""
    return "publish" if state["passed"] else "classify_error"


def route_after_choose_strategy(
    state: Mapping[str, Any],
) -> Literal["repair", "change_strategy", "optimize", "stop"]:
    """Go the way that was chosen."""
    step: Literal["repair", "change_strategy", "optimize", "stop"] = state["next_step"]
    return step


_NODES: tuple[Node, ...] = (
    propose_assertions,
    generate,
    precheck,
    approve,
    execute,
    check_assertions,
    classify_error,
    choose_strategy,
    repair,
    change_strategy,
    optimize,
    refuse,
    stop,
    publish,
)


def build_atlassplit(
    parts: AtlasSplitParts | None = None,
) -> StateGraph[AtlasSplitState, AtlasSplitSettings, AtlasSplitInput, AtlasSplitOutput]:
    """Return the graph, uncompiled, so that the host chooses checkpointer, cache and store.

    With `approve` in the settings a checkpointer is needed: the run waits in it.

    Args:
        parts: the live parts to use; without, they are opened for the settings passed as `context` (or the
            defaults) and kept.
    """

    def parts_of(context: AtlasSplitSettings | None) -> AtlasSplitParts:
        return parts or open_parts(context or AtlasSplitSettings())

    builder = StateGraph(
        AtlasSplitState,
        context_schema=AtlasSplitSettings,
        input_schema=AtlasSplitInput,
        output_schema=AtlasSplitOutput,
    )
    builder.add_node("describe_schema", traced("describe_schema", describe_schema, parts_of, first=True))
    for node in _NODES:
        builder.add_node(node.__name__, traced(node.__name__, node, parts_of))

    builder.add_edge(START, "describe_schema")
    builder.add_edge("describe_schema", "propose_assertions")
    builder.add_edge("propose_assertions", "generate")
    builder.add_conditional_edges("generate", route_after_generate)
    builder.add_conditional_edges("precheck", route_after_precheck)
    builder.add_conditional_edges("approve", route_after_approve)
    builder.add_edge("execute", "check_assertions")
    builder.add_conditional_edges("check_assertions", route_after_check_assertions)
    builder.add_edge("classify_error", "choose_strategy")
    builder.add_conditional_edges("choose_strategy", route_after_choose_strategy)
    for step in ("repair", "change_strategy", "optimize"):
        builder.add_edge(step, "generate")
    builder.add_edge("refuse", "publish")
    builder.add_edge("stop", "publish")
    builder.add_edge("publish", END)
    return builder


# Ten rounds, each prechecked thrice, would be 150 steps: the fuse lies above the largest settings.
graph = build_atlassplit().compile(name="atlassplit").with_config(recursion_limit=250)
