"""Calls in text: `tool(args)` of registered tools, with half or full width brackets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

_NAME = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_.:/-]*)[ \t]*[(（]")
_SEPARATOR = re.compile(r"\.|::?|/|__")
_OPENERS, _CLOSERS = "([{（【", ")]}）】"
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_PLACEHOLDER = re.compile(
    r"\.{2,}|…+|<[^<>]*>|\{[^{}:]*\}|\[[^\[\]]*\]|x{2,}|\*+\w*|参数|[\u4e00-\u9fff]*(?:参数|编号|名称|名字|时间|日期|ID|id|值)",
    re.IGNORECASE,
)
_PAIR = re.compile(r"[\"'“]?[\w.\u4e00-\u9fff]+[\"'”]?\s*[=:：]\s*(?!$)")
_LITERAL = re.compile(r"[\"'“‘\d{\[]|\b(?:true|false|none|null)\b", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[A-Za-z_*][\w*]*(?:\s*[:：]\s*[A-Za-z_]+)?\??")
_MEMBER = re.compile(r"[,，、]")

ArgsKind = Literal["empty", "concrete", "signature", "prose"]


@dataclass(frozen=True, kw_only=True)
class CallText:
    """A call in text: `text[start:end]`; `args` is what stands in the brackets, `closed` whether they close."""

    start: int
    end: int
    tool: str
    args: str
    closed: bool

    @property
    def kind(self) -> ArgsKind:
        """What the brackets hold: nothing, values, only parameter names or placeholders, or a remark in words."""
        return args_kind(self.args)


def registered(name: str, tools: Collection[str]) -> str | None:
    """Return the registered tool that `name` means: itself or its end behind a namespace (`functions.count`)."""
    if name in tools:
        return name
    starts = [match.end() for match in _SEPARATOR.finditer(name)]
    return next((name[start:] for start in starts if name[start:] in tools), None)


def find_calls(text: str, tools: Collection[str]) -> list[CallText]:
    """Return the calls of registered tools in `text`, left to right, not nested in each other."""
    found: list[CallText] = []
    position = 0
    for match in _NAME.finditer(text):
        if match.start() < position or (tool := registered(match[1], tools)) is None:
            continue
        inner = match.end()
        end = _closing(text, inner)
        stop = len(text) if end is None else end
        found.append(
            CallText(
                start=match.start() + len(match[1]) - len(tool),
                end=stop,
                tool=tool,
                args=text[inner : stop if end is None else stop - 1],
                closed=end is not None,
            )
        )
        position = stop
    return found


def _closing(text: str, position: int) -> int | None:
    """Return the offset behind the bracket that closes the one before `position`; None when it stays open."""
    depth, quote = 1, ""
    escaped = False
    for index in range(position, len(text)):
        char = text[index]
        if quote:
            if escaped or char == "\\":
                escaped = not escaped
            elif char == quote:
                quote = ""
        elif char in _QUOTES and _opens_quote(text, index):
            quote = _QUOTES[char]
        elif char in _OPENERS:
            depth += 1
        elif char in _CLOSERS:
            depth -= 1
            if depth == 0:
                return index + 1
    return None


def _opens_quote(text: str, index: int) -> bool:
    """Return whether the quote at `index` begins a string: an apostrophe within a word does not."""
    return text[index] != "'" or not (text[index - 1].isalnum() and text[index + 1 : index + 2].isalpha())


def args_kind(args: str) -> ArgsKind:
    """Return what `args` are: empty, concrete values, a signature or placeholders, or a remark in words."""
    inner = args.strip()
    if not inner:
        return "empty"
    members = list(_members(inner))
    if all(_IDENTIFIER.fullmatch(part) or _PLACEHOLDER.fullmatch(part) for part in members):
        return "signature"
    values = [part[match.end() :] for part in members if (match := _PAIR.match(part))]
    if values:
        return "signature" if all(_is_placeholder(value) for value in values) else "concrete"
    return "concrete" if _LITERAL.match(members[0]) else "prose"


def _members(inner: str) -> Iterator[str]:
    for part in _MEMBER.split(inner):
        if part.strip():
            yield part.strip()


def _is_placeholder(value: str) -> bool:
    bare = value.strip().strip("\"'“”‘’ ")
    return bool(_PLACEHOLDER.fullmatch(bare)) and not bare.startswith("[")
