"""How an MCP server is reached: a process that is started, or an address that is called."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO, Any

from langchain_mcp_adapters.sessions import Connection, create_session
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client

from mindatlas.nodes.storage import home
from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig

_SDK_LOGGERS = [logging.getLogger(f"mcp.client.{name}") for name in ("stdio", "streamable_http", "sse")]


@asynccontextmanager
async def opened_session(config: ServerConfig, said: IO[str]) -> AsyncIterator[ClientSession]:
    """Yield a session that is not yet initialized; a started server's error output goes to `said`."""
    for logger in _SDK_LOGGERS:
        logger.addFilter(_wanted)
    if config.command is None:
        async with create_session(_connection(config)) as session:
            yield session
        return
    async with (
        stdio_client(_process(config.command, config), errlog=said) as (read, write),  # type: ignore[arg-type]
        ClientSession(read, write) as session,
    ):
        yield session


def _wanted(record: logging.LogRecord) -> bool:
    """Keep out a traceback for every line that a server prints between its messages, unless debugging.

    What goes wrong is told in results and errors; the SDK's transports log it once more.
    """
    return logging.getLogger(record.name).isEnabledFor(logging.DEBUG)


def _connection(config: ServerConfig) -> Connection:
    connection: Any = {"transport": config.way(), "url": config.url}
    if config.headers:
        connection["headers"] = config.headers
    typed: Connection = connection
    return typed


def _process(command: str, config: ServerConfig) -> StdioServerParameters:
    """Return how the process is started: the SDK's few variables, where our stores lie, and the server's own.

    Output that is not UTF-8 becomes a line that is no message, instead of the end of the session.
    """
    return StdioServerParameters(
        command=command,
        args=list(config.args),
        env={**get_default_environment(), "MINDATLAS_HOME": str(home()), **config.env},
        cwd=config.cwd,
        encoding_error_handler="replace",
    )
