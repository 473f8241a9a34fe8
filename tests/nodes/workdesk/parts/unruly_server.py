"""An MCP server that misbehaves on demand: dies, hangs, floods, talks nonsense, pages for ever. Run as a script."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

server: Server[Any, Any] = Server("unruly")
SCHEMA = {"type": "object", "properties": {"start_time": {"type": "string"}, "end_time": {"type": "string"}}}
NAMES = ["hello", "die", "hang", "flood", "fail", "chat", "misshape", "code", "note"]
WRONG = {"type": "object", "properties": {"figure": {"type": "integer"}}, "required": ["figure"]}


@server.list_tools()  # type: ignore[no-untyped-call, untyped-decorator]
async def list_tools(request: types.ListToolsRequest) -> types.ListToolsResult:
    params = getattr(request, "params", None)  # the SDK itself asks without a request
    start = int(params.cursor or 0) if params else 0
    endless = "--endless" in sys.argv
    names = NAMES[start : start + 2] or (["hello"] if endless else [])
    more = str(start + 2) if endless or start + 2 < len(NAMES) else None
    read = types.ToolAnnotations(readOnlyHint=True)
    tools = [
        types.Tool(
            name=name,
            inputSchema=SCHEMA,
            annotations=None if name == "note" else read,
            outputSchema=WRONG if name == "hello" and "--wrong" in sys.argv else None,
        )
        for name in names
    ]
    return types.ListToolsResult(tools=tools, nextCursor=more)


@server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]
async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    match name:
        case "die":
            os._exit(1)
        case "hang":
            await asyncio.Event().wait()
        case "fail":
            raise ValueError("no such order")
        case "chat":
            os.write(1, b'Loading the model...\n\xb9\xa4\xb5\xa5\n{"jsonrpc": 1}\n')
        case "misshape":
            request = server.request_context.request_id
            reply = {"jsonrpc": "2.0", "id": request, "result": {"content": "many"}}
            os.write(1, json.dumps(reply).encode() + b"\n")
            await asyncio.Event().wait()
        case "code":
            raise_by_protocol()
        case "note":
            with Path(str(arguments["file"])).open("a", encoding="utf-8") as file:
                file.write("note\n")
            if arguments.get("then") == "die":
                os._exit(1)
    text = "x" * 300_000 if name == "flood" else f'[{{"pid": {os.getpid()}}}]'
    structured = {"figure": "many"} if "--wrong" in sys.argv else None
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structuredContent=structured
    )


def raise_by_protocol() -> None:
    """Answer the running request by the protocol's error -32000, which the SDK also uses for a closed connection."""
    error = {"code": -32000, "message": "too many requests"}
    reply = {"jsonrpc": "2.0", "id": server.request_context.request_id, "error": error}
    os.write(1, json.dumps(reply).encode() + b"\n")


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if "--stubborn" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "--silent" in sys.argv:
        sys.stdin.read()
    elif "--broken" in sys.argv:
        sys.exit("the database is missing")
    else:
        asyncio.run(main())
    if "--stubborn" in sys.argv:
        threading.Event().wait()
