"""Node: wait for the user to approve a program before it runs."""

from __future__ import annotations

import ast
from typing import Any

from langgraph.types import interrupt
from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.rounds import sha256_of
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts
from mindatlas.nodes.text import fold

YES = frozenset({"yes", "y", "ok", "true", "approve", "是", "好", "好的", "同意", "可以", "批准"})
NO = frozenset({"no", "n", "false", "reject", "否", "不", "不行", "不同意", "拒绝"})
_QUESTION = "Run this program? Answer yes, no, or a whole edited program."
_UNREAD = "The answer is none of yes, no and a program that sets `result`."


class In(TypedDict):
    """What the node reads."""

    code: str
    plan: dict[str, Any] | None
    column_map: dict[str, str]
    asked: list[dict[str, Any]]
    approved: list[str]
    notices: list[str]


class Out(TypedDict):
    """What the node writes."""

    code: str
    approved: list[str]
    declined: bool
    notices: list[str]


def approve(state: In, parts: AtlasSplitParts) -> Out:
    """Return the program that was approved: as written, or as the user edited it; or that it was declined.

    An answer that cannot be read is asked for again.
    """
    code, declined = _answered(state)
    edited = code != state["code"]
    notice = ["The program was edited by the user before it ran."] if edited else []
    return Out(
        code=code,
        approved=state["approved"] if declined else [*state["approved"], sha256_of(code)],
        declined=declined,
        notices=[*state["notices"], *notice],
    )


def _answered(state: In) -> tuple[str, bool]:
    """Return the program to run, and whether running it was declined."""
    problem = ""
    while True:
        answer = str(interrupt(_asked(state, problem)))
        word = fold(answer).strip(" .!。！")
        if word in YES:
            return state["code"], False
        if word in NO:
            return state["code"], True
        if _is_program(answer):
            return answer if answer.endswith("\n") else f"{answer}\n", False
        problem = _UNREAD


def _asked(state: In, problem: str) -> dict[str, Any]:
    return {
        "question": f"{problem} {_QUESTION}".strip(),
        "code": state["code"],
        "code_sha256": sha256_of(state["code"]),
        "plan": state["plan"],
        "column_map": state["column_map"],
        "assertions": [f"{item['kind']}: {item['description']}" for item in state["asked"]],
    }


def _is_program(answer: str) -> bool:
    try:
        tree = ast.parse(answer)
    except (SyntaxError, ValueError):
        return False
    return any(
        isinstance(node, ast.Name) and node.id == "result" and isinstance(node.ctx, ast.Store)
        for node in ast.walk(tree)
    )
