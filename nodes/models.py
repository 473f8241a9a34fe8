"""The seam to chat models: open one, ask it, count what it used.

Any model that LangChain's `init_chat_model` takes works, and any OpenAI-compatible server through `base_url`.

Example:
    >>> model = open_chat_model(ModelSettings(model="openai:qwen3", base_url="http://localhost:8000/v1"))
    >>> ask(model, "三亚在哪里？")  # doctest: +SKIP
    '三亚在海南岛南端。'
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import ValidationError

from mindatlas.nodes.errors import SetupError, UsageError
from mindatlas.nodes.models_calls import ask, ask_structured, reply_text
from mindatlas.nodes.models_errors import provider_errors
from mindatlas.nodes.models_settings import (
    ModelKind,
    ModelSettings,
    faulty_seed,
    missing_key,
    model_kind,
    provider_of,
)
from mindatlas.nodes.models_usage import Usage, usage_cost
from mindatlas.nodes.recording import RecordingCache

__all__ = [
    "ModelKind",
    "ModelSettings",
    "Usage",
    "ask",
    "ask_structured",
    "faulty_seed",
    "model_kind",
    "open_chat_model",
    "provider_errors",
    "reply_text",
    "usage_cost",
]

_NO_KEY = "none"  # local servers want none, the client classes want some


def open_chat_model(settings: ModelSettings) -> BaseChatModel:
    """Return the chat model of `settings`, ready to be asked; nothing is sent yet.

    With `record` or `replay` every call goes through the recording and nothing is streamed. A replay needs
    the provider's package, and neither key nor server.

    Raises:
        UsageError: the model is builtin or faulty, or the provider is unknown.
        SetupError: the key, the provider's package or the folder to replay from is missing.
    """
    if model_kind(settings.model) != "chat":
        raise UsageError(f"The model {settings.model!r} makes no calls: there is nothing to open")
    arguments = _arguments(settings)
    from langchain.chat_models import init_chat_model  # takes a second, which rules need not wait for

    try:
        model = init_chat_model(settings.model, **arguments)
    except ImportError as error:
        raise SetupError(f"The model {settings.model!r} needs a package: {error}") from error
    except ValidationError as error:
        # The values are left out, and the error is not chained: one of them is the key.
        reasons = "; ".join(item["msg"] for item in error.errors(include_input=False))
        raise SetupError(f"The model {settings.model!r} cannot be set up: {reasons}") from None
    except ValueError as error:
        raise UsageError(f"The model {settings.model!r} cannot be opened: {error}") from error
    return _without_refused_temperature(model, settings)


def _arguments(settings: ModelSettings) -> dict[str, Any]:
    """Return what the model's class is called with: only what `settings` says, and what follows from it."""
    arguments: dict[str, Any] = {
        "temperature": settings.temperature,
        "timeout": settings.timeout_s,
        "max_retries": settings.max_retries,
        **_length_arguments(settings),
    }
    if (key := _api_key(settings)) is not None:
        arguments["api_key"] = key
    if settings.base_url is not None:
        arguments["base_url"] = settings.base_url
    if (cache := _recording(settings)) is not None:
        arguments |= {"cache": cache, "disable_streaming": True}
    return arguments


def _length_arguments(settings: ModelSettings) -> dict[str, Any]:
    """Return the arguments that cap the reply and count what streaming uses.

    ChatOpenAI sends the cap as `max_completion_tokens`, which OpenAI asks for and llama_cpp.server ignores: a
    small model then writes until the client gives up. OpenAI refuses both names at once, so the address
    decides.
    """
    compatible = settings.base_url is not None and provider_of(settings.model) == "openai"
    cap = settings.max_tokens
    if not compatible:
        return {} if cap is None else {"max_tokens": cap}
    return {"stream_usage": True, **({} if cap is None else {"extra_body": {"max_tokens": cap}})}


def _api_key(settings: ModelSettings) -> str | None:
    """Return the key to hand over; None leaves it to the provider's class, which reads its own variable.

    Raises:
        SetupError: no key is set, and the call goes to the provider's own address.
    """
    variable = missing_key(settings.model)
    if settings.api_key is not None or variable is None:
        return settings.api_key
    if settings.base_url is None and settings.replay is None:
        raise SetupError(
            f"The model {settings.model!r} needs an API key: set the environment variable {variable}, "
            "or base_url for a server that needs none"
        )
    return _NO_KEY


def _recording(settings: ModelSettings) -> RecordingCache | None:
    identity: dict[str, str | float | None] = {
        "model": settings.model,
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
    }
    if settings.record is not None:
        return RecordingCache(Path(settings.record), mode="record", identity=identity)
    if settings.replay is not None:
        return RecordingCache(Path(settings.replay), mode="replay", identity=identity)
    return None


def _without_refused_temperature(model: BaseChatModel, settings: ModelSettings) -> BaseChatModel:
    """Return `model`, sending no temperature where LangChain's profile says that the model takes none.

    Raises:
        UsageError: a temperature above 0 was asked of such a model.
    """
    if (model.profile or {}).get("temperature") is False and getattr(model, "temperature", None) is not None:
        if settings.temperature > 0:
            raise UsageError(f"The model {settings.model!r} takes no temperature: leave it at 0")
        model.temperature = None  # type: ignore[attr-defined]
    return model
