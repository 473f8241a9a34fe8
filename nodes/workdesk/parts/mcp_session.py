"""One MCP session, owned by one task of an event loop, so that it opens and closes in the same place."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import IO, Any, TypeVar

from langchain_mcp_adapters.sessions import Connection, create_session
from mcp import ClientSession, McpError, types
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client

from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig

Returned = TypeVar("Returned")
_REQUEST_TIMEOUT = 408  # the code of an McpError for a reply that did not come in time
_GRACE_S = 1.0
_TAIL = 2000  # characters of a server's error output that a message may hold


class ServerGoneError(Exception):
    """The server cannot be reached, has ended, or does not speak MCP."""


class SessionHolder:
    """Keeps a session to one server; opened when first used, and again after it died.

    All methods are coroutines of the one loop that owns the holder.
    """

    def __init__(self, name: str, config: ServerConfig, *, start_timeout_s: float) -> None:
        self.name = name
        self._config = config
        self._start_timeout_s = start_timeout_s
        self._owner: asyncio.Task[None] | None = None
        self._session: ClientSession | None = None
        self._stop = asyncio.Event()
        self._lock = asyncio.Lock()

    async def tools(self) -> list[types.Tool]:
        """Return all tools, page by page."""
        tools: list[types.Tool] = []
        cursor: str | None = None
        while True:
            request = partial(ClientSession.list_tools, cursor=cursor)
            page = await self._guarded(request, self._start_timeout_s)
            tools.extend(page.tools)
            cursor = page.nextCursor
            if not cursor:
                return tools

    async def call(self, tool: str, args: Mapping[str, Any], timeout_s: float) -> types.CallToolResult:
        """Return the reply to one call.

        Raises:
            ServerGoneError: the server has ended, now or before.
            TimeoutError: no reply came within `timeout_s`.
            McpError: the server turned the call down.
        """
        wait = timedelta(seconds=timeout_s)
        return await self._guarded(
            lambda session: session.call_tool(tool, dict(args), read_timeout_seconds=wait),
            timeout_s + _GRACE_S,
        )

    async def close(self) -> None:
        """End the session and, where it was started here, the server."""
        self._stop.set()
        if self._owner is not None:
            await asyncio.wait({self._owner}, timeout=10)
            self._owner.cancel()

    async def _guarded(
        self, request: Callable[[ClientSession], Coroutine[Any, Any, Returned]], timeout_s: float
    ) -> Returned:
        """Return what `request` brings, unless the session ends first."""
        session = await self._connected()
        owner = self._owner
        assert owner is not None
        asked = asyncio.ensure_future(request(session))
        try:
            done, _ = await asyncio.wait(
                {asked, owner}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            if not asked.done():
                asked.cancel()
        if asked in done:
            return await self._answered(asked)
        if owner in done:
            raise ServerGoneError(f"The server {self.name!r} has ended")
        raise TimeoutError

    async def _answered(self, asked: asyncio.Future[Returned]) -> Returned:
        try:
            return asked.result()
        except McpError as error:
            if error.error.code == _REQUEST_TIMEOUT:
                raise TimeoutError from error
            if error.error.code == types.CONNECTION_CLOSED:
                await self._lost()
                raise ServerGoneError(f"The server {self.name!r} has ended") from error
            raise
        except (OSError, EOFError, RuntimeError) as error:
            await self._lost()
            raise ServerGoneError(f"The server {self.name!r} cannot be reached: {error!r}") from error
        except Exception as error:  # closed streams of anyio and errors of HTTP clients have no common base
            if type(error).__module__.split(".")[0] not in ("anyio", "httpx", "httpcore", "websockets"):
                raise
            await self._lost()
            raise ServerGoneError(f"The server {self.name!r} cannot be reached: {error!r}") from error

    async def _lost(self) -> None:
        self._session = None
        if self._owner is not None:
            self._owner.cancel()
            await asyncio.wait({self._owner}, timeout=10)

    async def _connected(self) -> ClientSession:
        async with self._lock:
            if self._session is not None and self._owner is not None and not self._owner.done():
                return self._session
            ready: asyncio.Future[ClientSession] = asyncio.get_running_loop().create_future()
            self._owner = asyncio.create_task(self._own(ready))
            try:
                return await asyncio.wait_for(asyncio.shield(ready), self._start_timeout_s)
            except TimeoutError as error:
                self._owner.cancel()
                raise ServerGoneError(
                    f"The server {self.name!r} did not start within {self._start_timeout_s:g} s"
                ) from error

    async def _own(self, ready: asyncio.Future[ClientSession]) -> None:
        """Open the session, hand it over, and keep it until it is to stop; a failure goes to who waits."""
        self._stop.clear()
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
            try:
                async with self._opened(said) as session:
                    await session.initialize()
                    self._session = session
                    ready.set_result(session)
                    await self._stop.wait()
            except BaseException as error:
                if not ready.done():
                    ready.set_exception(ServerGoneError(_why(self.name, error, said)))
                elif isinstance(error, asyncio.CancelledError):
                    raise
            finally:
                self._session = None

    @asynccontextmanager
    async def _opened(self, said: IO[str]) -> AsyncIterator[ClientSession]:
        """Yield a session that is not yet initialized; a started server's error output goes to `said`."""
        config = self._config
        if config.command is None:
            connection: Any = {"transport": config.way(), "url": config.url}
            if config.headers:
                connection["headers"] = config.headers
            typed: Connection = connection
            async with create_session(typed) as session:
                yield session
            return
        parameters = StdioServerParameters(
            command=config.command,
            args=list(config.args),
            env={**get_default_environment(), **config.env},
            cwd=config.cwd,
        )
        async with (
            stdio_client(parameters, errlog=said) as (read, write),  # type: ignore[arg-type]
            ClientSession(read, write) as session,
        ):
            yield session


def _why(name: str, error: BaseException, said: IO[str]) -> str:
    """Return why a server did not start: the innermost error, and the last that the server said."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    said.seek(0)
    tail = said.read()[-_TAIL:].strip()
    reason = str(error) or type(error).__name__
    return f"The server {name!r} cannot be started: {reason}" + (f"; it said: {tail}" if tail else "")
