"""Figures from rows: which column is the label and which the number, sums, differences, shares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mindatlas.nodes.text import is_cjk
from mindatlas.nodes.workdesk.parts.calls import ToolResult
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

Number = int | float
_COUNTS = ("cnt", "count", "num", "number", "total", "amount", "qty", "quantity", "value", "数量", "合计")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which columns of aggregated rows hold the key, the name to show and the figure."""

    key: str
    name: str
    figure: str


def columns_of(rows: Sequence[Mapping[str, Any]]) -> Columns | None:
    """Return what the columns of aggregated rows hold, None where no column, or no single one, is the figure.

    The figure is the one column of numbers, or of several the one that is called a count. Of the others the one
    that is called a name is shown, and the first is the key.
    """
    if not rows:
        return None
    names = list(rows[0])
    numeric = [name for name in names if all(_is_number(row.get(name)) for row in rows)]
    called = [name for name in numeric if name.casefold() in _COUNTS]
    figures = called or numeric
    if len(figures) != 1:
        return None
    others = [name for name in names if name != figures[0]]
    if not others:
        return Columns(key="", name="", figure=figures[0])
    shown = next((name for name in others if "name" in name.casefold() or "名" in name), others[0])
    return Columns(key=others[0], name=shown, figure=figures[0])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Figures by group: key -> figure, and key -> the name to show. A total has the one key ``""``."""

    values: Mapping[str, Number]
    names: Mapping[str, str]

    @property
    def total(self) -> Number:
        """The sum over all groups."""
        return sum(self.values.values())


def figures_of(result: ToolResult) -> Figures | None:
    """Return the figures of one result, None where its rows are no figures; no rows are no figures but zero."""
    rows = result["rows"]
    if not rows:
        return Figures(values={}, names={})
    columns = columns_of(rows)
    if columns is None:
        return None
    keys = [str(row.get(columns.key, "")) if columns.key else "" for row in rows]
    if len(set(keys)) != len(keys):
        return None
    return Figures(
        values={key: row[columns.figure] for key, row in zip(keys, rows, strict=True)},
        names={
            key: str(row.get(columns.name) or key) if columns.name else key
            for key, row in zip(keys, rows, strict=True)
        },
    )


def combined(parts: Sequence[tuple[int, Figures]]) -> Figures:
    """Return the figures added up group by group, each part with its sign; groups that come to nothing go.

    A group that was nowhere counted is not there; one whose figure is 0 in the only part stays.
    """
    values: dict[str, Number] = {}
    names: dict[str, str] = {}
    for sign, part in parts:
        for key, value in part.values.items():
            values[key] = values.get(key, 0) + sign * value
            names.setdefault(key, part.names[key])
    if any(sign < 0 for sign, _ in parts):
        values = {key: value for key, value in values.items() if value or len(values) == 1}
    return Figures(values=values, names=names)


def percent(part: Number, whole: Number) -> str:
    """Return a share as `12.5%`, `-` of nothing."""
    return f"{100 * part / whole:.1f}%" if whole else "-"


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table in Markdown; marks and line breaks in cells are made harmless."""
    lines = ["| " + " | ".join(map(_cell, header)) + " |", "|" + " --- |" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(map(_cell, row)) + " |" for row in rows)])


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return " ".join(text.split()).replace("|", "\\|")


def column_title(name: str, card: ToolCard | None, language: str) -> str:
    """Return what the overlay calls a column, its own name where it says nothing.

    An overlay may say it in both languages, as 工单号 (order id); the one of the reply is shown.
    """
    output = card.overlay.output if card else None
    said = output.columns.get(name, "") if output else ""
    both = re.fullmatch(r"(?P<zh>[^()]*[^()\s])\s*\((?P<en>[^()]+)\)", said)
    if both is None or not is_cjk(both["zh"]):
        return said or name
    title = both["en"] if language == "en" else both["zh"]
    return re.split(r"[，,;；]", title)[0].strip()
