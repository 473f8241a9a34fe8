"""Opens a judge by the name of its model."""

from __future__ import annotations

from mindatlas.evals.judging.builtin_judge import BuiltinJudge
from mindatlas.evals.judging.judge import Judge
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models import ModelSettings, model_kind, open_chat_model


def open_judge(settings: ModelSettings) -> Judge:
    """Return the judge of `settings`: `builtin`, or any chat model.

    Raises:
        UsageError: the model is `faulty`, or the provider is unknown.
        SetupError: the key, the provider's package or the folder to replay from is missing.
    """
    kind = model_kind(settings.model)
    if kind == "faulty":
        raise UsageError("A judge that errs on purpose judges nothing: name builtin or provider:model")
    if kind == "builtin":
        return BuiltinJudge()
    from mindatlas.evals.judging.chat_judge import ChatJudge  # loads the clients of chat models

    return ChatJudge(open_chat_model(settings), settings)
