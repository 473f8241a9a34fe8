"""A judge that asks a chat model for items that hold or do not; the share is counted here, not by the model."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import get_usage_metadata_callback
from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, Field

from mindatlas import prompts
from mindatlas.evals.judging.judge import METRICS, Answer, Judged, Metric
from mindatlas.nodes.errors import ModelReplyError, ModelTransportError
from mindatlas.nodes.models import ModelSettings, ask_structured, usage_cost

_MOST_TOLD = 3  # items that did not hold, named in the reason


class Item(BaseModel):
    """One claim, point or statement, and whether it holds."""

    text: str = Field(min_length=1)
    holds: bool


class Items(BaseModel):
    """What the model returns for every metric."""

    items: list[Item]


class ChatJudge:
    """Asks `model` once for each metric of an answer.

    Args:
        model: an open chat model.
        settings: what it was opened with; they stand in the protocol.
    """

    def __init__(self, model: BaseChatModel, settings: ModelSettings) -> None:
        self._model, self._settings = model, settings

    def judge(self, metric: Metric, answer: Answer) -> Judged:
        """Return the share of items that hold; a call that fails gives no value, and its cost is counted."""
        if metric == "completeness" and not answer.reference:
            return Judged(value=None, reason="there is no reference answer")
        with get_usage_metadata_callback() as spent:
            try:
                found = ask_structured(self._model, judge_prompt(metric, answer), Items).items
            except (ModelReplyError, ModelTransportError) as error:
                reason = f"the judge failed: {type(error).__name__}: {error}"
                return Judged(value=None, reason=reason, cost=_cost(spent.usage_metadata))
        cost = _cost(spent.usage_metadata)
        if not found:
            return Judged(value=None, reason="the judge found nothing to count", cost=cost)
        failed = [item.text for item in found if not item.holds]
        value = 1 - len(failed) / len(found)
        return Judged(value=value, reason="; ".join(failed[:_MOST_TOLD]), cost=cost)

    def identity(self) -> dict[str, Any]:
        """Return the model with its parameters, and the version of each prompt."""
        return {
            "judge": "chat",
            "model": self._settings.model,
            "base_url": self._settings.base_url,
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
            "prompts": {metric: prompts.version(prompt_name(metric)) for metric in METRICS},
        }


def prompt_name(metric: Metric) -> str:
    """Return the name of a metric's prompt."""
    return f"evals/judge_{metric}"


def judge_prompt(metric: Metric, answer: Answer) -> str:
    """Return the prompt that asks for a metric of an answer; all of the answer is fenced as data."""
    variables = {"question": answer.question, "answer": answer.answer}
    if metric == "faithfulness":
        variables["passages"] = "\n\n".join(f"{one['title']}\n{one['text']}" for one in answer.passages)
    if metric == "completeness":
        variables["reference"] = answer.reference or ""
    return prompts.render(
        prompt_name(metric), **{name: prompts.unfenced(text) for name, text in variables.items()}
    )


def _cost(usage: dict[str, Any]) -> float | None:
    """Return the cost of what was used; None where a call that was made told no usage."""
    return usage_cost(usage)["cost"] if usage else None
