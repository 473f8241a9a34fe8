"""The program in a model's reply."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Final

_BLOCK: Final = re.compile(
    r"^```[ \t]*(?:python|py)?[ \t]*\r?\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_OPEN_BLOCK: Final = re.compile(
    r"^```[ \t]*(?:python|py)?[ \t]*\r?\n(.*)\Z", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_REFUSED: Final = re.compile(r"\A\W{0,4}CANNOT\W{0,3}:\s*(.+)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class CodeReply:
    """A program, or what a model says is missing to write one."""

    code: str = ""
    refused: str = ""


def read_code(reply: str) -> CodeReply:
    """Return the program of a reply: the fenced block that sets `result`, the last of several.

    Where no block sets it, the last block that is valid Python, else the last block; without blocks the whole
    reply. What is no program then fails the precheck, which names the line.
    """
    blocks = [block.strip("\n") for block in _BLOCK.findall(reply) or _OPEN_BLOCK.findall(reply)]
    refused = _REFUSED.match(reply)
    if not blocks and refused:
        return CodeReply(refused=" ".join(refused[1].split()))
    candidates = blocks or [reply.strip()]
    chosen = max(range(len(candidates)), key=lambda at: (_rank(candidates[at]), at))
    return CodeReply(code=candidates[chosen] + "\n")


def _rank(code: str) -> int:
    """Return 2 for a program that sets `result`, 1 for other valid Python, else 0."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return 0
    names = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return 2 if "result" in names else 1
