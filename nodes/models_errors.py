"""Turns the exceptions of a model call into those of mindatlas, with what to check."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from langchain_core.exceptions import (
    ContextOverflowError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelError,
    ModelInvalidRequestError,
    ModelNotFoundError,
    ModelPermissionDeniedError,
    ModelRateLimitError,
    ModelRefusalError,
    ModelTimeoutError,
)

from mindatlas.nodes.errors import MindatlasError, ModelReplyError, ModelTransportError, SetupError

_ADVICE: tuple[tuple[type[Exception], type[MindatlasError], str], ...] = (
    (ModelAuthenticationError, SetupError, "check the API key"),
    (ModelPermissionDeniedError, SetupError, "check what the API key may use"),
    (ModelNotFoundError, SetupError, "check the model name and the address, whose path is often /v1"),
    (ModelTimeoutError, ModelTransportError, "raise the timeout, or cap the reply with max_tokens"),
    (ModelConnectionError, ModelTransportError, "check that the server runs and the address is right"),
    (ModelRateLimitError, ModelTransportError, "wait, or run fewer calls at once"),
    (ModelAPIError, ModelTransportError, "the server failed: try again, or read its log"),
    (
        ContextOverflowError,
        ModelTransportError,
        "the prompt is too long for the model: shorten it",
    ),
    (ModelInvalidRequestError, ModelTransportError, "the server refused the request: check the settings"),
    (ModelRefusalError, ModelReplyError, "the model declined: rephrase the request"),
    (TimeoutError, ModelTransportError, "raise the timeout, or cap the reply with max_tokens"),
    (OSError, ModelTransportError, "check that the server runs and the address is right"),
)
_FALLBACK = "check the address, the model name and the settings"


@contextmanager
def provider_errors(model: object) -> Iterator[None]:
    """Raise what goes wrong in a call of `model` as an error of mindatlas that says what to check.

    `model` is a LangChain chat model or embeddings object: its address goes into the message.

    The provider packages retry on their own; what arrives here has outlived the retries.

    Raises:
        ModelTransportError: no reply came.
        ModelReplyError: a reply came that cannot be read, was cut off or is a refusal.
        SetupError: the key or the model's name was rejected.
    """
    try:
        yield
    except MindatlasError:
        raise
    except _transport_types() as error:
        raise _translate(error, model) from error
    except (ValueError, TypeError, KeyError) as error:
        raise ModelReplyError(
            f"The model at {address_of(model)} sent a reply that cannot be read: {_short(error)}"
        ) from error


def address_of(model: object) -> str:
    """Return the address `model` sends to, without credentials, or its class where it names none."""
    for name in ("openai_api_base", "base_url", "anthropic_api_url"):
        if isinstance(address := getattr(model, name, None), str):
            return repr(re.sub(r"//[^@/]*@", "//", address))
    return f"the default address of {type(model).__name__}"


def _transport_types() -> tuple[type[Exception], ...]:
    """Return the exception types of a failed call, of the provider packages that are loaded."""
    types: list[type[Exception]] = [ModelError, OSError]
    for module, name in (("openai", "OpenAIError"), ("httpx", "HTTPError"), ("httpx2", "HTTPError")):
        if module in sys.modules:
            types.append(getattr(sys.modules[module], name))
    return tuple(types)


def _translate(error: Exception, model: object) -> MindatlasError:
    if type(error).__name__ in {"LengthFinishReasonError", "ContentFilterFinishReasonError"}:
        return ModelReplyError(f"The model's reply was cut off: {_short(error)}")
    for kind, raised, advice in _ADVICE:
        if isinstance(error, kind):
            return raised(f"The call to {address_of(model)} failed: {_short(error)}; {advice}")
    return ModelTransportError(f"The call to {address_of(model)} failed: {_short(error)}; {_FALLBACK}")


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 300 else f"{text[:300]}…"
