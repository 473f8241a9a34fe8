"""Records as an answer: lists as tables, one record field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mindatlas.nodes.workdesk.parts.calls import ToolResult
from mindatlas.nodes.workdesk.parts.desk_tables import column_title, markdown_table
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, DeskTools
from mindatlas.nodes.workdesk.parts.reply_words import ReplyWords

_COLUMNS_SHOWN = 9
_NESTED_SHOWN = 20


class RecordsReply:
    """Writes rows as they are; internal codes that the overlay knows get their words."""

    def __init__(self, tools: DeskTools, words: ReplyWords) -> None:
        self._tools = tools
        self._words = words

    def rows(self, result: ToolResult) -> str:
        """Return the rows as a table under their number; a plain sentence where there are none."""
        rows = result["rows"]
        if not rows:
            return self._words.say("none")
        total = max(result["n_rows"], len(rows))
        key = "listed_all" if total == len(rows) else "listed"
        tool = self._tools.by_name(result["tool"])
        names = [name for name in rows[0] if not all(isinstance(row.get(name), list | dict) for row in rows)][
            :_COLUMNS_SHOWN
        ]
        header = [self._title(name, tool) for name in names]
        body = [[self._value(name, row.get(name), tool) for name in names] for row in rows]
        return f"{self._words.say(key, total=total, shown=len(rows))}\n\n{markdown_table(header, body)}"

    def record(self, result: ToolResult) -> str:
        """Return one record, a line for each field; lists in it become tables."""
        if not result["rows"]:
            return self._words.say("none")
        tool = self._tools.by_name(result["tool"])
        return "\n\n".join(self._one(row, tool) for row in result["rows"])

    def _one(self, row: Mapping[str, Any], tool: DeskTool | None) -> str:
        plain, tables = [], []
        for name, value in row.items():
            title = self._title(name, tool)
            if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
                tables.append(self._nested(title, value, tool))
            else:
                plain.append(f"- {title}: {self._value(name, value, tool)}")
        return "\n\n".join(["\n".join(plain), *tables])

    def _nested(self, title: str, items: Sequence[Mapping[str, Any]], tool: DeskTool | None) -> str:
        names = list(dict.fromkeys(name for item in items for name in item))
        header = [self._title(name, tool) for name in names]
        shown = items[:_NESTED_SHOWN]
        body = [[self._value(name, item.get(name), tool) for name in names] for item in shown]
        heading = self._words.say("field_list", name=title, count=len(items))
        return f"{heading}\n\n{markdown_table(header, body)}"

    def _title(self, name: str, tool: DeskTool | None) -> str:
        return column_title(name, tool.card if tool else None, self._words.language)

    def _value(self, name: str, value: Any, tool: DeskTool | None) -> str:
        """Return a cell's text; a code gets the word that any tool's overlay has for it."""
        if value is None or isinstance(value, list | dict):
            return "" if not value else str(value)
        for one in (tool, *self._tools.all):
            parameter = one.parameters.get(name) if one else None
            words = parameter.values.get(str(value)) if parameter else None
            if words:
                return next(
                    (word for word in words if word.isascii() == (self._words.language == "en")), words[0]
                )
        return " ".join(str(value).split())
