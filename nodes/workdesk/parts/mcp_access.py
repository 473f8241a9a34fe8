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
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from mcp import McpError

from mindatlas.nodes.errors import SetupError
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig
from mindatlas.nodes.workdesk.parts.mcp_session import ServerGoneError, SessionHolder
from mindatlas.nodes.workdesk.parts.overlay_fit import fit_cards
from mindatlas.nodes.workdesk.parts.overlay_model import ParameterRole, ServerOverlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from mindatlas.nodes.workdesk.parts.tool_results import failed_result, to_result

Returned = TypeVar("Returned")
_MOST_PAGES = 50
_MOST_NAMES = 10_000
_END_TIMEOUT_S = 30.0  # a server that does not end on its own is killed after some seconds


class McpAccess:
    """The tools of all servers. Servers start when first needed and end with `close` or the process.

    Args:
        servers: how each is reached, by name.
        overlays: what is known of their tools, by server.
        timeout_s: seconds that one call may take.
        start_timeout_s: seconds that a server may take to start and to list its tools.
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
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._holders: dict[str, SessionHolder] = {}
        self._cards: dict[str, ToolCard] = {}
        self._native: dict[str, str] = {}
        self._notices: list[str] = []
        self._directories: dict[str, ToolResult] = {}

    def cards(self) -> Sequence[ToolCard]:
        """Return all tools; a server that does not start is left out and named in `notices`.

        Raises:
            SetupError: no server starts.
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
        """Return all rows of a directory tool, at most 10,000, remembered while the access is open."""
        key = json.dumps([tool, dict(args)], sort_keys=True, default=str)
        with self._lock:
            if key not in self._directories:
                result = self._paged(tool, args)
                if result["error"]:
                    return result
                self._directories[key] = result
            return self._directories[key]

    def close(self) -> None:
        """End the sessions and the servers that were started; what is used afterwards opens anew."""
        with self._lock:
            if self._loop is None or self._thread is None:
                return
            self._submit(self._close_all(), _END_TIMEOUT_S)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=10)
            self._loop.close()
            self._loop = self._thread = None
            self._holders, self._directories = {}, {}
            atexit.unregister(self.close)

    def _list(self) -> None:
        listed = self._submit(self._all_tools(), 2 * self._start_timeout_s)
        tools: list[ServerTool] = []
        failures = [str(outcome) for outcome in listed.values() if isinstance(outcome, Exception)]
        for outcome in listed.values():
            tools += [] if isinstance(outcome, Exception) else outcome
        if not tools:
            raise SetupError("; ".join(failures) or f"No server offers a tool: {', '.join(self._servers)}")
        cards, notices = fit_cards(tools, self._overlays)
        self._notices = [*failures, *notices]
        for card in cards:
            self._add(card)

    def _add(self, card: ToolCard) -> None:
        """Take a tool in; one whose name another server has already is called by its server's name as well."""
        native, name = card.tool.name, card.tool.name
        if name in self._cards:
            name = f"{card.tool.server}__{native}"
            self._notices.append(
                f"Two servers offer {native!r}: that of {card.tool.server!r} is called {name!r}"
            )
            tool = card.tool
            card = ToolCard(
                tool=ServerTool(
                    server=tool.server,
                    name=name,
                    description=tool.description,
                    input_schema=tool.input_schema,
                    read_only=tool.read_only,
                ),
                overlay=card.overlay,
            )
        self._cards[name], self._native[name] = card, native

    async def _all_tools(self) -> dict[str, list[ServerTool] | Exception]:
        found = await asyncio.gather(*map(self._tools_of, self._servers))
        return dict(zip(self._servers, found, strict=True))

    async def _tools_of(self, server: str) -> list[ServerTool] | Exception:
        try:
            tools = await self._holder(server).tools()
        except TimeoutError:
            return ServerGoneError(f"The server {server!r} does not list its tools")
        except (ServerGoneError, McpError) as error:
            return error
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

    def _call(self, call: CheckedCall, max_rows: int) -> ToolResult:
        self.cards()
        card = self._cards.get(call["tool"])
        if card is None:
            return failed_result(call, "unknown_tool", f"There is no tool {call['tool']!r}")
        try:
            return self._submit(
                self._asked(call, card, max_rows), 3 * self._timeout_s + 2 * self._start_timeout_s
            )
        except TimeoutError:
            return failed_result(call, "timeout", f"The tool {call['tool']!r} gave no reply")

    async def _asked(self, call: CheckedCall, card: ToolCard, max_rows: int) -> ToolResult:
        holder = self._holder(card.tool.server)
        for attempt in range(2 if card.read_only else 1):
            try:
                reply = await holder.call(self._native[card.name], call["args"], self._timeout_s)
                return to_result(call, reply, card.overlay.output, max_rows=max_rows)
            except TimeoutError:
                wait = f"{self._timeout_s:g} s"
                return failed_result(call, "timeout", f"The tool {card.name!r} gave no reply within {wait}")
            except McpError as error:
                return failed_result(call, "tool_error", str(error) or "The server turned the call down")
            except ServerGoneError as error:
                if attempt or not card.read_only:
                    return failed_result(call, "server_gone", str(error))
        return failed_result(call, "server_gone", f"The server {card.tool.server!r} has ended")

    def _paged(self, tool: str, args: Mapping[str, Any]) -> ToolResult:
        self.cards()
        card = self._cards.get(tool)
        defaults = card.overlay.defaults if card else {}
        page = _parameter(card, "page")
        given = {**defaults, **args, **({page: 1} if page else {})}
        call = CheckedCall(id=f"directory-{tool}", tool=tool, args=given, repairs=[], clock="")
        result = self._call(call, _MOST_NAMES)
        rows = list(result["rows"])
        while page and not result["error"] and len(rows) < min(result["n_rows"], _MOST_NAMES):
            call["args"] = {**call["args"], page: call["args"][page] + 1}
            result = self._call(call, _MOST_NAMES)
            rows += result["rows"]
            if not result["rows"] or call["args"][page] == _MOST_PAGES:
                break
        return {**result, "args": dict(args), "rows": rows, "n_rows": max(len(rows), result["n_rows"])}

    def _submit(self, work: Coroutine[Any, Any, Returned], timeout_s: float) -> Returned:
        """Return what `work` brings on the loop, which starts when it is first needed."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="mcp-sessions", daemon=True
                )
                self._thread.start()
                atexit.register(self.close)
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(timeout_s)
        except TimeoutError:
            future.cancel()
            raise

    async def _close_all(self) -> None:
        await asyncio.gather(*(holder.close() for holder in self._holders.values()))


def _parameter(card: ToolCard | None, role: ParameterRole) -> str | None:
    known = card.overlay.parameters if card else {}
    return next((name for name, one in known.items() if one.role == role), None)
