"""Answering with a chat model from numbered passages."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, Field

from mindatlas.nodes.mindtrip.parts.answers import AnswerRequest, Claim, PassageView
from mindatlas.nodes.models import ask_structured
from mindatlas.prompts import render, unfenced

_LANGUAGES = {"zh": "Simplified Chinese", "en": "English"}


class _Sentence(BaseModel):
    text: str = Field(description="one sentence of the answer")
    passage: int = Field(description="number of the passage that supports it")
    quote: str = Field(description="the supporting words, copied exactly from that passage")


class _Reply(BaseModel):
    """The answer, sentence by sentence; no sentence when the passages do not answer the question."""

    sentences: list[_Sentence]


class ChatAnswerer:
    """Asks a chat model for sentences with a passage number and a quote each."""

    def __init__(self, model: BaseChatModel) -> None:
        self._model = model

    def answer(self, request: AnswerRequest) -> Sequence[Claim]:
        """Return the model's claims, unchecked; a passage number out of range becomes an unknown id.

        Raises:
            ModelReplyError: the model's reply had not the form asked for, twice.
        """
        prompt = render(
            "mindtrip/answer",
            question=unfenced(request.question),
            language=_LANGUAGES[request.language],
            passages=_numbered(request.passages),
            excluded="、".join(request.excluded) or "-",
            faults="\n".join(f"- {fault}" for fault in request.faults) or "-",
        )
        reply = ask_structured(self._model, prompt, _Reply)
        names = {number: passage["id"] for number, passage in enumerate(request.passages, start=1)}
        return [
            Claim(
                text=s.text.strip(),
                passage_id=names.get(s.passage, f"passage {s.passage}"),
                quote=s.quote.strip(),
            )
            for s in reply.sentences
            if s.text.strip()
        ]


def _numbered(passages: Sequence[PassageView]) -> str:
    """Return the passages fenced and numbered."""
    parts = []
    for number, passage in enumerate(passages, start=1):
        title = unfenced(passage["title"]).replace('"', "'").replace("\n", " ")
        parts.append(f'<passage number="{number}" title="{title}">\n{unfenced(passage["text"])}\n</passage>')
    return "\n".join(parts)
