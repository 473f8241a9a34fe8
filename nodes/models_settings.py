"""Which model a run uses and how it is reached: plain values, nothing opened."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Literal

from mindatlas.nodes.errors import UsageError

ModelKind = Literal["builtin", "faulty", "chat"]

_FAULTY = re.compile(r"faulty(?::(\d+))?")
_CHAT = re.compile(r"(?!(?:builtin|faulty):)[A-Za-z][\w-]*:\S+")

# The first name is the one to set; the others are read too. Providers not listed check on their own.
_KEY_VARIABLES = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "azure_openai": ("AZURE_OPENAI_API_KEY", "OPENAI_API_KEY"),
    "cohere": ("COHERE_API_KEY",),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "fireworks": ("FIREWORKS_API_KEY",),
    "google_genai": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "mistralai": ("MISTRAL_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "together": ("TOGETHER_API_KEY",),
    "xai": ("XAI_API_KEY",),
}


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """One model and the way to reach it.

    Attributes:
        model: a name that `model_kind` accepts.
        base_url: address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp, a provider's own), else the
            provider's default.
        api_key: sent to `base_url` or the provider; None takes the provider's environment variable.
        temperature: 0 asks for the most repeatable reply. A model that takes no temperature is sent none.
        timeout_s: seconds to wait for one reply.
        max_retries: how often a request that failed in transport is sent again.
        max_tokens: longest reply in tokens; None leaves it to the server.
        record: folder that real calls are recorded in.
        replay: folder whose recorded calls are replayed instead of any request.
    """

    model: str = "builtin"
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    temperature: float = 0.0
    timeout_s: float = 60.0
    max_retries: int = 2
    max_tokens: int | None = None
    record: str | None = None
    replay: str | None = None

    def __post_init__(self) -> None:
        kind = model_kind(self.model)
        if self.base_url is not None and not re.match(r"https?://", self.base_url):
            raise UsageError(f"base_url {self.base_url!r} must begin with http:// or https://")
        if self.temperature < 0 or self.timeout_s <= 0 or self.max_retries < 0:
            raise UsageError("temperature and max_retries must be at least 0, timeout_s above 0")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise UsageError(f"max_tokens {self.max_tokens!r} must be at least 1")
        if self.record and self.replay:
            raise UsageError("record and replay exclude each other: a replayed run makes no call to record")
        if kind != "chat" and (self.record or self.replay or self.base_url):
            raise UsageError(
                f"The model {self.model!r} makes no calls: base_url, record and replay need provider:model"
            )


def model_kind(name: str) -> ModelKind:
    """Return what `name` stands for: `"builtin"`, `"faulty"` (with or without a seed) or `"chat"`.

    Raises:
        UsageError: the name has none of the forms.
    """
    if name == "builtin":
        return "builtin"
    if _FAULTY.fullmatch(name):
        return "faulty"
    if _CHAT.fullmatch(name):
        return "chat"
    raise UsageError(
        f"Cannot read the model name {name!r}: write builtin, faulty, faulty:SEED (a whole number) "
        "or provider:model, such as openai:gpt-4.1-mini"
    )


def faulty_seed(name: str) -> int:
    """Return the seed in `"faulty:7"`; `"faulty"` alone has seed 0.

    Raises:
        UsageError: `name` is no faulty model.
    """
    match = _FAULTY.fullmatch(name)
    if match is None:
        raise UsageError(f"The model {name!r} has no seed: write faulty or faulty:SEED")
    return int(match[1] or 0)


def provider_of(name: str) -> str:
    """Return the provider in `"provider:model"`, lower case, with underscores as LangChain writes it."""
    return name.partition(":")[0].lower().replace("-", "_")


def missing_key(name: str) -> str | None:
    """Return the variable that lacks the key of `"provider:model"`; None where none is known to."""
    variables = _KEY_VARIABLES.get(provider_of(name), ())
    return variables[0] if variables and not any(os.environ.get(each) for each in variables) else None
