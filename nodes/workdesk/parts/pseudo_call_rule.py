"""The named rule for pseudo calls: a short reply that is mostly `tool(args)`, and no tool was called."""

from __future__ import annotations

from mindatlas.nodes.workdesk.parts.call_mentions import explains
from mindatlas.nodes.workdesk.parts.call_text import CallText, find_calls
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText

LENGTH = 200
"""Characters up to which a reply may be a pseudo call."""

COVERAGE = 0.4
"""Share of the reply that the calls' text must cover."""

_WHOLE = 0.9  # a signature or a remark in brackets is a call only where the reply is hardly anything else


def short_call(reply: ReplyText, *, length: int = LENGTH, coverage: float = COVERAGE) -> str | None:
    """Return the printed call of a reply that the named rule finds, else None.

    The rule: at most `length` characters, of which the text of calls of registered tools covers at least
    `coverage`, and no tool result. A signature such as `order_get(order_id)`, a remark such as
    `order_stat（按班组统计）` and a call that the words around it explain or ask about are mentions, not calls.
    """
    if reply.called or not reply.names_a_tool or len(reply.text) > length:
        return None
    calls = [call for call in find_calls(reply.text, reply.tools) if _counts(call, reply.text)]
    if not calls or sum(call.end - call.start for call in calls) < coverage * len(reply.text):
        return None
    return None if explains(_around(reply.text, calls)) else reply.text[calls[0].start : calls[0].end]


def call_share(reply: ReplyText) -> float:
    """Return the share of the reply that is text of calls of registered tools, 0 to 1."""
    calls = find_calls(reply.text, reply.tools)
    return sum(call.end - call.start for call in calls) / len(reply.text) if calls else 0.0


def _counts(call: CallText, text: str) -> bool:
    return call.kind in ("empty", "concrete") or call.end - call.start >= _WHOLE * len(text)


def _around(text: str, calls: list[CallText]) -> str:
    parts, position = [], 0
    for call in calls:
        parts.append(text[position : call.start])
        position = call.end
    return " ".join([*parts, text[position:]])
