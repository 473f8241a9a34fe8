"""The checks of a reply against what the tools brought; usable alone, for replies of any agent.

Example:
    >>> verify('order_stat(group_by="team")', tools=["order_stat"]).kind
    'pseudo_call'
    >>> verify("没有查询到相关数据。", tools=["order_stat"], tool_results=[
    ...     {"tool": "order_stat", "content": '[{"name": "东区抢修组", "cnt": 12}]'}]).kind
    'false_negative'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.false_negatives import false_negative
from mindatlas.nodes.workdesk.parts.pseudo_call_rule import COVERAGE, LENGTH
from mindatlas.nodes.workdesk.parts.pseudo_calls import PseudoCall, find_pseudo_calls
from mindatlas.nodes.workdesk.parts.reply_flags import EMPTY_REPLY, reply_flags
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText
from mindatlas.nodes.workdesk.parts.reply_text import visible as visible_text
from mindatlas.nodes.workdesk.parts.result_data import ResultData, read_result, rows_data

VerdictKind = Literal["ok", "pseudo_call", "false_negative"]
FALSE_NEGATIVE = "false_negative"

_REASONS = {
    "short_call": "A short reply that is mostly a printed call, and no tool was called",
    "call_tag": "A mark of a tool call format leaked into the reply",
    "call_object": "The reply holds a JSON object that names a tool and its arguments",
    "fenced_call": "The reply holds a code block that is only a call",
    "action_lines": "The reply holds an Action line that names a tool",
    "listed_calls": "The reply lists calls instead of making them",
    "completion_claim": "The reply claims that something was done, and no tool was called",
}


@dataclass(frozen=True, kw_only=True)
class VerifierSettings:
    """How replies are checked.

    Attributes:
        length: characters up to which a reply may be a pseudo call by the named rule.
        coverage: share of the reply that the call's text must cover for that, 0 to 1.
        disabled: names of detectors that are switched off: those of pseudo calls, `false_negative`, `flags`.
    """

    length: int = LENGTH
    coverage: float = COVERAGE
    disabled: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.length < 0:
            raise UsageError(f"The length {self.length!r} must be a number of characters, 0 or more")
        if not 0 <= self.coverage <= 1:
            raise UsageError(f"The coverage {self.coverage!r} must be a share between 0 and 1")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the checks found.

    Attributes:
        detector: the first detector that found something, empty when none did.
        reason: what it found, for people and models to read.
        flags: what to be wary of in a reply that is not accused.
        found: all detectors that found something, in order.
    """

    kind: VerdictKind = "ok"
    detector: str = ""
    reason: str = ""
    flags: Sequence[str] = ()
    found: Sequence[str] = field(default_factory=tuple)


_DEFAULTS = VerifierSettings()


def verify(
    reply: str,
    *,
    tool_results: Sequence[Mapping[str, Any]] = (),
    tools: Sequence[str] = (),
    settings: VerifierSettings = _DEFAULTS,
    question: str = "",
) -> Verdict:
    """Return the verdict on `reply`.

    Args:
        reply: the text as the model wrote it.
        tool_results: what the tools brought, in order: `{"tool", "content"}` where content is JSON text, plain
            text or a JSON value, or Workdesk's own `ToolResult`.
        tools: the registered tool names; printed calls of others are not ours.
        settings: thresholds, and detectors to leave out.
        question: the user's words where they are known; figures and ids in them may be repeated.
    """
    text = visible_text(reply)
    view = ReplyText(text=text, tools=frozenset(tools), called=bool(tool_results))
    calls = find_pseudo_calls(
        view, length=settings.length, coverage=settings.coverage, disabled=settings.disabled
    )
    if calls:
        return _accused(calls)
    results = [result_data(result) for result in tool_results]
    flags = [] if "flags" in settings.disabled else _flags(text, tool_results, results, question)
    if EMPTY_REPLY not in flags and FALSE_NEGATIVE not in settings.disabled:
        sentence = false_negative(text, results, question)
        if sentence is not None:
            reason = (
                f"The last result that brought data has rows, and the reply says there are none: {sentence!r}"
            )
            return Verdict(
                kind="false_negative",
                detector=FALSE_NEGATIVE,
                reason=reason,
                flags=flags,
                found=[FALSE_NEGATIVE],
            )
    return Verdict(flags=flags)


def result_data(result: Mapping[str, Any]) -> ResultData:
    """Return what a tool result brought; its error and its rows where it says them, else what its content says."""
    content = result.get("content", "")
    if result.get("error") or result.get("isError") or result.get("is_error"):
        return ResultData(kind="error", content=f"{content} {result.get('error') or ''}")
    rows = result.get("rows")
    data = rows_data(rows, result.get("n_rows"), str(content)) if rows is not None else read_result(content)
    return replace(data, group=str(result.get("clock") or ""))


def _accused(calls: Sequence[PseudoCall]) -> Verdict:
    first = calls[0]
    reason = f"{_REASONS[first.detector]}: {first.text[:120]!r}"
    return Verdict(
        kind="pseudo_call", detector=first.detector, reason=reason, found=[call.detector for call in calls]
    )


def _flags(
    text: str, tool_results: Sequence[Mapping[str, Any]], results: Sequence[ResultData], question: str
) -> list[str]:
    arguments = [str(result["args"]) for result in tool_results if result.get("args")]
    return reply_flags(text, results, question=question, arguments=arguments)
