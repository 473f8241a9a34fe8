"""The settings of AtlasSplit and the live parts that its nodes use."""

from __future__ import annotations

import atexit
import datetime as dt
import math
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal, get_args

from langchain_core.language_models import BaseChatModel

from mindatlas.nodes.atlassplit.parts.book_reader import BookReader
from mindatlas.nodes.atlassplit.parts.chat_assertion_writer import ChatAssertionWriter
from mindatlas.nodes.atlassplit.parts.chat_code_writer import ChatCodeWriter
from mindatlas.nodes.atlassplit.parts.code_writer import AssertionWriter, CodeWriter
from mindatlas.nodes.atlassplit.parts.execution import Limits, Tier
from mindatlas.nodes.atlassplit.parts.faulty_code_writer import FaultyCodeWriter
from mindatlas.nodes.atlassplit.parts.planned_code_writer import PlannedAssertionWriter, PlannedCodeWriter
from mindatlas.nodes.atlassplit.parts.result_store import ResultStore
from mindatlas.nodes.atlassplit.parts.sandbox import Sandbox
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models import ModelSettings, faulty_seed, model_kind, open_chat_model
from mindatlas.nodes.storage import home

_CPU_SHARE = 0.75  # of the wall-clock limit, as in the sandbox's defaults
Repair = Literal[
    "schema_card",
    "propose_assertions",
    "precheck",
    "check_assertions",
    "structured_feedback",
    "column_constraint",
    "change_strategy",
    "second_writer",
]


@dataclass(frozen=True, kw_only=True)
class AtlasSplitSettings:
    """How a run of AtlasSplit works; JSON-like, passed as the graph's `context`.

    Attributes:
        model: `builtin`, `faulty[:seed]`, or `provider:model` for LangChain's `init_chat_model`.
        base_url: address of an OpenAI-compatible server.
        rounds: programs that may run, 1 to 10.
        regenerations: programs that the precheck may send back before each run, 0 to 5.
        token_budget: tokens of all model calls, after which no further round begins; None = no limit.
        cost_budget: the same in money, in the currency of prices.yaml.
        time_budget_s: the same in seconds of work, waiting for approval not counted.
        regeneration_budget: the same in programs that the precheck sent back.
        approve: wait for the user before a new program runs.
        private: no cell value leaves the machine or enters the audit.
        sandbox: `landlock`, or `subprocess` where code is trusted and Landlock is missing.
        run_timeout_s: seconds that one run of a program may take.
        include_hidden: read hidden sheets and rows, whatever the request says.
        today: the day that 今年 and last month are counted from, as ISO 8601; None is the day of the run.
        disabled: checks and repairs that are switched off, to measure what each gives.
    """

    model: str = "builtin"
    base_url: str | None = None
    timeout_s: float = 120.0
    max_retries: int = 2
    record: str | None = None
    replay: str | None = None
    rounds: int = 3
    regenerations: int = 2
    token_budget: int | None = None
    cost_budget: float | None = None
    time_budget_s: float | None = None
    regeneration_budget: int | None = None
    approve: bool = False
    private: bool = False
    sandbox: Tier = "landlock"
    run_timeout_s: float = 20.0
    include_hidden: bool = False
    today: str | None = None
    disabled: tuple[Repair, ...] = field(default=())

    def __post_init__(self) -> None:
        self.model_settings()
        for name, low, high in (("rounds", 1, 10), ("regenerations", 0, 5)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"The setting {name!r} must lie between {low} and {high}, not be {value!r}")
        for name in ("token_budget", "cost_budget", "time_budget_s", "regeneration_budget", "run_timeout_s"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise UsageError(f"The setting {name!r} must be above 0, not {value!r}")
        self.day()
        if self.sandbox not in ("landlock", "subprocess"):
            raise UsageError(f"The sandbox {self.sandbox!r} is unknown; expected landlock or subprocess")
        for name in self.disabled:
            if name not in get_args(Repair):
                known = ", ".join(get_args(Repair))
                raise UsageError(f"Cannot switch off {name!r}; known are {known}")
        object.__setattr__(self, "disabled", tuple(self.disabled))  # a list when it came as JSON

    def day(self) -> dt.date:
        """Return the day that a request is read on.

        Raises:
            UsageError: The setting is no date.
        """
        try:
            return dt.date.fromisoformat(self.today) if self.today else dt.date.today()  # noqa: DTZ011 - the user's own day
        except ValueError as error:
            raise UsageError(
                f"The setting 'today' must be a date such as 2024-06-30, not {self.today!r}"
            ) from error

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
class AtlasSplitParts:
    """The live things that the nodes of AtlasSplit use; a host may replace any of them.

    Attributes:
        settings: what they were opened with.
        reader: reads the workbooks.
        writer: writes the programs.
        asserters: propose what must hold of a result.
        sandbox: runs the programs.
        results: keeps results between nodes.
        second_writer: whose result a model's is compared with; None where the writer is made of rules itself.
    """

    settings: AtlasSplitSettings
    reader: BookReader
    writer: CodeWriter
    asserters: tuple[AssertionWriter, ...]
    sandbox: Sandbox
    results: ResultStore
    second_writer: CodeWriter | None = None

    def enabled(self, repair: Repair) -> bool:
        """Return whether `repair` is switched on."""
        return repair not in self.settings.disabled


@lru_cache(maxsize=8)
def open_parts(settings: AtlasSplitSettings) -> AtlasSplitParts:
    """Return the parts for `settings`, opened once; the sandbox's process starts with the first run.

    Raises:
        SetupError: a model, its key or its package is missing.
    """
    chat = open_chat_model(settings.model_settings()) if model_kind(settings.model) == "chat" else None
    planned = PlannedCodeWriter(settings.day)
    proposing = (ChatAssertionWriter(chat, private=settings.private),) if chat else ()
    return AtlasSplitParts(
        settings=settings,
        reader=BookReader(home() / "cache" / "workbooks", include_hidden=settings.include_hidden),
        writer=_writer(planned, chat, settings.model),
        asserters=(*proposing, PlannedAssertionWriter(settings.day)),
        sandbox=open_sandbox(settings.sandbox, settings.run_timeout_s),
        results=ResultStore(home() / "cache" / "results"),
        second_writer=planned if chat and "second_writer" not in settings.disabled else None,
    )


@cache
def open_sandbox(tier: Tier, run_timeout_s: float) -> Sandbox:
    """Return the one sandbox of this process for these limits; its process ends with this one."""
    sandbox = Sandbox(
        tier=tier, limits=Limits(wall_s=run_timeout_s, cpu_s=math.ceil(run_timeout_s * _CPU_SHARE))
    )
    atexit.register(sandbox.close)
    return sandbox


def _writer(planned: CodeWriter, chat: BaseChatModel | None, model: str) -> CodeWriter:
    if chat:
        return ChatCodeWriter(chat)
    return FaultyCodeWriter(planned, faulty_seed(model)) if model_kind(model) == "faulty" else planned
