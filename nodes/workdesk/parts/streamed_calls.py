"""A chat model's reply as text and raw calls: the arguments stay the text that the model wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk

from mindatlas.nodes.workdesk.parts.calls import RawCall

# Reasoning models behind a local server leave their thoughts in the text, some without the opening tag.
_THOUGHTS = re.compile(r"\A\s*(?:<think>)?(?:(?!<think>).)*?</think>", re.DOTALL)
_OPEN_THOUGHTS = re.compile(r"\A\s*<think>.*\Z", re.DOTALL)
_END_KEYS = ("finish_reason", "stop_reason", "done_reason")
_CUT_REASONS = frozenset({"length", "max_tokens", "model_length", "MAX_TOKENS"})


@dataclass(kw_only=True)
class _Piece:
    """A call as far as it has come; `args` is text that grows, or an object that came whole."""

    id: str | None
    tool: str
    args: Any = ""

    def add(self, name: str | None, args: str | None, call_id: str | None) -> None:
        if name and name != self.tool:
            self.tool += name
        self.args += args or ""
        self.id = self.id or call_id


@dataclass(kw_only=True)
class ReadReply:
    """A whole reply.

    Attributes:
        calls: in the order in which they began.
        text: what was said beside them, thoughts left out.
        cut: the reply was cut off: at its length limit, or the stream ended without saying that it was done.
    """

    calls: list[RawCall] = field(default_factory=list)
    text: str = ""
    cut: bool = False


def read_reply(pieces: Iterable[AIMessage], *, says_when_done: bool) -> ReadReply:
    """Return the reply that the pieces of a stream, or one whole message, make.

    LangChain's own joining parses arguments that were cut, drops all but the first of two objects, and glues
    names together that a server repeats; so the pieces are joined here.

    Args:
        pieces: what the model's `stream` yields.
        says_when_done: the provider ends a stream with a reason, so that one without was cut.
    """
    calls: dict[Any, _Piece] = {}
    said: list[str] = []
    reasons: list[str] = []
    streamed = False
    for piece in pieces:
        said.append(str(piece.text))
        reasons += [
            str(piece.response_metadata[key]) for key in _END_KEYS if piece.response_metadata.get(key)
        ]
        if isinstance(piece, AIMessageChunk):
            streamed = True
            for chunk in piece.tool_call_chunks:
                _add(calls, chunk)
        else:
            _add_whole(calls, piece)
    cut = any(reason in _CUT_REASONS for reason in reasons) or (streamed and says_when_done and not reasons)
    raw = [RawCall(id=piece.id, tool=piece.tool, args=piece.args) for piece in calls.values()]
    return ReadReply(calls=raw, text=without_thoughts("".join(said)), cut=cut)


def without_thoughts(text: str) -> str:
    """Return the text without the reasoning at its beginning, stripped."""
    return _OPEN_THOUGHTS.sub("", _THOUGHTS.sub("", text)).strip()


def _add(calls: dict[Any, _Piece], chunk: Mapping[str, Any]) -> None:
    """Add one piece of a call to the one it goes on with, or begin another.

    Pieces of one call share an index. A server that numbers none, or all alike, begins a call with a new id, or
    with a name after arguments have come.
    """
    index, name, call_id = chunk.get("index"), chunk.get("name"), chunk.get("id")
    key = _current(calls, index)
    open_call = calls.get(key)
    begins = open_call is None or bool(
        (call_id and open_call.id and call_id != open_call.id)
        or (
            name
            and open_call.args
            and not (call_id and call_id == open_call.id)
            and (index is None or name != open_call.tool)
        )
    )
    if begins:
        calls[(index, len(calls))] = _Piece(id=call_id, tool=name or "", args=chunk.get("args") or "")
    elif open_call is not None:
        open_call.add(name, chunk.get("args"), call_id)


def _current(calls: Mapping[Any, _Piece], index: Any) -> Any:
    """Return the key of the latest call with this index; of the latest at all where there is none."""
    keys = [key for key in calls if index is None or key[0] == index]
    return keys[-1] if keys else None


def _add_whole(calls: dict[Any, _Piece], message: AIMessage) -> None:
    for call in message.tool_calls:
        calls[(None, len(calls))] = _Piece(id=call.get("id"), tool=call["name"], args=call["args"])
    for broken in message.invalid_tool_calls:
        calls[(None, len(calls))] = _Piece(
            id=broken.get("id"), tool=broken.get("name") or "", args=broken.get("args") or ""
        )
