"""Writes the reply with a chat model from the tool results alone; what must be stated is added when it is not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel

from mindatlas.nodes.models import provider_errors
from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.chat_messages import LANGUAGES, fenced
from mindatlas.nodes.workdesk.parts.planning import ReplyRequest
from mindatlas.nodes.workdesk.parts.streamed_calls import without_thoughts
from mindatlas.prompts import render, unfenced

_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_TURNS = 6  # earlier messages that a reply may refer to


class ChatReplyWriter:
    """Takes over what the planning model wrote, or asks for a reply where it wrote none, or wrote one that was rejected."""

    def __init__(self, model: BaseChatModel) -> None:
        self._model = model

    def reply(self, request: ReplyRequest) -> str:
        """Return the reply, empty where the model said nothing, cut where it was cut: the checks see to both.

        Raises:
            ModelTransportError: no reply came.
            SetupError: the key or the model's name was rejected.
        """
        text = request.draft.strip() or self._asked(request)
        missing = [sentence for sentence in request.stated if fold(sentence) not in fold(text)]
        return _with_stated(text, missing) if text else ""

    def _asked(self, request: ReplyRequest) -> str:
        prompt = render(
            "workdesk/reply",
            today=request.today.isoformat(),
            language=LANGUAGES[request.language],
            stated=unfenced("; ".join(request.stated)) or "-",
            fault=unfenced(request.fault) or "-",
            history=_said(request.history) or "-",
            results="\n".join(map(fenced, request.results)) or "-",
            question=unfenced(request.question),
        )
        with provider_errors(self._model):
            reply = self._model.invoke(prompt)
        return without_thoughts(str(reply.text))


def _with_stated(text: str, sentences: Sequence[str]) -> str:
    """Return the reply with the sentences behind it; before a block that was cut off, so that its end can be mended."""
    fences = [match.start() for match in _FENCE.finditer(text)]
    cut = fences[-1] if len(fences) % 2 else len(text)
    parts = [text[:cut].rstrip(), *sentences, text[cut:]]
    return "\n\n".join(part for part in parts if part)


def _said(history: Sequence[Mapping[str, Any]]) -> str:
    turns = history[-_TURNS:]
    return "\n".join(unfenced(f"{turn.get('role')}: {turn.get('content')}") for turn in turns)
