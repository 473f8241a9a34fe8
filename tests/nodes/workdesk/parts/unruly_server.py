"""An MCP server that misbehaves on demand: dies, hangs, floods, pages its tool list. Run as a script."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

server: Server[Any, Any] = Server("unruly")
SCHEMA = {"type": "object", "properties": {"start_time": {"type": "string"}, "end_time": {"type": "string"}}}
NAMES = ["hello", "die", "hang", "flood", "fail"]


@server.list_tools()  # type: ignore[no-untyped-call, untyped-decorator]
async def list_tools(request: types.ListToolsRequest) -> types.ListToolsResult:
    params = getattr(request, "params", None)  # the SDK itself asks without a request
    start = int(params.cursor or 0) if params else 0
    names = NAMES[start : start + 2]
    more = str(start + 2) if start + 2 < len(NAMES) else None
    read = types.ToolAnnotations(readOnlyHint=True)
    tools = [types.Tool(name=name, inputSchema=SCHEMA, annotations=read) for name in names]
    return types.ListToolsResult(tools=tools, nextCursor=more)


@server.call_tool()  # type: ignore[untyped-decorator]
async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.TextContent]:
    if name == "die":
        os._exit(1)
    if name == "hang":
        await asyncio.Event().wait()
    if name == "fail":
        raise ValueError("no such order")
    text = f'[{{"pid": {os.getpid()}}}]' if name == "hello" else "x" * 300_000
    return [types.TextContent(type="text", text=text)]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if "--silent" in sys.argv:
        sys.stdin.read()
    elif "--broken" in sys.argv:
        sys.exit("the database is missing")
    else:
        asyncio.run(main())
