"""Pseudo calls as tags and control tokens of the models' call formats, leaked into the text."""

from __future__ import annotations

import re
from typing import NamedTuple

from mindatlas.nodes.workdesk.parts.call_mentions import explains
from mindatlas.nodes.workdesk.parts.call_text import find_calls, registered
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText


class _Family(NamedTuple):
    """One call format: the models that print it, and what its marks look like."""

    models: str
    pattern: str


_BAR = r"[|｜‖∥¦]"
FAMILIES: dict[str, _Family] = {
    "tool_call": _Family(
        "Qwen, Hermes, GLM, Granite",
        r"</?(?:[\w.-]+:)?(?:tool_?calls?|function_?calls?|tool_?use|tools?_?code|tool_request|use_mcp_tool|TOOLCALL)\b[^<>\n]{0,80}>?",
    ),
    "function": _Family("Llama 3, Qwen Coder, functionary", r"<function\s*=\s*[^<>\n]{0,80}>?|</function>"),
    "parameter": _Family("Qwen Coder, Step, GLM", r"</?(?:parameter|arg_key|arg_value)\b[^<>\n]{0,80}>"),
    "invoke": _Family("Claude formats, MiniMax", r"</?(?:[\w-]+:)?invoke\b[^<>\n]{0,80}>"),
    "bracket": _Family(
        "Mistral, Devstral, LM Studio",
        r"\[/?(?:TOOL_CALLS?|TOOL_REQUEST|END_TOOL_REQUEST|FUNCTION_CALLS?|ARGS|CALL_ID|tool_calls?)\]",
    ),
    "control": _Family(
        "DeepSeek, Kimi, Llama, gpt-oss, InternLM, Doubao, LFM, Cohere",
        rf"<{_BAR}+\s*/?(?:[\w▁ .:-]*(?:tool|function|python_tag|plugin|interpreter|channel|message|recipient|call|action|constrain)"
        rf"[\w▁ .:-]*|start|end|assistant|im_start|im_end|im_sep|eom_id|eot_id)\s*{_BAR}*>?",
    ),
    "dsml": _Family("DeepSeek", rf"</?\s*{_BAR}{{1,2}}\s*DSML\s*{_BAR}{{0,2}}[^<>\n]{{0,80}}>?"),
    "flower": _Family("Qwen-Agent", r"✿(?:FUNCTION|ARGS|RESULT|RETURN)✿"),
    "harmony": _Family("gpt-oss, GPT-4 leaks", r"\bto=(?:functions|multi_tool_use)\.[\w.-]*"),
    "indexed": _Family("Kimi", r"\bfunctions\.[\w.-]+:\d+"),
    "gemma": _Family("Gemma", r"</?(?:start|end)_(?:of_)?function_call>"),
}
_TAG = re.compile(
    "|".join(f"(?P<{name}>{family.pattern})" for name, family in FAMILIES.items()), re.IGNORECASE
)
_MARK = re.compile(r"[<\[✿]")
_WORD_MARK = re.compile(r"\b(?:to=|functions\.)")
_ELEMENT = re.compile(
    r"<([A-Za-z_][\w.-]*)(?:\s+[^<>]*)?>\s*(?:<[A-Za-z_]|\{|</)|<([A-Za-z_][\w.-]*)\s+[\w-]+=[^<>]*/>"
)
_PAYLOAD = re.compile(
    r"(?:\s|[\w.:-]{1,60}|<[^<>\n]{1,60}>|[▁｜|>])*?(?:[{\[(]|<[\w/|｜]|✿|```|\bcall:)|\s*(?:to=)?[A-Za-z_][\w.-]*\s*(?:$|\n)",
    re.DOTALL,
)
_CODE_FENCE_LANGUAGES = frozenset({"tool_code", "tool_call", "tool_calls", "function_call", "tool_use"})
_NEAR = 200  # characters that a payload may lie away from its mark


def call_tag(reply: ReplyText) -> str | None:
    """Return the first mark of a call format that leaked into the reply, with its family, else None.

    A mark counts with a payload beside it, or at the beginning or the end of the reply. In inline code, or in
    words that explain it, it is a mention.
    """
    if starts := _starts(reply.text):
        for start in starts:
            match = _TAG.match(reply.text, start)
            if match and not reply.in_inline_code(match.start()) and _leaked(reply, match):
                return f"{match.lastgroup}: {match[0][:60]}"
        if element := _tool_element(reply):
            return element
    for fence in reply.fences:
        if fence.language in _CODE_FENCE_LANGUAGES and _holds_call(fence.body, reply):
            return f"fence: {fence.language}"
    return None


def _starts(text: str) -> list[int]:
    """Return where a mark may begin."""
    starts = [match.start() for match in _MARK.finditer(text)]
    if "to=" in text or "functions." in text:
        starts += [match.start() for match in _WORD_MARK.finditer(text)]
    return sorted(starts)


def _holds_call(body: str, reply: ReplyText) -> bool:
    named = any(tool in body for tool in reply.tools)
    return (named or bool(find_calls(body, reply.tools))) and not explains(reply.text.replace(body, ""))


def _leaked(reply: ReplyText, match: re.Match[str]) -> bool:
    before, after = reply.text[: match.start()], reply.text[match.end() :]
    around = _TAG.sub(" ", _payload_free(reply, match))
    closing = match[0].startswith(("</", "[/", "[END")) or "end" in match[0].lower()
    payload = bool(_PAYLOAD.match(after[:_NEAR])) or (
        closing and bool(re.search(r"[}\])>]\s*$", before[-_NEAR:]))
    )
    at_edge = not before.strip() or not after.strip()
    return (payload or at_edge) and not explains(around)


def _payload_free(reply: ReplyText, match: re.Match[str]) -> str:
    """Return the words of the reply, without the fence or the bracketed payload at the mark."""
    fence = reply.fence_at(match.start())
    if fence:
        return reply.without(fence.start, fence.end)
    last = max(reply.text.rfind(mark) for mark in "}])>✿")
    return reply.text[: match.start()] + (reply.text[last + 1 :] if last > match.start() else "")


def _tool_element(reply: ReplyText) -> str | None:
    """Return an XML element that is named like a registered tool, as some coding agents write calls."""
    for match in _ELEMENT.finditer(reply.text):
        name = match[1] or match[2]
        if registered(name, reply.tools) and not reply.in_inline_code(match.start()):
            last = reply.text.rfind(">") + 1
            if not explains(reply.without(match.start(), max(last, match.end()))):
                return f"element: {name}"
    return None
