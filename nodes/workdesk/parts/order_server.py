"""An MCP server over the order book, built the way third-party servers are: that is what overlays are for.

Every parameter stands in `required`, descriptions are thin, codes are internal, an export needs the `query_id` of a
listing and nothing says so, and no tool has an output schema. `python -m mindatlas.nodes.workdesk.parts.order_server`
serves it on stdio; with `--http` as streamable HTTP on the loopback address.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server

from mindatlas.nodes.errors import MindatlasError, SetupError
from mindatlas.nodes.storage import home
from mindatlas.nodes.workdesk.parts.order_book import open_book
from mindatlas.nodes.workdesk.parts.order_service import NO_SUCH_QUERY, NO_SUCH_TOOL, OrderService

_FILTERS = {
    "time_type": "integer",
    "start_time": "string",
    "end_time": "string",
    "team_id": "string",
    "site_id": "string",
    "person_id": "string",
    "type_code": "string",
    "status": "integer",
    "priority": "integer",
    "overdue": "integer",
}
_PAGES = {"page_no": "integer", "page_size": "integer"}
_READS = types.ToolAnnotations(readOnlyHint=True)


def _tool(
    name: str,
    description: str,
    parameters: Mapping[str, str],
    annotations: types.ToolAnnotations | None = _READS,
) -> types.Tool:
    schema = {
        "type": "object",
        "properties": {one: {"type": kind, "description": one} for one, kind in parameters.items()},
        "required": list(parameters),
    }
    return types.Tool(name=name, description=description, inputSchema=schema, annotations=annotations)


TOOLS = (
    _tool("order_stat", "工单统计", {"group_by": "string", **_FILTERS}, annotations=None),
    _tool("order_list", "工单列表", {**_FILTERS, "keyword": "string", "sort_by": "string", **_PAGES}),
    _tool("order_get", "工单详情", {"order_id": "string"}),
    _tool("team_list", "班组列表", {"keyword": "string", **_PAGES}),
    _tool("site_list", "站点列表", {"keyword": "string", **_PAGES}),
    _tool("person_list", "人员列表", {"keyword": "string", "team_id": "string", **_PAGES}),
    _tool("type_dict", "类型字典", {}),
    _tool("status_dict", "状态字典", {}),
    _tool("order_export", "工单导出", {"query_id": "string", "file_type": "string"}, annotations=None),
    _tool("order_remark", "工单备注", {"order_id": "string", "content": "string"}, annotations=None),
)


_AS_ERRORS = (NO_SUCH_TOOL, NO_SUCH_QUERY)  # these come with isError, the others look like a reply


def make_server(service: Callable[[], OrderService]) -> Server[Any, Any]:
    """Return the MCP server; `service` is asked at each call which book answers it."""
    server: Server[Any, Any] = Server("orders")

    @server.list_tools()  # type: ignore[no-untyped-call, untyped-decorator]
    async def list_tools() -> list[types.Tool]:
        return list(TOOLS)

    @server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]  # its own schemas are wrong: nobody can fill in every parameter
    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        reply = await asyncio.to_thread(lambda: service().answer(name, arguments))
        text = types.TextContent(type="text", text=json.dumps(reply, ensure_ascii=False))
        return types.CallToolResult(content=[text], isError=reply["code"] in _AS_ERRORS)

    return server


async def serve_stdio(server: Server[Any, Any]) -> None:
    """Serve one client on stdin and stdout until it goes."""
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def serve_http(server: Server[Any, Any], port: int) -> None:
    """Serve streamable HTTP under /mcp on the loopback address; `port` 0 takes a free one and prints it.

    Raises:
        SetupError: the port is taken.
    """
    import contextlib
    import socket
    from collections.abc import AsyncIterator

    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
    from starlette.routing import Mount

    names = [
        "127.0.0.1:*",
        "localhost:*",
    ]  # a page of another site must not reach the tools by a name of its own
    guard = TransportSecuritySettings(
        allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
    )
    manager = StreamableHTTPSessionManager(app=server, security_settings=guard)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    app = Starlette(routes=[Mount("/mcp", app=manager.handle_request)], lifespan=lifespan)
    try:
        listener = socket.create_server(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        raise SetupError(f"Cannot serve on port {port}: {error}; name another with --port") from error
    with listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp/", flush=True)  # noqa: T201  the address is the output
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


def _services(until: date | None, file: Path | None) -> Callable[[], OrderService]:
    """Return what gives the service to use: that of one book, or of today's, which is another after midnight."""

    @lru_cache(maxsize=1)
    def of(last: date | None) -> OrderService:
        return OrderService(open_book(file, until=last), home() / "workdesk" / "exports")

    follows = until is None and file is None
    return lambda: of(date.today() if follows else until)  # noqa: DTZ011  the user's own day is meant


def main() -> None:
    """Serve the order book that the options name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--until", type=date.fromisoformat, help="last day of the book (default: today)")
    parser.add_argument("--db", type=Path, help="the book's file (default: kept under MINDATLAS_HOME)")
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP instead of stdio")
    parser.add_argument("--port", type=int, default=0, help="port for --http (default: a free one, printed)")
    options = parser.parse_args()
    service = _services(options.until, options.db)
    try:
        service()  # the book is made now, so that the first call does not wait and what is wrong with it shows
        if options.http:
            serve_http(make_server(service), options.port)
        else:
            asyncio.run(serve_stdio(make_server(service)))
    except MindatlasError as error:
        print(error, file=sys.stderr)  # noqa: T201  the reason is the output
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
