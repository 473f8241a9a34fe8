"""The settings of Workdesk and the live parts that its nodes use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path
from typing import get_args

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models import ModelSettings, faulty_seed, model_kind, open_chat_model
from mindatlas.nodes.workdesk.parts.builtin_planner import BuiltinPlanner
from mindatlas.nodes.workdesk.parts.builtin_reply_writer import BuiltinReplyWriter
from mindatlas.nodes.workdesk.parts.calls import RepairKind
from mindatlas.nodes.workdesk.parts.mcp_access import McpAccess
from mindatlas.nodes.workdesk.parts.mcp_config import default_servers, load_servers
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay
from mindatlas.nodes.workdesk.parts.overlays import load_overlays
from mindatlas.nodes.workdesk.parts.planning import CallPlanner, ReplyWriter
from mindatlas.nodes.workdesk.parts.tool_access import ToolAccess
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard
from mindatlas.nodes.workdesk.parts.tool_choice import ToolChooser
from mindatlas.nodes.workdesk.parts.write_journal import WriteJournal

_LIMITS = {
    "max_calls": (1, 20),
    "retries": (0, 1),
    "tools": (1, 50),
    "max_rows": (1, 10_000),
    "pseudo_call_length": (0, 10_000),
    "pseudo_call_coverage": (0, 1),
    "call_timeout_s": (0.1, 600),
}


@dataclass(frozen=True, kw_only=True)
class WorkdeskSettings:
    """How a run of Workdesk works; JSON-like, passed as the graph's `context`.

    Attributes:
        mcp: an mcp.json that names the tool servers; None starts the order server that ships with mindatlas.
        overlays: folders of overlay files; they win over those that ship with mindatlas.
        model: `builtin`, `faulty[:seed]`, or `provider:model` for LangChain's `init_chat_model`.
        base_url: address of an OpenAI-compatible server.
        today: the day, as YYYY-MM-DD, that 上个月 is counted from; None is the clock's.
        tools: how many tools are chosen for a question, 1 to 50.
        max_calls: how many calls one question may make, 1 to 20; runs of the other clock are not counted.
        retries: how often, in all, a malformed call or a bad reply is asked for again, 0 or 1.
        call_timeout_s: seconds that one call may take.
        max_rows: rows of one result that are kept; the rest is counted.
        pseudo_call_length: characters up to which a reply may be a pseudo call by the named rule.
        pseudo_call_coverage: share of the reply that the call's text must cover for that, 0 to 1.
        disabled: repairs that are switched off, to measure what each gives.
    """

    mcp: str | None = None
    overlays: tuple[str, ...] = ()
    model: str = "builtin"
    base_url: str | None = None
    timeout_s: float = 60.0
    max_retries: int = 2
    record: str | None = None
    replay: str | None = None
    today: str | None = None
    tools: int = 8
    max_calls: int = 8
    retries: int = 1
    call_timeout_s: float = 30.0
    max_rows: int = 200
    pseudo_call_length: int = 200
    pseudo_call_coverage: float = 0.4
    disabled: tuple[RepairKind, ...] = field(default=())

    def __post_init__(self) -> None:
        self.model_settings()
        for name, (low, high) in _LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"The setting {name!r} must lie between {low} and {high}, not be {value!r}")
        if unknown := set(self.disabled) - set(get_args(RepairKind)):
            raise UsageError(
                f"There is no repair {sorted(unknown)[0]!r} to disable; expected: {', '.join(get_args(RepairKind))}"
            )
        if self.today is not None:
            _day(self.today)
        for name in ("overlays", "disabled"):
            object.__setattr__(self, name, tuple(getattr(self, name)))  # a list when it came as JSON

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


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"The day {text!r} is not written as YYYY-MM-DD") from error


@dataclass(frozen=True, kw_only=True)
class WorkdeskParts:
    """The live things that the nodes of Workdesk use; a host may replace any of them.

    Attributes:
        settings: what they were opened with.
        access: the tools of all servers; opened when first used.
        overlays: what is known of the servers' tools, by server.
        planner: plans the calls.
        writer: writes the reply.
        journal: remembers which writing calls were begun, so that none is made twice.
    """

    settings: WorkdeskSettings
    access: ToolAccess
    overlays: Mapping[str, ServerOverlay]
    planner: CallPlanner
    writer: ReplyWriter
    journal: WriteJournal

    def enabled(self, kind: RepairKind) -> bool:
        """Return whether the repair `kind` is switched on."""
        return kind not in self.settings.disabled

    def today(self) -> date:
        """Return the day that relative times are counted from."""
        given = self.settings.today
        return date.today() if given is None else _day(given)  # noqa: DTZ011  the user's own day is meant

    @cached_property
    def cards(self) -> Mapping[str, ToolCard]:
        """All tools by name."""
        return {card.name: card for card in self.access.cards()}

    @cached_property
    def chooser(self) -> ToolChooser:
        """Chooses among the tools."""
        return ToolChooser(tuple(self.cards.values()), k=self.settings.tools)

    def close(self) -> None:
        """End the tool servers."""
        self.access.close()


@lru_cache(maxsize=4)
def open_parts(settings: WorkdeskSettings) -> WorkdeskParts:
    """Return the parts for `settings`, opened once; servers start when a tool is first needed.

    Raises:
        UsageError: a configuration or overlay file is wrong.
        SetupError: a model, its key or its package is missing.
    """
    servers = default_servers(settings.today) if settings.mcp is None else load_servers(Path(settings.mcp))
    overlays = load_overlays(tuple(map(Path, settings.overlays)))
    planner, writer = _open_writers(settings)
    return WorkdeskParts(
        settings=settings,
        access=McpAccess(
            servers,
            overlays=overlays,
            timeout_s=settings.call_timeout_s,
            max_rows=settings.max_rows,
        ),
        overlays=overlays,
        planner=planner,
        writer=writer,
        journal=WriteJournal(),
    )


def _open_writers(settings: WorkdeskSettings) -> tuple[CallPlanner, ReplyWriter]:
    kind = model_kind(settings.model)
    if kind == "chat":
        from mindatlas.nodes.workdesk.parts.chat_planner import ChatPlanner
        from mindatlas.nodes.workdesk.parts.chat_reply_writer import ChatReplyWriter

        model = open_chat_model(settings.model_settings())
        return ChatPlanner(model), ChatReplyWriter(model)
    if kind == "faulty":
        from mindatlas.nodes.workdesk.parts.faulty_planner import FaultyPlanner
        from mindatlas.nodes.workdesk.parts.faulty_reply_writer import FaultyReplyWriter

        seed = faulty_seed(settings.model)
        return FaultyPlanner(BuiltinPlanner(), seed), FaultyReplyWriter(BuiltinReplyWriter(), seed)
    return BuiltinPlanner(), BuiltinReplyWriter()
