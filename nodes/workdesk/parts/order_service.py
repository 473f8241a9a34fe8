"""Answers of the order server's tools from a book, errors included; how they travel is the server's."""

from __future__ import annotations

import csv
import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, time
from pathlib import Path
from typing import Any

from mindatlas.nodes.storage import ensure_folder
from mindatlas.nodes.workdesk.parts import order_queries as queries
from mindatlas.nodes.workdesk.parts.order_book import last_day

NO_SUCH_TOOL, NO_SUCH_QUERY = 4005, 4006
_PAGE = 100
Handler = Callable[[Mapping[str, Any]], dict[str, Any]]


class OrderService:
    """Answers the tools' calls from a book, one at a time.

    Args:
        book: the order book; the end of its last day is "now" for what is written.
        exports: the folder that exported files go to.
    """

    def __init__(self, book: sqlite3.Connection, exports: Path) -> None:
        self._book = book
        self._exports = exports
        self._queries: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        now = datetime.combine(last_day(book), time(23, 59, 59))
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
            "order_remark": lambda args: queries.remark(book, args, now),
        }

    def answer(self, tool: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to a call: `{"code": 0, "msg": "ok", "data"}`, or a code and why not."""
        handler = self._handlers.get(tool)
        if handler is None:
            return {"code": NO_SUCH_TOOL, "msg": f"no such tool: {tool}"}
        try:
            with self._lock:
                return {"code": 0, "msg": "ok", "data": handler(args)}
        except queries.ToolError as error:
            return {"code": error.code, "msg": str(error)}

    def _list(self, args: Mapping[str, Any]) -> dict[str, Any]:
        return {**queries.listing(self._book, args), "query_id": self._remembered(args)}

    def _remembered(self, args: Mapping[str, Any]) -> str:
        """Return the id of a query: the same for every page of it, and known after a restart of the server."""
        given = {name: args[name] for name in sorted(args) if args[name] not in ("", None)}
        query = {name: value for name, value in given.items() if name not in ("page_no", "page_size")}
        text = json.dumps(query, ensure_ascii=False, default=str)
        name = f"Q-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"
        self._queries[name] = query
        with suppress(sqlite3.OperationalError), self._book:  # a book that is read only, or busy
            self._book.execute("INSERT OR IGNORE INTO queries VALUES (?, ?)", [name, text])
        return name

    def _query(self, name: str) -> dict[str, Any]:
        if name in self._queries:
            return self._queries[name]
        row = self._book.execute("SELECT arguments FROM queries WHERE query_id = ?", [name]).fetchone()
        if row is None:
            raise queries.ToolError(NO_SUCH_QUERY, f"invalid query_id: {name}")
        query: dict[str, Any] = json.loads(row[0])
        return query

    def _export(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Write all orders of an earlier listing to a file."""
        name, kind = str(args.get("query_id") or ""), str(args.get("file_type") or "xlsx")
        query = self._query(name)
        if kind not in ("xlsx", "csv"):
            raise queries.ToolError(4002, f"invalid file_type: {kind}")
        rows = self._all(query)
        target = ensure_folder(self._exports) / f"orders-{name}.{kind}"
        _write(target, rows)
        return {"file": str(target), "rows": len(rows)}

    def _all(self, query: Mapping[str, Any]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        while True:
            turned = {**query, "page_no": len(rows) // _PAGE + 1, "page_size": _PAGE}
            page = queries.listing(self._book, turned)
            rows.extend(page["list"])
            if len(rows) >= page["total"]:
                return rows


def _write(target: Path, rows: Sequence[Mapping[str, Any]]) -> None:
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
