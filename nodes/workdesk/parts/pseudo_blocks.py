"""Pseudo calls as code: a fenced block that is only a call, and lists of calls."""

from __future__ import annotations

import re

from mindatlas.nodes.workdesk.parts.call_mentions import announces, is_meant
from mindatlas.nodes.workdesk.parts.call_text import CallText, find_calls
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText

_WRAPPING = re.compile(
    r"#[^\n]*|//[^\n]*|\b(?:await|return|print|const|let|var|json|python|tool_code|functions|default_api|>>>)\b"
    r"|[A-Za-z_]\w*\s*=(?!=)|[A-Za-z_]\w*(?:\.|__|::)|[\s\[\](){};,.>$`]+|(?m:^\s*(?:[-*•]|\d+[.)、])\s*)"
)
_ASSIGNED = re.compile(r"\b([A-Za-z_]\w*)\s*=(?!=)")
_BULLET = re.compile(r"[ \t>]*(?:[-*•]|\(?\d+[.)）、])?[ \t]*[`*]*")
_BEFORE = 60  # characters: the words that announce a call stand right before it


def fenced_call(reply: ReplyText) -> str | None:
    """Return the calls of a fenced block that holds nothing else, unless the words around it explain them."""
    if not reply.names_a_tool:
        return None
    for fence in reply.fences:
        calls = find_calls(fence.body, reply.tools)
        if not calls or any(call.kind in ("signature", "prose") for call in calls):
            continue
        if not _besides(fence.body, calls) and is_meant(
            reply.without(fence.start, fence.end), called=reply.called
        ):
            return fence.body.strip()
    return None


def _besides(body: str, calls: list[CallText]) -> str:
    """Return what stands in a block beside its calls, without what wraps a call in a program."""
    for call in reversed(calls):
        body = body[: call.start] + body[call.end :]
    assigned = "|".join(map(re.escape, _ASSIGNED.findall(body)))
    return _WRAPPING.sub("", re.sub(rf"\b(?:{assigned})\b(?!\s*=)", "", body) if assigned else body)


def listed_calls(reply: ReplyText) -> str | None:
    """Return a list of calls that stands in the text: `[a(), b(x=1)]`, or lines that are calls.

    A single line that is a call counts where the words right before it announce it.
    """
    if not reply.names_a_tool:
        return None
    calls = [call for call in find_calls(reply.text, reply.tools) if call.kind in ("empty", "concrete")]
    calls = [call for call in calls if not reply.in_inline_code(call.start)]
    listed = [call for call in calls if _in_list(reply.text, call)] or [
        call for call in calls if _on_own_line(reply.text, call)
    ]
    if not listed:
        return None
    start, end = listed[0].start, listed[-1].end
    alone = len(listed) == 1 and not _in_list(reply.text, listed[0])
    if alone and (reply.called or not announces(reply.text[max(0, start - _BEFORE) : start])):
        return None
    return reply.text[start:end] if is_meant(reply.without(start, end), called=reply.called) else None


def _in_list(text: str, call: CallText) -> bool:
    """Return whether the call stands right behind `[`, or behind another call of a bracketed list."""
    before = text[: call.start].rstrip()
    if before.endswith("["):
        return True
    opened = before.rfind("[")
    return (
        before.endswith(("),", ");", "）,", "),")) and opened > before.rfind("]") and "(" in before[opened:]
    )


def _on_own_line(text: str, call: CallText) -> bool:
    line_start = text.rfind("\n", 0, call.start) + 1
    line_end = text.find("\n", call.end)
    after = text[call.end : len(text) if line_end < 0 else line_end]
    before = text[line_start : call.start]
    return bool(_BULLET.fullmatch(before)) and not after.strip(" \t;,；，。`*")
