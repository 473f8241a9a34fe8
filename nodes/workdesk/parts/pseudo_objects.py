"""Pseudo calls as JSON: an object that names a registered tool and its arguments."""

from __future__ import annotations

import re
from functools import lru_cache

from mindatlas.nodes.workdesk.parts.call_mentions import is_meant
from mindatlas.nodes.workdesk.parts.call_text import registered
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText

_Q = r"\\?[\"'“”]?"
_NAME_KEY = (
    rf"{_Q}(?:name|function|function_name|tool|tool_name|toolName|action|recipient_name|api|api_name|method"
    rf"|func|command|call|工具|工具名|工具名称|函数|函数名|名称)\b{_Q}"
)
_NAMED = re.compile(rf"[{{,\s]{_NAME_KEY}\s*[:：]\s*\\?[\"'“]([^\"'”\\\n]{{1,100}})\\?[\"'”]?")
_ARGUMENTS = re.compile(
    rf"{_Q}\b(?:arguments|args|parameters|params|action_input|actionInput|tool_input|toolInput|input|kwargs|function_args|arg|inputs|参数|输入)\b{_Q}"
    r"\s*[:：]\s*(.?)",
    re.DOTALL,
)
_CHINESE_ARGUMENTS = re.compile(r"[\"'“](?:参数|输入)[\"'”]\s*[:：]\s*(.?)", re.DOTALL)
_WRAPPERS = re.compile(
    r"[\"'](?:tool_calls?|tool_uses?|function_calls?|functionCall|toolCalls?|calls|actions)[\"']\s*[:：]"
)
_SCHEMA = re.compile(
    r"[\"'](?:properties|inputSchema|input_schema|\$schema)[\"']|[\"']type[\"']\s*:\s*[\"']object[\"']"
)
_KEYED = re.compile(r"[{,]\s*[\"']([^\"'\n]{1,100})[\"']\s*:\s*\{")
_OBJECT_START = re.compile(r"\{\s*[\"'“}]")
_PREFIX = re.compile(
    r"(?<![A-Za-z0-9_\"'])([A-Za-z_][A-Za-z0-9_.:-]*?)(?::\d+)?[`*\s:：]{0,4}(?:\[ARGS\]|arguments[:：]?)?\s*(?:```(?:json)?\s*)?$"
)
_PREFIX_LENGTH = 120  # characters that a tool's name and what joins it to its arguments may take
_PLACEHOLDER_VALUES = re.compile(
    r"[:：]\s*(?:\.\.\.|…|\{\s*(?:\.\.\.|…)\s*\}|[\"'](?:\.\.\.|…|<[^>\"']*>|xxx+)[\"'])"
)
_STRUCTURE = re.compile(r'\\.|[{}"]', re.DOTALL)


@lru_cache(maxsize=64)
def _known(name: str, tools: frozenset[str]) -> str | None:
    return registered(name.strip(), tools)


def call_object(reply: ReplyText) -> str | None:
    """Return the JSON of a reply that names a registered tool and arguments, whole or cut off, else None.

    The keys that models use are many (`name`/`arguments`, `name`/`parameters`, `function`, `tool`/`args`,
    `action`/`action_input`, …), wrapped or not (`tool_calls`, `tool_call`, `tool_uses`). The schema of a tool, a
    row of data and an example that the words around it explain are none.
    """
    if "{" not in reply.text or not reply.names_a_tool:
        return None
    for start, end in _objects(reply.text):
        body = reply.text[start:end]
        if reply.in_inline_code(start) and bool(_outside(reply, start, end).strip(" `\n")) and reply.called:
            continue
        if _is_call(body, reply) and is_meant(_outside(reply, start, end), called=reply.called):
            return body
    return _prefixed_object(reply)


def _objects(text: str) -> list[tuple[int, int]]:
    """Return the spans of the outermost `{…}`; one that is not closed runs to the end."""
    spans: list[tuple[int, int]] = []
    depth, start, quoted = 0, 0, False
    for match in _STRUCTURE.finditer(text):
        char, index = match[0], match.start()
        if char == '"':
            quoted = bool(depth) and not quoted
        elif char == "{" and not quoted:
            start = start if depth else index
            depth += 1
        elif char == "}" and depth and not quoted:
            depth -= 1
            if depth == 0:
                spans.append((start, index + 1))
    return [*spans, (start, len(text))] if depth else spans


def _is_call(body: str, reply: ReplyText) -> bool:
    if _SCHEMA.search(body) or _PLACEHOLDER_VALUES.search(body):
        return False
    named = [match for match in _NAMED.finditer(body) if _known(match[1], reply.tools)]
    if named:
        rest = body.replace(named[0][0], "", 1)
        return any(
            match[1] in "{[\"'“n" or not match[1]
            for match in (*_ARGUMENTS.finditer(rest), *_CHINESE_ARGUMENTS.finditer(rest))
        ) or bool(_WRAPPERS.search(body))
    keyed = _KEYED.match(body)
    return bool(keyed and _known(keyed[1], reply.tools)) and body.count("{") <= 3


def _prefixed_object(reply: ReplyText) -> str | None:
    """Return `tool{…}`, `tool: {…}` or a tool's name on the line above an object of arguments."""
    for start in _OBJECT_START.finditer(reply.text):
        opened, window = start.start(), max(0, start.start() - _PREFIX_LENGTH)
        match = _PREFIX.search(reply.text, window, opened)
        if not match or not _known(match[1], reply.tools):
            continue
        end = next((stop for start, stop in _objects(reply.text[opened:]) if start == 0), 0) + opened
        body = reply.text[opened:end]
        if _looks_like_result(body) or _SCHEMA.search(body) or _PLACEHOLDER_VALUES.search(body):
            continue
        if is_meant(_outside(reply, match.start(1), end), called=reply.called):
            return reply.text[match.start(1) : end]
    return None


def _looks_like_result(body: str) -> bool:
    return bool(re.search(r"[\"'](?:code|msg|data|list|rows|total|result|error)[\"']\s*:", body))


def _outside(reply: ReplyText, start: int, end: int) -> str:
    """Return the words around an object, without the fence or the tags that it stands in."""
    fence = reply.fence_at(start)
    if fence:
        start, end = min(start, fence.start), max(end, fence.end)
    return re.sub(r"[\[\]{}`<>/|,]|\b(?:tool_calls?|json)\b", " ", reply.without(start, end))
