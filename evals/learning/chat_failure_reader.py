"""Why an answer was bad, told by a chat model; its reply is checked against the closed set."""

from __future__ import annotations

import json

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, Field

from mindatlas import prompts
from mindatlas.evals.learning.complaint import Complaint
from mindatlas.evals.learning.failure_types import Failure, FailureType
from mindatlas.nodes.models import ask_structured

PROMPT = "learning/classify_failure"
_MOST_CHARS = 6000  # of passages and rows: enough to judge by, within any model's window


class FailureReply(BaseModel):
    """What the model is asked for."""

    type: FailureType = Field(description="The one failure type that explains the bad answer best.")
    reason: str = Field(description="One sentence, in the question's language, naming what shows it.")


class ChatFailureReader:
    """Tells by one call of a chat model.

    Args:
        model: the model.
        name: how drafts name it, with the version of the prompt.
    """

    def __init__(self, model: BaseChatModel, name: str) -> None:
        self._model = model
        self.name = f"{name} {PROMPT}@{prompts.version(PROMPT)}"

    def read(self, complaint: Complaint) -> Failure:
        """Return the failure.

        Raises:
            ModelReplyError: the reply is none of the known types.
            ModelTransportError: no reply came.
        """
        feedback = complaint.feedback
        sources = json.dumps([*feedback.passages, *feedback.tool_rows], ensure_ascii=False)[:_MOST_CHARS]
        reading = complaint.reading
        prompt = prompts.render(
            PROMPT,
            question=prompts.unfenced(feedback.question),
            answer=prompts.unfenced(feedback.answer),
            comment=prompts.unfenced(feedback.comment) or "-",
            sources=prompts.unfenced(sources),
            excluded="、".join(reading.excluded) if reading and reading.excluded else "-",
        )
        reply = ask_structured(self._model, prompt, FailureReply)
        return Failure(type=reply.type, reason=" ".join(reply.reason.split()))
