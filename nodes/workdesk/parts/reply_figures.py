"""Counts as an answer: every figure comes from the rows, sums, differences and shares are computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindatlas.nodes.workdesk.parts.desk_request import DeskRequest
from mindatlas.nodes.workdesk.parts.desk_tables import Figures, Number, markdown_table, percent
from mindatlas.nodes.workdesk.parts.reply_charts import chart_block
from mindatlas.nodes.workdesk.parts.reply_columns import Column, unique_names
from mindatlas.nodes.workdesk.parts.reply_words import ReplyWords


class FiguresReply:
    """Writes columns of figures as an answer.

    Args:
        request: what was asked.
        dimension: what the user calls the groups; empty for a total.
        timed: the groups are days, weeks or months.
        words: the sentences, in the language of the question.
    """

    def __init__(self, request: DeskRequest, dimension: str, *, timed: bool, words: ReplyWords) -> None:
        self._request = request
        self._dimension = dimension
        self._timed = timed
        self._words = words

    def text(self, columns: Sequence[Column]) -> str:
        """Return the answer: totals, tables, differences, and a chart for groups."""
        columns = self._labelled(columns)
        parts = [self._totals(columns)]
        if self._dimension and any(column.figures.values for column in columns):
            ranked = self._request.order or self._request.top
            parts += [self._ranking(column) for column in columns] if ranked else [self._table(columns)]
        if self._request.compared:
            parts += self._differences(columns)
        clocks = list(dict.fromkeys(column.clock for column in columns if column.clock))
        if clocks and not self._request.clocks:
            parts.append(self._words.unsaid_clock(clocks))
        if self._dimension and not (self._request.order or self._request.top):
            parts.append(chart_block(self._words.chart_title(self._dimension), columns, timed=self._timed))
        elif self._dimension and len(columns) == 1:
            top = self._ranked(columns[0])
            parts.append(
                chart_block(self._words.chart_title(self._dimension), [top], timed=False, ranked=True)
            )
        return "\n\n".join(part for part in parts if part)

    def _labelled(self, columns: Sequence[Column]) -> list[Column]:
        several = len({str(column.period and column.period.days) for column in columns}) > 1
        clocks = len({column.clock for column in columns}) > 1
        return [
            replace(
                column,
                figures=self._named(column.figures),
                label=self._words.column(
                    column.period if several else None,
                    column.chosen,
                    column.clock if clocks else "",
                    self._words.count,
                ),
            )
            for column in columns
        ]

    def _named(self, figures: Figures) -> Figures:
        return replace(
            figures, names={key: name or self._words.unnamed for key, name in figures.names.items()}
        )

    def _totals(self, columns: Sequence[Column]) -> str:
        lines = [
            self._words.total(column.period, column.chosen, column.clock, column.figures.total)
            for column in columns
        ]
        choices = {column.chosen for column in columns}
        if len(choices) > 1 and not self._request.compared:
            for period, clock in dict.fromkeys((column.period, column.clock) for column in columns):
                same = [column for column in columns if (column.period, column.clock) == (period, clock)]
                lines.append(
                    self._words.total(
                        period, (self._words.together,), clock, sum(c.figures.total for c in same)
                    )
                )
        return "\n".join(f"- {line}" for line in lines) if len(lines) > 1 else lines[0]

    def _table(self, columns: Sequence[Column]) -> str:
        keys, names = self._keys(columns)
        header = [self._dimension]
        for column in columns:
            header += [column.label, *([self._words.share] if self._request.share else [])]
        rows: list[list[str | Number]] = []
        for key in keys:
            row: list[str | Number] = [names[key]]
            for column in columns:
                value = column.figures.values.get(key, 0)
                row += [value, *([percent(value, column.figures.total)] if self._request.share else [])]
            rows.append(row)
        return markdown_table(header, rows)

    def _keys(self, columns: Sequence[Column]) -> tuple[list[str], dict[str, str]]:
        names = {key: name for column in reversed(columns) for key, name in column.figures.names.items()}
        keys = list(dict.fromkeys(key for column in columns for key in column.figures.values))
        if self._timed:
            keys.sort()
        return keys, unique_names(names)

    def _ranked(self, column: Column) -> Column:
        """Return the column with its groups in order, cut after the last that shares the last place."""
        names = unique_names(column.figures.names)
        sign = 1 if self._request.order == "least" else -1
        ordered = sorted(column.figures.values.items(), key=lambda item: (sign * item[1], names[item[0]]))
        top = self._request.top
        if top is not None and top < len(ordered):
            last = ordered[top - 1][1]
            ordered = [item for index, item in enumerate(ordered) if index < top or item[1] == last]
        return Column(
            period=column.period, clock=column.clock, chosen=column.chosen, label=column.label,
            figures=Figures(values=dict(ordered), names=names),
        )  # fmt: skip

    def _ranking(self, column: Column) -> str:
        ranked = self._ranked(column)
        if not ranked.figures.values:
            return ""
        best = next(iter(ranked.figures.values.values()))
        first = [ranked.figures.names[key] for key, value in ranked.figures.values.items() if value == best]
        sentence = self._words.extreme(first, best, least=self._request.order == "least", label=column.label)
        total = column.figures.total
        header = ["#", self._dimension, column.label, *([self._words.share] if self._request.share else [])]
        rows = [
            [
                place,
                ranked.figures.names[key],
                value,
                *([percent(value, total)] if self._request.share else []),
            ]
            for place, (key, value) in zip(
                _places(list(ranked.figures.values.values())), ranked.figures.values.items(), strict=True
            )
        ]
        return f"{sentence}\n\n{markdown_table(header, rows)}"

    def _differences(self, columns: Sequence[Column]) -> list[str]:
        lines = []
        for clock in dict.fromkeys(column.clock for column in columns):
            pair = [column for column in columns if column.clock == clock]
            if len(pair) != 2:
                return []
            new, old = _newer_first(pair[0], pair[1])
            lines.append(
                self._words.difference(
                    self._told(new), self._told(old), clock, new.figures.total, old.figures.total
                )
            )
            if self._dimension:
                lines.append(self._changes(new, old))
        return lines

    def _told(self, column: Column) -> str:
        return "、".join(column.chosen) if column.chosen else self._words.period(column.period)

    def _changes(self, new: Column, old: Column) -> str:
        keys, names = self._keys([new, old])
        rows = []
        for key in keys:
            one, other = new.figures.values.get(key, 0), old.figures.values.get(key, 0)
            rows.append([names[key], f"{one - other:+}", percent(one - other, other)])
        return markdown_table([self._dimension, self._words.change, self._words.change_percent], rows)


def _places(values: Sequence[Number]) -> list[int]:
    """Return the place of each of the ordered values; equal ones share it."""
    return [values.index(value) + 1 for value in values]


def _newer_first(one: Column, other: Column) -> tuple[Column, Column]:
    """Return the later of two periods first; names stay as the user put them."""
    if one.period and other.period and one.period.days.start < other.period.days.start:
        return other, one
    return one, other
