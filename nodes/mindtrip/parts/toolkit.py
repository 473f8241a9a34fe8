"""The settings of MindTrip and the live parts that its nodes use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, get_args

from langchain_core.language_models import BaseChatModel

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.answers import Answerer
from mindatlas.nodes.mindtrip.parts.chat_answerer import ChatAnswerer
from mindatlas.nodes.mindtrip.parts.chat_negation import ChatNegationReader
from mindatlas.nodes.mindtrip.parts.extractive_answerer import ExtractiveAnswerer
from mindatlas.nodes.mindtrip.parts.faulty_answerer import FaultyAnswerer
from mindatlas.nodes.mindtrip.parts.knowledge_base import BUNDLED, KnowledgeBase, Library, require_name
from mindatlas.nodes.mindtrip.parts.negation import NegationReader, RuleNegationReader
from mindatlas.nodes.mindtrip.parts.reranker import Reranker
from mindatlas.nodes.models import ModelSettings, faulty_seed, model_kind, open_chat_model

Repair = Literal[
    "rewrite_negation", "set_aside_excluded", "read_constraints", "rerank", "widen", "verify_answer"
]


@dataclass(frozen=True, kw_only=True)
class MindTripSettings:
    """How a run of MindTrip works; JSON-like, passed as the graph's `context`.

    Attributes:
        kb: name or folder of the knowledge base.
        model: `builtin`, `faulty`, or `provider:model` for LangChain's `init_chat_model`.
        base_url: address of an OpenAI-compatible server.
        reranker: `builtin`, `auto` (bge-reranker-v2-m3 where its weights are here, else builtin) or `bge:MODEL`.
        rerank_budget_s: seconds a model reranker may take for one question; None = no limit.
        candidates: fused candidates kept, 1 to 10.
        passages: passages the answer may use, 1 to 3.
        attempts: how often an answer that fails its checks is asked for, 1 or 2.
        disabled: repairs that are switched off, to measure what each gives.
    """

    kb: str = BUNDLED
    model: str = "builtin"
    base_url: str | None = None
    timeout_s: float = 60.0
    max_retries: int = 2
    record: str | None = None
    replay: str | None = None
    reranker: str = "builtin"
    rerank_budget_s: float | None = None
    candidates: int = 10
    passages: int = 3
    attempts: int = 2
    disabled: tuple[Repair, ...] = field(default=())

    def __post_init__(self) -> None:
        require_name(self.kb)
        self.model_settings()
        for name, low, high in (("candidates", 1, 10), ("passages", 1, 3), ("attempts", 1, 2)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"The setting {name!r} must lie between {low} and {high}, not be {value!r}")
        if unknown := set(self.disabled) - set(get_args(Repair)):
            raise UsageError(
                f"There is no repair {sorted(unknown)[0]!r} to disable; expected: {', '.join(get_args(Repair))}"
            )
        object.__setattr__(self, "disabled", tuple(self.disabled))  # a list when it came as JSON

    def model_settings(self) -> ModelSettings:
        """Return the part of the settings that the chat model needs."""
        return ModelSettings(
            model=self.model,
            base_url=self.base_url,
            timeout_s=self.timeout_s,
            max_retries=self.max_retries,
            record=self.record,
            replay=self.replay,
        )


@dataclass(frozen=True, kw_only=True)
class MindTripParts:
    """The live things that the nodes of MindTrip use; a host may replace any of them.

    Attributes:
        settings: what they were opened with.
        knowledge_base: gives the current generation of the knowledge base.
        negation: reads what a question excludes.
        answerer: makes the answerer for a knowledge base.
        reranker: a model reranker, or None for the builtin one.
        reranker_name: the resolved name, as outputs show it.
        reranker_notice: why another reranker than the asked one is used.
    """

    settings: MindTripSettings
    knowledge_base: Callable[[], KnowledgeBase]
    negation: NegationReader
    answerer: Callable[[KnowledgeBase], Answerer]
    reranker: Reranker | None = None
    reranker_name: str = "builtin"
    reranker_notice: str = ""

    def enabled(self, repair: Repair) -> bool:
        """Return whether `repair` is switched on."""
        return repair not in self.settings.disabled


@lru_cache(maxsize=8)
def open_parts(settings: MindTripSettings) -> MindTripParts:
    """Return the parts for `settings`, opened once; heavy ones open when first used.

    Raises:
        SetupError: a model, its key or its package is missing.
    """
    library = Library()
    chat = open_chat_model(settings.model_settings()) if model_kind(settings.model) == "chat" else None
    reranker, name, notice = _open_reranker(settings)
    return MindTripParts(
        settings=settings,
        knowledge_base=lambda: library.get(settings.kb),
        negation=ChatNegationReader(chat) if chat else RuleNegationReader(),
        answerer=lambda base: _answerer(base, chat, settings.model),
        reranker=reranker,
        reranker_name=name,
        reranker_notice=notice,
    )


def _answerer(base: KnowledgeBase, chat: BaseChatModel | None, model: str) -> Answerer:
    if chat:
        return ChatAnswerer(chat)
    extractive = ExtractiveAnswerer(base.entities, base.english_name)
    return FaultyAnswerer(extractive, faulty_seed(model)) if model_kind(model) == "faulty" else extractive


def _open_reranker(settings: MindTripSettings) -> tuple[Reranker | None, str, str]:
    if settings.reranker == "builtin":
        return None, "builtin", ""
    from mindatlas.nodes.mindtrip.parts.model_reranker import open_reranker

    return open_reranker(settings.reranker, budget_s=settings.rerank_budget_s)
