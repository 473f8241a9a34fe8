"""The tools of MCP servers for code that is not asynchronous: one loop in a thread of its own owns the sessions.

Example:
    >>> access = McpAccess(default_servers(), overlays=load_overlays())  # doctest: +SKIP
    >>> [card.name for card in access.cards()][:2]  # doctest: +SKIP
    ['order_stat', 'order_list']
"""

from __future__ import annotations

import asyncio
import atexit
import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from mcp import McpError
from pydantic import ValidationError

from mindatlas.nodes.errors import SetupError
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.directory_pages import MOST_NAMES, read_pages
from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig
from mindatlas.nodes.workdesk.parts.mcp_link import NotReachedError, ServerGoneError
from mindatlas.nodes.workdesk.parts.mcp_loop import LoopThread, Work
from mindatlas.nodes.workdesk.parts.mcp_session import SessionHolder
from mindatlas.nodes.workdesk.parts.overlay_fit import fit_cards
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from mindatlas.nodes.workdesk.parts.tool_names import native_name, with_own_names
from mindatlas.nodes.workdesk.parts.tool_results import failed_result, to_result

Returned = TypeVar("Returned")
_SPARE_S = 10.0  # for asking a server whether it is still there
_END_TIMEOUT_S = 30.0  # a server that does not end on its own is killed after some seconds
_DIRECTORY_CALLS = 3  # a directory of many pages may take so many times as long as one call
_UNKNOWN = "; whether it was carried out is not known, and it is not made again"


