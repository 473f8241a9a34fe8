"""Reading exclusions with a chat model, under the same contract as the rules."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, Field

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.negation import ExclusionReading, Reading, checked
from mindatlas.nodes.models import ask_structured
from mindatlas.prompts import render, unfenced


class _Reply(BaseModel):
    """What the model says a question excludes."""

    reading: Reading = Field(description="how the exclusion cue is meant")
    exclude_entities: list[str] = Field(description="excluded names, exactly as written in the question")
    keep_only: list[str] = Field(default_factory=list, description="names the user wants exclusively")
    rewritten_query: str = Field(
        description="the question without its exclusion clause, otherwise word for word"
    )
    reason: str = Field(description="one sentence in the question's language")


class ChatNegationReader:
    """Asks a chat model; a name that does not stand in the question is dropped."""

    def __init__(self, model: BaseChatModel) -> None:
        self._model = model

    def read(self, question: str, entities: EntityIndex) -> ExclusionReading:  # noqa: ARG002 - the Protocol's
        """Return the reading of `question`.

        Raises:
            ModelReplyError: the model's reply had not the form asked for, twice.
        """
        reply = ask_structured(
            self._model, render("mindtrip/rewrite_negation", question=unfenced(question)), _Reply
        )
        reading = ExclusionReading(
            rewritten_query=reply.rewritten_query,
            exclude_entities=tuple(reply.exclude_entities),
            keep_only=tuple(reply.keep_only),
            reason=reply.reason,
            reading=reply.reading,
        )
        return checked(reading, question)
