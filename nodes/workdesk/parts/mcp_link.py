"""One opened MCP session and the task that owns it, so that it opens and closes in the same place."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import IO, Any, TypeVar

import anyio
from mcp import ClientSession, McpError, types

from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig
from mindatlas.nodes.workdesk.parts.mcp_transport import opened_session

Returned = TypeVar("Returned")
Request = Callable[[ClientSession], Coroutine[Any, Any, Returned]]
_BEAT_S = 2.0  # how often a remote server that owes a reply is asked whether it is still there
_END_S = 10.0  # closing a process asks it to end, then makes it, which takes the SDK up to 4 s
_TAIL = 2000  # characters of a server's error output that a message may hold
_REQUEST_TIMEOUT = 408  # the SDK's code for a reply that did not come in time
_NO_SESSION = (
    types.CONNECTION_CLOSED,
    32600,
)  # the SDK's codes for an ended session; servers use the first too
_SIGN_S = 2.0
_BROKEN = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, OSError, EOFError)


class ServerGoneError(Exception):
    """The server cannot be reached, has ended, or does not speak MCP."""


class NotReachedError(ServerGoneError):
    """No session could be opened, so nothing was sent."""


class Link:
    """A session to one server from its opening to its end; made on the loop that it lives on.

    Attributes:
        suspect: a reply did not come in time, so the server is asked for a sign of life before it is used again.
    """

    def __init__(self, name: str, config: ServerConfig) -> None:
        self.name = name
        self.suspect = False
        self._config = config
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[ClientSession] = asyncio.get_running_loop().create_future()
        self._why = ""
        self._said: IO[str] | None = None
        self._owner = asyncio.create_task(self._own())

    @property
    def alive(self) -> bool:
        """Whether the session was opened and is not known to have ended."""
        return self._ready.done() and not self._owner.done()

    async def opened(self, timeout_s: float) -> None:
        """Wait until the session can be used.

        Raises:
            NotReachedError: it cannot be opened, or not within `timeout_s`.
        """
        first: set[asyncio.Future[Any]] = {self._ready, self._owner}
        await asyncio.wait(first, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if self._ready.done():
            return
        if not self._owner.done():
            self._why = f"no MCP session within {timeout_s:g} s{self._words()}"
        raise NotReachedError(f"The server {self.name!r} cannot be used: {self._why}")

    async def reply(self, request: Request[Returned], timeout_s: float) -> Returned:
        """Return what `request` brings.

        Raises:
            ServerGoneError: the session has ended, now or before.
            TimeoutError: no reply came within `timeout_s`.
            McpError: the server turned the request down.
            pydantic.ValidationError: the reply is none of MCP.
        """
        asked = asyncio.ensure_future(request(self._ready.result()))
        try:
            await self._wait(asked, timeout_s)
            if not asked.done():
                raise ServerGoneError(f"The server {self.name!r} has ended: {self._why}")
            return asked.result()
        except McpError as error:
            if error.error.code == _REQUEST_TIMEOUT:
                raise TimeoutError from error
            if error.error.code in _NO_SESSION and not await self._gives_sign(_SIGN_S):
                raise self._gone(error) from error
            raise
        except _BROKEN as error:
            if isinstance(error, TimeoutError):
                raise
            raise self._gone(error) from error
        finally:
            asked.cancel()

    async def answers(self, timeout_s: float) -> bool:
        """Return whether the server gives a sign of life, be it that it knows no ping."""
        self.suspect = not await self._gives_sign(timeout_s)
        return not self.suspect

    async def close(self) -> None:
        """End the session and, where it was started here, the server."""
        self._stop.set()
        if not self._ready.done() and self._config.url is not None:
            self._owner.cancel()  # never a process that is just being started: it would be left alone
        await asyncio.wait({self._owner}, timeout=_END_S)
        if not self._owner.done():
            self._owner.cancel()
            await asyncio.wait({self._owner}, timeout=_END_S)

    async def _wait(self, asked: asyncio.Future[Any], timeout_s: float) -> None:
        """Wait for the reply or the end of the session. A remote server's end shows only when it is spoken to."""
        loop = asyncio.get_running_loop()
        end, remote = loop.time() + timeout_s, self._config.url is not None
        beat: asyncio.Task[bool] | None = None
        try:
            while (left := end - loop.time()) > 0:
                pause = min(left, _BEAT_S) if remote else left
                first = asyncio.FIRST_COMPLETED
                done, _ = await asyncio.wait({asked, self._owner}, timeout=pause, return_when=first)
                if done:
                    return
                if remote and (beat is None or beat.done()):
                    beat = asyncio.create_task(self._gives_sign(left))
            raise TimeoutError
        finally:
            if beat is not None:
                beat.cancel()

    async def _own(self) -> None:
        """Open the session, hand it over, and keep it until it is to stop; why it ended otherwise is noted."""
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
            self._said = said
            try:
                async with opened_session(self._config, said) as session:
                    await self._keep(session)
            except (
                Exception
            ) as error:  # whatever a transport raises, grouped: it is told, and the link is over
                self._why = _innermost(error) + self._words()
            finally:
                self._said = None

    async def _keep(self, session: ClientSession) -> None:
        """Begin the session and wait until it is to stop, which it may be before the server has answered."""
        begun = asyncio.ensure_future(session.initialize())
        stop = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait({begun, stop}, return_when=asyncio.FIRST_COMPLETED)
            if begun.done():
                begun.result()
                self._ready.set_result(session)
                await stop
        finally:
            begun.cancel()
            stop.cancel()

    async def _gives_sign(self, timeout_s: float) -> bool:
        request = types.ClientRequest(types.PingRequest())
        wait = timedelta(seconds=timeout_s)
        asked = asyncio.ensure_future(self._ready.result().send_request(request, types.EmptyResult, wait))
        try:
            await asyncio.wait({asked, self._owner}, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                return False
            asked.result()
        except McpError as error:
            return error.error.code not in (_REQUEST_TIMEOUT, *_NO_SESSION)
        except _BROKEN:
            return False
        finally:
            asked.cancel()
        return True

    def _gone(self, error: Exception) -> ServerGoneError:
        return ServerGoneError(f"The server {self.name!r} has ended: {_innermost(error)}{self._words()}")

    def _words(self) -> str:
        """Return the end of what the server wrote to its error output, for a message."""
        if self._said is None:
            return ""
        self._said.seek(0)
        tail = self._said.read()[-_TAIL:].strip()
        return f"; it said: {tail}" if tail else ""


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error).split("\n")[0] or type(error).__name__
