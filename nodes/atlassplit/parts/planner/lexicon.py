"""All that words of a request may mean at one point of the plan: vocabulary, columns, cell values, tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath

from mindatlas.nodes.atlassplit.parts.planner.column_match import date_stem, names_of
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.request_words import request_words
from mindatlas.nodes.atlassplit.parts.planner.tokens import CellValue
from mindatlas.nodes.atlassplit.parts.workbook_model import TableCard
from mindatlas.nodes.text import fold, is_cjk

_TABLE_ENDS = ("", "表", "表格", "sheet", " sheet", "工作表", " table")


@dataclass(kw_only=True)
class Entry:
    """The meanings of one folded word; `total` says that it names the column's sum (销售总额)."""

    classes: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[Field, ...] = ()
    distance: int = 99
    total: bool = False
    values: tuple[CellValue, ...] = ()
    tables: tuple[str, ...] = ()


class Lexicon:
    """Looks up words; the longest word has `longest` characters."""

    def __init__(
        self,
        fields: Iterable[Field],
        tables: Iterable[TableCard] = (),
        earlier: Iterable[Field] = (),
        records: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Build the lexicon; the names of `earlier` columns count only where no present one is meant.

        `records` are words for the rows of the table, which count where they mean nothing else.
        """
        self._words = request_words()
        fields, earlier = tuple(fields), tuple(earlier)
        self._entries: dict[str, Entry] = {}
        for item in fields:
            self._add_field(item)
            self._add_values(item)
        present = {word for word, entry in self._entries.items() if entry.fields}
        for item in earlier:
            self._add_field(item, present)
            self._add_values(item)
        for table in tables:
            self._add_table(table)
        stems = {date_stem(item.title): {"date_stem": "date"} for item in fields if item.is_date}
        for word, classes in [*(records or {}).items(), *stems.items()]:
            if len(word) > 1 and word not in self._words.classes:
                entry = self._entries.setdefault(word, Entry())
                if not (entry.fields or entry.values):
                    entry.classes = classes
        self.longest = max([self._words.longest, *map(len, self._entries)])

    def find(self, word: str) -> Entry | None:
        """Return the meanings of a folded word, None when it has none."""
        classes = self._words.classes.get(word)
        if classes is not None and self._counts_a_column(word, classes):
            classes = None
        entry = self._entries.get(word)
        if classes is None:
            return entry
        return Entry(classes=classes) if entry is None else _with_classes(entry, classes)

    def knows_by_name(self, word: str) -> bool:
        """Return whether a word means a column, value or table of the workbook."""
        return word in self._entries

    def _counts_a_column(self, word: str, classes: Mapping[str, str]) -> bool:
        """Return whether a counting word ends with a column's name: beside a column 数量, 统计数量 sums it up."""
        named = self._entries.get(word.removeprefix("统计"))
        return (
            "count_verb" in classes and word.startswith("统计") and named is not None and bool(named.fields)
        )

    def _add_field(self, item: Field, taken: Collection[str] = ()) -> None:
        for name, distance in names_of(item).items():
            if name in taken:
                continue
            self._add_name(name, item, distance, total=False)
            if name[-1] in "额量" and len(name) > 1 and "总" not in name:
                self._add_name(f"{name[:-1]}总{name[-1]}", item, distance, total=True)

    def _add_name(self, name: str, item: Field, distance: int, *, total: bool) -> None:
        entry = self._entries.setdefault(name, Entry())
        distance += total
        if distance < entry.distance:
            entry.fields, entry.distance, entry.total = (item,), distance, total
        elif distance == entry.distance and item not in entry.fields:
            entry.fields = (*entry.fields, item)

    def _add_values(self, item: Field) -> None:
        if item.card is None or item.unit or item.column.kind not in ("text", "mixed"):
            return
        for folded, written in folded_values(item.card.values).items():
            entry = self._entries.setdefault(folded, Entry())
            entry.values = (*entry.values, CellValue(field=item, written=written))

    def _add_table(self, table: TableCard) -> None:
        names = {fold(table.sheet), fold(table.key), fold(table.book), fold(PurePath(table.book).stem)}
        for name in names:
            if len(name) < 2:
                continue
            for end in _TABLE_ENDS:
                if end != "表" or is_cjk(name):
                    entry = self._entries.setdefault(name + end, Entry())
                    entry.tables = tuple(dict.fromkeys([*entry.tables, table.key]))


@lru_cache(maxsize=1024)
def folded_values(values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the values of a column by their folded form, each with the ways it is written."""
    found: dict[str, tuple[str, ...]] = {}
    for value in values:
        folded = fold(value)
        if folded:
            found[folded] = (*found.get(folded, ()), value)
    return found


def _with_classes(entry: Entry, classes: Mapping[str, str]) -> Entry:
    return Entry(
        classes=classes,
        fields=entry.fields,
        distance=entry.distance,
        total=entry.total,
        values=entry.values,
        tables=entry.tables,
    )
