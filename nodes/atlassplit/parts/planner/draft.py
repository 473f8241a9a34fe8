"""The plan while it is being read: the table as it stands after the operations so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NoReturn

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk
from mindatlas.nodes.atlassplit.parts.planner.column_match import column_names, date_stem, names_of
from mindatlas.nodes.atlassplit.parts.planner.fields import Field, fields_of
from mindatlas.nodes.atlassplit.parts.planner.messages import Refused, notice, refusal
from mindatlas.nodes.atlassplit.parts.planner.operations import Key, Operation
from mindatlas.nodes.atlassplit.parts.planner.plan import ChartKind, Language, RefusalKind
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column, Unit
from mindatlas.nodes.atlassplit.parts.planner.record_words import record_words
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token
from mindatlas.nodes.atlassplit.parts.workbook_model import SchemaCard, TableCard

Stage = Literal["rows", "groups", "scalar", "pivot", "list", "tables"]


@dataclass(kw_only=True)
class PivotParts:
    """A cross table in the making; `wanted` says that the word for one was read."""

    wanted: bool = False
    rows: Key | None = None
    columns: Key | None = None
    measure: MeasureAsk | None = None


@dataclass(kw_only=True)
class Draft:
    """Operations so far and what a further one may refer to.

    Attributes:
        fields: Columns of the table now.
        earlier: Columns that it had before rows were grouped.
        stage: What the table is now; grouped and later ones take fewer operations.
        keys: Groups that a clause named for the next one to use.
        undirected: Whether the last order was given without a direction, which a next clause may name.
        ordered: Whether the rows are in an order that was asked for.
        filtered_apart: Whether a clause of its own filtered the rows, so that what follows is about those left.
        pivot: What is known so far of a cross table that was asked for.
    """

    card: SchemaCard
    table: TableCard
    today: date
    language: Language
    fields: tuple[Field, ...] = ()
    earlier: tuple[Field, ...] = ()
    stage: Stage = "rows"
    operations: list[Operation] = field(default_factory=list)
    column_map: dict[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    keys: tuple[Key, ...] = ()
    ordered: bool = False
    pivot: PivotParts = field(default_factory=PivotParts)
    filtered_apart: bool = False
    undirected: bool = False
    chart_kind: ChartKind | None = None

    @classmethod
    def of(cls, table: TableCard, card: SchemaCard, today: date, language: Language) -> Draft:
        """Return the draft of a plan that starts from `table`."""
        return cls(card=card, table=table, today=today, language=language, fields=fields_of(table))

    @property
    def records(self) -> dict[str, Mapping[str, str]]:
        """The words for the rows of the table, with their classes."""
        return record_words(fields_of(self.table), self.table.rows)

    def refuse(
        self, kind: RefusalKind, code: str, about: str = "", candidates: tuple[str, ...] = (), **details: str
    ) -> NoReturn:
        """End the reading of the request with a refusal."""
        details.setdefault("table", self.table.sheet)
        raise Refused(refusal(kind, code, self.language, about=about, candidates=candidates, **details))

    def tell(self, code: str, **details: str) -> None:
        """Note a decision for the user, once."""
        text = notice(code, self.language, **details)
        if text not in self.notices:
            self.notices.append(text)

    def untell(self, code: str, **details: str) -> None:
        """Take a noted decision back."""
        text = notice(code, self.language, **details)
        self.notices = [told for told in self.notices if told != text]

    def noted(self) -> object:
        """Return the notes for the user so far."""
        return dict(self.column_map), list(self.notices)

    def restore(self, notes: object) -> None:
        """Go back to earlier notes."""
        if isinstance(notes, tuple):
            self.column_map, self.notices = dict(notes[0]), list(notes[1])

    def choose(self, token: Token, wanted: tuple[Field, ...] = ()) -> Field:
        """Return the column that a token names, and note it in the column map.

        Args:
            token: Names at least one column.
            wanted: Those of them that fit the place; all of them when none does.
        """
        fitting = wanted or token.fields
        if len(fitting) > 1:
            self.refuse("ambiguous", "which_column", token.text, tuple(item.title for item in fitting))
        chosen = next(iter(fitting))
        if chosen.card is not None:
            self.column_map.setdefault(token.text, str(chosen.card.name))
        return chosen

    def number(self, token: Token, *, code_allowed: bool = False) -> Field:
        """Return the column of numbers that a token names."""
        chosen = self.choose(
            token, tuple(item for item in token.fields if item.is_number and not item.is_code)
        )
        if not chosen.is_number and chosen.column.kind != "duration":
            self.refuse("outside", "not_a_number", token.text, self.numeric_titles())
        if chosen.is_code and not code_allowed:
            self.refuse("outside", "a_code", token.text, self.numeric_titles())
        return chosen

    def date(self, about: str, token: Token | None = None) -> Field:
        """Return the column of dates that a token names, or the only one there is."""
        found: tuple[Field, ...]
        if token is not None and token.fields:
            found = (self.choose(token, tuple(item for item in token.fields if item.is_date)),)
        else:
            found = tuple(item for item in self.fields if item.is_date)
            found = found or tuple(item for item in self.earlier if item.is_date)
        if not found:
            self.refuse("missing_column", "no_date", about)
        if len(found) > 1:
            self.refuse("ambiguous", "which_date", about, tuple(item.title for item in found))
        date = next(iter(found))
        if any(pattern.startswith("D/M") for pattern in date.column.patterns):
            self.refuse("ambiguous", "date_order", date.title)
        return date

    def date_called(self, token: Token) -> Field | None:
        """Return the only date column that a word is the first part of: 入职 of 入职日期, order of Order Date."""
        if token.fields or token.values:
            return None
        found = [item for item in self.fields if item.is_date and date_stem(item.title) == token.folded]
        return found[0] if len(found) == 1 else None

    def unit_fields(self, unit: Unit) -> tuple[Field, ...]:
        """Return the columns whose name says that they hold such calendar units (月份)."""
        units = column_names().units
        return tuple(
            item
            for item in self.fields
            if any(units.get(name) == unit for name, distance in names_of(item).items() if distance == 0)
        )

    def field_of(self, column: Column) -> Field | None:
        """Return the present field of a column, None when the table no longer has it."""
        return next((item for item in self.fields if item.column == column), None)

    def numeric_titles(self) -> tuple[str, ...]:
        """Return the names of the columns that can be computed with."""
        return tuple(item.title for item in self.fields if item.is_number and not item.is_code)

    def titles(self) -> tuple[str, ...]:
        """Return the names of all columns."""
        return tuple(item.title for item in self.fields)

    def rename_free(self, name: str) -> str:
        """Return `name`, with a number behind it when a column has it already."""
        taken = {str(item.name) for item in self.fields}
        count, free = 1, name
        while free in taken:
            count += 1
            free = f"{name}{count}"
        return free
