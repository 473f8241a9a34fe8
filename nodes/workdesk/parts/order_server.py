"""An MCP server over the order book, built the way third-party servers are: that is what overlays are for.

Every parameter stands in `required`, descriptions are thin, codes are internal, an export needs the `query_id` of a
listing and nothing says so, and no tool has an output schema. `python -m mindatlas.nodes.workdesk.parts.order_server`
serves it on stdio; with `--http` as streamable HTTP on the loopback address.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import sqlite3
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server

from mindatlas.nodes.storage import ensure_folder, home
from mindatlas.nodes.workdesk.parts import order_queries as queries
from mindatlas.nodes.workdesk.parts.order_book import open_book

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
Handler = Callable[[Mapping[str, Any]], dict[str, Any]]


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


class OrderService:
    """Answers the tools' calls from a book.

    Args:
        book: the order book; its last day is "now" for what is written.
        exports: the folder that exported files go to.
    """

    def __init__(self, book: sqlite3.Connection, exports: Path) -> None:
        self._book = book
        self._exports = exports
        self._queries: list[dict[str, Any]] = []
        self._now = datetime.combine(
            date.fromisoformat(book.execute("SELECT until FROM book").fetchone()[0]), time(23, 59)
        )
        self._handlers: dict[str, Handler] = {
            "order_stat": lambda args: queries.statistics(book, args),
            "order_list": self._list,
            "order_get": lambda args: queries.record(book, args),
            "team_list": lambda args: queries.directory(book, args, "teams", "team_name"),
            "site_list": lambda args: queries.directory(book, args, "sites", "site_name"),
            "person_list": lambda args: queries.directory(book, args, "people", "person_name"),
            "type_dict": lambda _: queries.codes(book, "types"),
            "status_dict": lambda _: queries.codes(book, "statuses"),
            "order_export": self._export,
            "order_remark": lambda args: queries.remark(book, args, self._now),
        }

    def answer(self, tool: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to a call: `{"code": 0, "msg": "ok", "data"}`, or a code and why not."""
        handler = self._handlers.get(tool)
        if handler is None:
            return {"code": 4005, "msg": f"no such tool: {tool}"}
        try:
            return {"code": 0, "msg": "ok", "data": handler(args)}
        except queries.ToolError as error:
            return {"code": error.code, "msg": str(error)}

    def _list(self, args: Mapping[str, Any]) -> dict[str, Any]:
        found = queries.listing(self._book, args)
        self._queries.append(dict(args))
        return {**found, "query_id": f"Q-{len(self._queries):06d}"}

    def _export(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Write all orders of an earlier listing to a file."""
        name, kind = str(args.get("query_id") or ""), str(args.get("file_type") or "xlsx")
        known = {f"Q-{number:06d}": query for number, query in enumerate(self._queries, start=1)}
        if name not in known:
            raise queries.ToolError(4006, f"invalid query_id: {name}")
        if kind not in ("xlsx", "csv"):
            raise queries.ToolError(4002, f"invalid file_type: {kind}")
        rows = self._all(known[name])
        target = ensure_folder(self._exports) / f"orders-{name}.{kind}"
        _write(target, rows)
        return {"file": str(target), "rows": len(rows)}

    def _all(self, query: Mapping[str, Any]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        while True:
            page = queries.listing(self._book, {**query, "page_no": len(rows) // 100 + 1, "page_size": 100})
            rows.extend(page["list"])
            if len(rows) >= page["total"]:
                return rows


def _write(target: Path, rows: list[dict[str, Any]]) -> None:
    names = list(rows[0]) if rows else ["order_id"]
    if target.suffix == ".csv":
        with target.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)
        return
    import xlsxwriter

    with xlsxwriter.Workbook(str(target), {"strings_to_formulas": False}) as workbook:
        sheet = workbook.add_worksheet("orders")
        for number, row in enumerate([names, *([row[name] for name in names] for row in rows)]):
            sheet.write_row(number, 0, row)


def make_server(service: OrderService) -> Server[Any, Any]:
    """Return the MCP server over `service`."""
    server: Server[Any, Any] = Server("orders")

    @server.list_tools()  # type: ignore[no-untyped-call, untyped-decorator]
    async def list_tools() -> list[types.Tool]:
        return list(TOOLS)

    @server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]  # its own schemas are wrong: nobody can fill in every parameter
    async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.TextContent]:
        reply = await asyncio.to_thread(service.answer, name, arguments)
        return [types.TextContent(type="text", text=json.dumps(reply, ensure_ascii=False))]

    return server


async def serve_stdio(server: Server[Any, Any]) -> None:
    """Serve one client on stdin and stdout until it goes."""
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def serve_http(server: Server[Any, Any], port: int) -> None:
    """Serve streamable HTTP under /mcp on the loopback address; `port` 0 takes a free one and prints it."""
    import contextlib
    import socket
    from collections.abc import AsyncIterator

    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.routing import Mount

    manager = StreamableHTTPSessionManager(app=server)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    app = Starlette(routes=[Mount("/mcp", app=manager.handle_request)], lifespan=lifespan)
    with socket.create_server(("127.0.0.1", port)) as listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp/", flush=True)  # noqa: T201  the address is the output
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


def main() -> None:
    """Serve the order book that the options name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--until", type=date.fromisoformat, help="last day of the book (default: today)")
    parser.add_argument("--db", type=Path, help="the book's file (default: kept under MINDATLAS_HOME)")
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP instead of stdio")
    parser.add_argument("--port", type=int, default=0, help="port for --http (default: a free one, printed)")
    options = parser.parse_args()
    service = OrderService(open_book(options.db, until=options.until), home() / "workdesk" / "exports")
    server = make_server(service)
    if options.http:
        serve_http(server, options.port)
    else:
        asyncio.run(serve_stdio(server))


if __name__ == "__main__":
    main()
