"""A server's session that comes back: opened when first used, and again after it has died."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, TypeVar

from mcp import ClientSession, types

from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig
from mindatlas.nodes.workdesk.parts.mcp_link import Link, Request, ServerGoneError

Returned = TypeVar("Returned")
_GRACE_S = 1.0
_PING_S = 5.0
_MOST_PAGES = 200  # of a list of tools; a server that goes on for ever is cut there


class SessionHolder:
    """Keeps a session to one server. All methods are coroutines of the one loop that owns the holder."""

    def __init__(self, name: str, config: ServerConfig, *, start_timeout_s: float) -> None:
        self.name = name
        self._config = config
        self._start_timeout_s = start_timeout_s
        self._link: Link | None = None
        self._lock = asyncio.Lock()
        self._ending: set[asyncio.Task[None]] = set()

    async def tools(self) -> list[types.Tool]:
        """Return all tools, page by page; the start's time is for all pages together.

        Raises:
            ServerGoneError: the server cannot be reached.
            TimeoutError: the list is not whole in time.
            McpError: the server turned the request down.
        """
        link = await self._linked(sure=False)
        tools: list[types.Tool] = []
        seen: set[str | None] = set()
        cursor: str | None = None
        async with asyncio.timeout(self._start_timeout_s):
            while cursor not in seen and len(seen) < _MOST_PAGES:
                seen.add(cursor)
                page = await self._reply(link, _listing(cursor), self._start_timeout_s)
                tools.extend(page.tools)
                cursor = page.nextCursor
                if not cursor:
                    break
        return tools

    async def call(
        self, tool: str, args: Mapping[str, Any], timeout_s: float, *, sure: bool
    ) -> types.CallToolResult:
        """Return the reply to one call, which is sent once.

        Args:
            tool: the server's own name of it.
            args: what it is given.
            timeout_s: seconds to wait for the reply.
            sure: ask the server for a sign of life first, and open a new session where there is none; for a call
                that must not be repeated, so that it does not fail for a session that was dead before.

        Raises:
            ServerGoneError: the server has ended, now or before.
            TimeoutError: no reply came within `timeout_s`.
            McpError: the server turned the call down.
            pydantic.ValidationError: the reply is none of MCP.
        """
        link = await self._linked(sure=sure)
        return await self._reply(link, _calling(tool, args, timeout_s), timeout_s + _GRACE_S)

    async def close(self) -> None:
        """End the session and, where it was started here, the server."""
        if self._link is not None:
            self._drop(self._link)
        if self._ending:
            await asyncio.wait(self._ending)

    async def _linked(self, *, sure: bool) -> Link:
        async with self._lock:
            link = self._link
            if link is not None and link.alive and (sure or link.suspect) and not await link.answers(_PING_S):
                self._drop(link)
            if self._link is None or not self._link.alive:
                self._link = await self._opened()
            return self._link

    async def _opened(self) -> Link:
        link = Link(self.name, self._config)
        try:
            await link.opened(self._start_timeout_s)
        except BaseException:  # a caller that gives up must leave no process behind either
            self._drop(link)
            raise
        return link

    async def _reply(self, link: Link, request: Request[Returned], timeout_s: float) -> Returned:
        try:
            return await link.reply(request, timeout_s)
        except ServerGoneError:
            self._drop(link)
            raise
        except TimeoutError:
            link.suspect = True
            raise

    def _drop(self, link: Link) -> None:
        """Let go of a link and end it meanwhile; one that another task has opened since stays."""
        if self._link is link:
            self._link = None
        ending = asyncio.create_task(link.close())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


def _listing(cursor: str | None) -> Request[types.ListToolsResult]:
    params = types.PaginatedRequestParams(cursor=cursor)
    return lambda session: session.list_tools(params=params)


def _calling(tool: str, args: Mapping[str, Any], timeout_s: float) -> Request[types.CallToolResult]:
    """Return the request for one call.

    It goes past `ClientSession.call_tool`, which fails a whole reply when a server's output schema is wrong.
    """
    params = types.CallToolRequestParams(name=tool, arguments=dict(args))
    request = types.ClientRequest(types.CallToolRequest(params=params))
    wait = timedelta(seconds=timeout_s)

    def send(session: ClientSession) -> Any:
        return session.send_request(request, types.CallToolResult, wait)

    return send
