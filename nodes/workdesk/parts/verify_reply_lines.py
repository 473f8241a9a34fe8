"""Lines of `verify-reply --batch`: a reply with its tool results and tool names in, a verdict out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.pseudo_call_rule import COVERAGE, LENGTH
from mindatlas.nodes.workdesk.parts.reply_verifier import VerifierSettings, verify

_FORM = '{"id", "reply", "tool_results": [{"tool", "content"}], "tools": [names]}'


class ReplyLine(NamedTuple):
    """A line that was read."""

    reply: str
    tool_results: list[dict[str, Any]]
    tools: list[str]
    question: str


def verify_line(
    line: Mapping[str, Any], *, length: int = LENGTH, coverage: float = COVERAGE
) -> dict[str, Any]:
    """Return `{id, kind, detector, reason, flags}` for a line.

    Raises:
        UsageError: the line has not the form, or a threshold is out of range.
    """
    read = read_line(line)
    verdict = verify(
        read.reply,
        tool_results=read.tool_results,
        tools=read.tools,
        settings=VerifierSettings(length=length, coverage=coverage),
        question=read.question,
    )
    return {
        "id": line.get("id"),
        "kind": verdict.kind,
        "detector": verdict.detector,
        "reason": verdict.reason,
        "flags": list(verdict.flags),
    }


def read_line(line: Mapping[str, Any]) -> ReplyLine:
    """Return the fields of a line; `tool_results` and `tools` may be left out, a null reply is an empty one.

    Raises:
        UsageError: a field is missing or of another type; the message names it.
    """
    if "reply" not in line:
        raise UsageError(f"The line has no 'reply'; expected {_FORM}")
    reply, question = line["reply"], line.get("question", "")
    if not isinstance(reply, str | None):
        raise UsageError(f"'reply' must be text, not {reply!r}")
    if not isinstance(question, str | None):
        raise UsageError(f"'question' must be text, not {question!r}")
    return ReplyLine(
        reply or "", _results(line.get("tool_results")), _tools(line.get("tools")), question or ""
    )


def _results(given: Any) -> list[dict[str, Any]]:
    if given is None:
        return []
    if not isinstance(given, list):
        raise UsageError(f"'tool_results' must be a list of {{tool, content}}, not {given!r}")
    for number, result in enumerate(given, start=1):
        if not isinstance(result, dict) or "content" not in result:
            raise UsageError(f"Tool result {number} must be an object with 'content', not {result!r}")
    return given


def _tools(given: Any) -> list[str]:
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise UsageError(f"'tools' must be a list of tool names, not {given!r}")
    return given
