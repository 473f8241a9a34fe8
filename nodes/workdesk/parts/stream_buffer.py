"""A reply as it streams in: what may be shown at once, and what is held back because a call may begin there.

The verdict is always that of the whole reply, so it is the same however the text is cut into chunks. What is
released never holds the beginning of a call mark, even one that is cut across chunks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mindatlas.nodes.workdesk.parts.reply_verifier import Verdict, VerifierSettings, verify

_OPENERS = re.compile(
    r"[<\[{✿`]|~~~|\bto=|functions\.|^[ \t>#*\-_]*(?:Action|Tool|Function|Thought|动作|行动|操作|工具|思考|函数|调用)",
    re.IGNORECASE | re.MULTILINE,
)
_HARMLESS = re.compile(r"<\s*(?:\d|=|br\b|/?[pb]>)|\[[^\]\n]{0,40}\]\([^)\n]*\)|\[\d{1,3}\]", re.IGNORECASE)
_LONGEST_OPENER = 16  # characters: a word that may become an opener is held back until it is told apart
_WORD_TAIL = re.compile(r"[\w=.:/\-\\*~>#]*\Z")


class StreamBuffer:
    """Collects the chunks of one reply.

    Args:
        tools: the registered tool names.
        tool_results: what the tools brought before this reply.
        settings: how the whole reply is checked.

    Example:
        >>> buffer = StreamBuffer(tools=["order_stat"])
        >>> buffer.feed("好的，我来查。<tool"), buffer.feed("_call>{")
        ('好的，我来查。', '')
        >>> buffer.close()[1].kind
        'pseudo_call'
    """

    def __init__(
        self,
        *,
        tools: Sequence[str],
        tool_results: Sequence[Mapping[str, Any]] = (),
        settings: VerifierSettings | None = None,
    ) -> None:
        self._tools = tools
        self._results = tool_results
        self._settings = settings or VerifierSettings()
        self._names = _names_pattern(tools)
        self._text = ""
        self._released = 0

    def feed(self, chunk: str) -> str:
        """Add a chunk and return the text that may be shown now; once a call may have begun, nothing more."""
        self._text += chunk
        safe = self._safe_end()
        shown = self._text[self._released : safe]
        self._released = max(self._released, safe)
        return shown

    def close(self) -> tuple[str, Verdict]:
        """Return the text that was held back and the verdict on the whole reply.

        Show the rest only where the verdict is `ok`.
        """
        verdict = verify(self._text, tool_results=self._results, tools=self._tools, settings=self._settings)
        return self._text[self._released :], verdict

    def _safe_end(self) -> int:
        """Return the offset up to which nothing can be, or become, the beginning of a call."""
        position = self._released
        while opener := _OPENERS.search(self._text, position):
            harmless = _HARMLESS.match(self._text, opener.start())
            if harmless is None:
                break
            position = harmless.end()
        ends = [opener.start()] if opener else []
        if named := self._names.search(self._text, self._released):
            ends.append(named.start())
        return min([*ends, self._open_word()])

    def _open_word(self) -> int:
        """Return where the last word begins: with its line when that is short, since line starts can be marks."""
        tail = _WORD_TAIL.search(self._text)
        start = tail.start() if tail else len(self._text)
        line = self._text.rfind("\n") + 1
        return min(start, line) if len(self._text) - line < _LONGEST_OPENER else start


def _names_pattern(tools: Sequence[str]) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(tools, key=len, reverse=True))
    return re.compile(names or r"(?!)")