class McpAccess:
    """The tools of all servers. Servers start when first needed and end with `close` or the process.

    Args:
        servers: how each is reached, by name.
        overlays: what is known of their tools, by server.
        timeout_s: seconds that one call may take.
        start_timeout_s: seconds that a server may take to start, and again to list its tools.
        max_rows: rows of one result that are kept.
    """

    def __init__(
        self,
        servers: Mapping[str, ServerConfig],
        *,
        overlays: Mapping[str, ServerOverlay],
        timeout_s: float = 30.0,
        start_timeout_s: float = 30.0,
        max_rows: int = 200,
    ) -> None:
        self._servers = servers
        self._overlays = overlays
        self._timeout_s = timeout_s
        self._start_timeout_s = start_timeout_s
        self._max_rows = max_rows
        self._lock = threading.RLock()
        self._loop: LoopThread | None = None
        self._holders: dict[str, SessionHolder] = {}
        self._cards: dict[str, ToolCard] = {}
        self._notices: list[str] = []
        self._directories: dict[str, ToolResult] = {}

    def cards(self) -> Sequence[ToolCard]:
        """Return all tools; a server that does not start is left out and named in `notices`.

        Raises:
            SetupError: no server starts, or none offers a tool.
        """
        with self._lock:
            if not self._cards:
                self._list()
            return tuple(self._cards.values())

    def notices(self) -> Sequence[str]:
        """Return what the user should know of the servers, once their tools are listed."""
        self.cards()
        return tuple(self._notices)

    def call(self, call: CheckedCall) -> ToolResult:
        """Return what `call` brought; a reading call is made once more where the server had ended."""
        return self._call(call, self._max_rows)

    def directory(self, tool: str, args: Mapping[str, Any]) -> ToolResult:
        """Return all rows of a read-only directory tool, at most 10,000, remembered while the access is open."""
        key = json.dumps([tool, dict(args)], sort_keys=True, default=str)
        if key in self._directories:
            return self._directories[key]
        call = CheckedCall(id=f"directory-{tool}", tool=tool, args=dict(args), repairs=[], clock="")
        if refused := self._refusal(call, reading=True):
            return refused

        def ask(given: dict[str, Any]) -> ToolResult:
            return self._call({**call, "args": given}, MOST_NAMES)

        within = _DIRECTORY_CALLS * self._timeout_s
        result = read_pages(self._cards[tool], args, ask, within_s=within)
        return result if result["error"] else self._directories.setdefault(key, result)

    def close(self) -> None:
        """End the sessions and the servers that were started; what is used afterwards opens anew."""
        with self._lock:
            loop, holders = self._loop, self._holders
            self._loop, self._holders, self._directories = None, {}, {}
        if loop is not None:
            atexit.unregister(self.close)
            loop.close(lambda: _closed(list(holders.values())), _END_TIMEOUT_S)

    def _list(self) -> None:
        try:
            listed = self._run(self._all_tools, 2 * self._start_timeout_s + _SPARE_S)
        except TimeoutError as error:
            raise SetupError(f"The servers do not start in time: {', '.join(self._servers)}") from error
        tools: list[ServerTool] = []
        failures = [outcome for outcome in listed if isinstance(outcome, str)]
        for outcome in listed:
            tools += [] if isinstance(outcome, str) else outcome
        if not tools:
            raise SetupError("; ".join(failures) or f"No server offers a tool: {', '.join(self._servers)}")
        fitted, notices = fit_cards(tools, self._overlays)
        self._cards, renamed = with_own_names(fitted)
        self._notices = [*failures, *notices, *renamed]

    async def _all_tools(self) -> list[list[ServerTool] | str]:
        return await asyncio.gather(*map(self._tools_of, self._servers))

    async def _tools_of(self, server: str) -> list[ServerTool] | str:
        """Return the server's tools, or why there are none."""
        try:
            tools = await self._holder(server).tools()
        except ServerGoneError as error:
            return str(error)
        except (TimeoutError, McpError, ValidationError) as error:
            why = "not in time" if isinstance(error, TimeoutError) else str(error)
            return f"The server {server!r} does not list its tools: {why}"
        return [
            ServerTool(
                server=server,
                name=tool.name,
                description=tool.description or "",
                input_schema=tool.inputSchema,
                read_only=tool.annotations.readOnlyHint if tool.annotations else None,
            )
            for tool in tools
        ]

    def _holder(self, server: str) -> SessionHolder:
        """Return the server's holder; called on the loop alone."""
        if server not in self._holders:
            self._holders[server] = SessionHolder(
                server, self._servers[server], start_timeout_s=self._start_timeout_s
            )
        return self._holders[server]

    def _refusal(self, call: CheckedCall, *, reading: bool = False) -> ToolResult | None:
        """Return why a call is not made at all: no servers, no such tool, or one that may write to read from."""
        try:
            self.cards()
        except SetupError as error:
            return failed_result(call, "server_gone", str(error))
        card = self._cards.get(call["tool"])
        if card is None:
            return failed_result(call, "unknown_tool", f"There is no tool {call['tool']!r}")
        if reading and not card.read_only:
            why = f"The tool {call['tool']!r} is not known to change nothing, so no names are read from it"
            return failed_result(call, "declined", why)
        return None

    def _call(self, call: CheckedCall, max_rows: int) -> ToolResult:
        if refused := self._refusal(call):
            return refused
        card = self._cards[call["tool"]]
        most = 2 * (self._timeout_s + self._start_timeout_s + _SPARE_S)
        try:
            return self._run(lambda: self._asked(call, card, max_rows), most)
        except TimeoutError:
            return failed_result(call, "timeout", f"The tool {call['tool']!r} gave no reply")
        except ConnectionAbortedError as error:
            return failed_result(call, "server_gone", str(error))

    async def _asked(self, call: CheckedCall, card: ToolCard, max_rows: int) -> ToolResult:
        holder = self._holder(card.tool.server)
        native, once = native_name(card.tool), not card.read_only
        for last in (True,) if once else (False, True):
            try:
                reply = await holder.call(native, call["args"], self._timeout_s, sure=once)
                return to_result(call, reply, card.overlay.output, max_rows=max_rows)
            except TimeoutError:
                why = f"The tool {card.name!r} gave no reply within {self._timeout_s:g} s"
                return failed_result(call, "timeout", why + _UNKNOWN * once)
            except McpError as error:
                return failed_result(call, "tool_error", str(error) or "The server turned the call down")
            except ValidationError as error:
                why = f"The reply of {card.name!r} is none of MCP: {error.errors()[0]['msg']}"
                return failed_result(call, "tool_error", why)
            except ServerGoneError as error:
                sent = not isinstance(error, NotReachedError)
                if last or not sent:
                    return failed_result(call, "server_gone", str(error) + _UNKNOWN * (once and sent))
        raise AssertionError("the last round returns")

    def _run(self, work: Work[Returned], timeout_s: float) -> Returned:
        """Return what `work` brings on the loop, which starts when it is first needed."""
        with self._lock:
            if self._loop is None:
                self._loop = LoopThread("mcp-sessions")
                atexit.register(self.close)
            loop = self._loop
        return loop.run(work, timeout_s)


async def _closed(holders: Sequence[SessionHolder]) -> None:
    await asyncio.gather(*(holder.close() for holder in holders))
