"""A reply as its checks read it: without reasoning, with its code fences known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

_THINKING = re.compile(
    r"<(think|thinking|reasoning|analysis)>.*?</\1>|^.{0,4000}?</think(?:ing)?>", re.DOTALL | re.IGNORECASE
)
_THOUGHT = re.compile(
    r"^[ \t*]*(?:Thought|思考|想法)[ \t*]*[:：].*?(?=^[ \t*]*(?:Action|Observation|Final Answer|Answer|动作|行动|操作|观察|最终答案|答案|回答)"
    r"[ \t*\w]*[:：]|\Z)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_THOUGHTS = ("hought", "HOUGHT", "思考", "想法")
_EMPHASIS_ENDS = ("**(", "`(", "**（", "`（")
_EMPHASIZED = re.compile(r"(?<![*`])(?:\*\*|`)([A-Za-z_][\w.:-]*)(?:\*\*|`)(?=[(（])")
_FENCE = re.compile(
    r"^[ \t]*(```|~~~)[ \t]*([\w+.-]*)[^\n`]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_INLINE_FENCE = re.compile(r"```([^`]+)```")
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


@dataclass(frozen=True, kw_only=True)
class Fence:
    """A fenced block: `text[start:end]` with its marks, and what stands in it."""

    start: int
    end: int
    language: str
    body: str


@dataclass(frozen=True, kw_only=True)
class ReplyText:
    """What a reply says to the user, and what the conversation holds beside it.

    Attributes:
        text: the reply without reasoning blocks and with Markdown's escaped underscores undone.
        tools: the registered tool names.
        called: whether any tool result is there.
    """

    text: str
    tools: frozenset[str] = field(default_factory=frozenset)
    called: bool = False

    @cached_property
    def fences(self) -> list[Fence]:
        """The fenced blocks, in order; one that is not closed runs to the end."""
        if "```" not in self.text and "~~~" not in self.text:
            return []
        blocks = [
            Fence(start=match.start(), end=match.end(), language=match[2].lower(), body=match[3])
            for match in _FENCE.finditer(self.text)
        ]
        return blocks or [
            Fence(start=match.start(), end=match.end(), language="", body=match[1])
            for match in _INLINE_FENCE.finditer(self.text)
        ]

    @cached_property
    def names_a_tool(self) -> bool:
        """Whether any registered tool is named; most detectors need no closer look where none is."""
        return any(tool in self.text for tool in self.tools)

    @cached_property
    def inline(self) -> list[tuple[int, int]]:
        """The spans of inline code."""
        return [match.span() for match in _INLINE.finditer(self.text)] if "`" in self.text else []

    def fence_at(self, position: int) -> Fence | None:
        """Return the fenced block that `position` lies in."""
        return next((fence for fence in self.fences if fence.start <= position < fence.end), None)

    def in_inline_code(self, position: int) -> bool:
        """Return whether `position` lies in inline code."""
        return any(start <= position < end for start, end in self.inline)

    def without(self, start: int, end: int) -> str:
        """Return the text around `text[start:end]`."""
        return f"{self.text[:start]} {self.text[end:]}"


def read_reply(reply: str, tools: Sequence[str] = (), *, called: bool = False) -> ReplyText:
    """Return `reply` as the checks read it."""
    return ReplyText(text=visible(reply), tools=frozenset(tools), called=called)


def visible(reply: str) -> str:
    """Return what of `reply` is said to the user: reasoning in tags or behind `Thought:` is not.

    A call that is quoted in reasoning is no call. A reasoning block that is not closed stays, because models
    print calls in it.
    """
    text = _THINKING.sub("", reply) if "</" in reply else reply
    if any(label in text for label in _THOUGHTS):
        text = _THOUGHT.sub("", text)
    text = text.replace("\\_", "_").strip()
    return _EMPHASIZED.sub(r"\1", text) if any(mark in text for mark in _EMPHASIS_ENDS) else text
