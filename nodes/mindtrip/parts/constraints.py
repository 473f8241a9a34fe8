"""What a question asks of the fields: named places, kinds of places, tags, values and limits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from mindatlas.nodes.mindtrip.parts.conditions import Condition, Operator, Strength
from mindatlas.nodes.mindtrip.parts.content_terms import content_terms
from mindatlas.nodes.mindtrip.parts.entities import EntityIndex, Mention
from mindatlas.nodes.mindtrip.parts.fields import FieldTable, words
from mindatlas.nodes.mindtrip.parts.quantities import Quantity, find_quantities
from mindatlas.nodes.text import fold, is_cjk

_NEARBY = re.compile(
    r"附近|周边|周围|旁边|边上|不远|近一点|离.{0,12}近|挨着|临近|near|nearby|around|close to|next to|not far from",
    re.I,
)
_ASKS = re.compile(
    r"找|推荐|介绍|想去|想吃|想住|想要|要去|要住|有没有|有什么|有啥|有哪些|还有|哪些|哪家|哪个|哪里有|什么|订|预订|住一|来一|求|换一|"
    r"别的|其他|另外|which|what|recommend|suggest|find|any|looking for|where|other|another|list",
    re.I,
)
_COUNTED = re.compile(r"(哪些|哪几个|有什么|有啥|几个|几座|几家|\b(which|what|any)\s+)$", re.I)
_FREE = re.compile(
    r"(门票|票价|票|入园|ticket)?\s*(是|都)?(免费|不要钱|不收费|不用钱|不收门票|不要门票|不用买票|免票|free of charge|free entry|for free|free)",
    re.I,
)
_CHEAP = re.compile(
    r"便宜|实惠|性价比|不要太贵|别太贵|不太贵|不贵|平价|省钱|cheap|affordable|inexpensive|not too expensive",
    re.I,
)
_BEST = re.compile(
    r"评分(最|比较)?高|评价(最|比较)?(高|好)|口碑(最)?好|最好评|highest[- ]rated|best[- ]rated|top[- ]rated",
    re.I,
)
_CHEAPEST = re.compile(r"最便宜|价格最低|cheapest|lowest price", re.I)


@dataclass(frozen=True, kw_only=True)
class ConstraintReading:
    """What was read: conditions, the subjects named in the question, and whether it asks for their surroundings."""

    conditions: tuple[Condition, ...]
    named: tuple[str, ...]
    nearby: bool


@dataclass(frozen=True, kw_only=True)
class _Kind:
    values: tuple[str, ...]
    vague: bool = False


class ConstraintReader:
    """Reads conditions by looking the question up in the knowledge base's own fields and values.

    Args:
        table: the fields and values.
        entities: the names of the knowledge base.
    """

    def __init__(self, table: FieldTable, entities: EntityIndex) -> None:
        self._table = table
        self._entities = entities
        valued = [field for field in table.fields.values() if field.kind in {"choice", "list"}]
        self._fields_of: dict[str, list[str]] = {}
        for field in valued:
            for value in table.values(field.name):
                for name in _value_names(value):
                    self._fields_of.setdefault(name, []).append(field.name)
        self._values = EntityIndex(dict.fromkeys(self._fields_of, ()))
        self._tag_words = EntityIndex(words()["tag_words"])
        self._roles = {field.name: field.role for field in table.fields.values()}
        self._kinds = _kinds(
            {value for field in table.with_role("category") for value in table.values(field.name)}
        )
        self._category_words = EntityIndex(dict.fromkeys(self._kinds, ()))

    def read(self, question: str) -> ConstraintReading:
        """Return the conditions in `question` (without its exclusion clause), in order of kind, then place.

        Named subjects are the entities that stand in it; a name that is also a city, a category or a tag is
        read as that. Beside a named subject, firm conditions become soft: the subject is what was asked for.
        """
        named = [mention for mention in self._entities.find(question) if self._is_subject(mention, question)]
        masked = _mask(question, named)
        nearby = bool(_NEARBY.search(masked))
        found = [*self._cities(question, named), *self._valued(masked), *self._categories(masked)]
        found += [*self._limits(masked), *self._words(masked)]
        found = [
            _unwanted(condition) if _is_left_out(condition, masked) else condition for condition in found
        ]
        if named and not nearby:
            found = [_softened(condition) for condition in found]
        return ConstraintReading(
            conditions=tuple(dict.fromkeys(found)),
            named=tuple(dict.fromkeys(mention.entity for mention in named)),
            nearby=nearby,
        )

    def _is_subject(self, mention: Mention, question: str) -> bool:
        """Return whether a mention names the thing asked about, and no kind of thing.

        A proper name is not counted (有哪些骑楼老街) and not picked out by a property (免费的骑楼老街).
        """
        before = question[: mention.start]
        described = before.endswith("的") and any(
            found.end == len(before) - 1 for found in self._values.find(before) if not self._is_city(found)
        )
        return not (self._is_label(mention) or described or _COUNTED.search(before))

    def _is_city(self, mention: Mention) -> bool:
        return "city" in {self._roles[field] for field in self._fields_of.get(fold(mention.entity), ())}

    def _is_label(self, mention: Mention) -> bool:
        said = (fold(mention.entity), fold(mention.surface))
        roles = {self._roles[field] for name in said for field in self._fields_of.get(name, ())}
        return bool(roles & {"city", "category", "tags"})

    def _cities(self, question: str, named: Iterable[Mention]) -> list[Condition]:
        """Return one hard condition for all cities named (by value or by an entity of that name)."""
        fields = tuple(field.name for field in self._table.with_role("city"))
        spans = [(mention.start, mention.end) for mention in named]
        cities: dict[str, str] = {}
        for mention in (*self._values.find(question), *self._entities.find(question)):
            inside = any(start <= mention.start and mention.end <= end for start, end in spans)
            if not inside and set(self._fields_of.get(fold(mention.entity), ())) & set(fields):
                cities.setdefault(fold(mention.entity), mention.surface)
        if not cities:
            return []
        surface = "、".join(cities.values())
        return [
            Condition(fields=fields, operator="equal", values=tuple(cities), strength="hard", surface=surface)
        ]

    def _valued(self, text: str) -> list[Condition]:
        """Return a condition for each value of a choice or list field, and each tag word, that stands in `text`."""
        found: list[Condition] = []
        for mention in self._values.find(text):
            fields = self._fields_of[fold(mention.entity)]
            for role in sorted({self._roles[field] or "" for field in fields} - {"city", "category"}):
                found.append(
                    self._value_condition(
                        mention, [name for name in fields if (self._roles[name] or "") == role]
                    )
                )
        tag_fields = tuple(field.name for field in self._table.with_role("tags"))
        for mention in self._tag_words.find(text) if tag_fields else ():
            if any(fold(mention.entity) in self._table.values(field) for field in tag_fields):
                found.append(_soft("equal", tag_fields, mention, (fold(mention.entity),)))
        return found

    def _value_condition(self, mention: Mention, fields: list[str]) -> Condition:
        tags = self._roles[fields[0]] == "tags"
        return Condition(
            fields=tuple(fields),
            operator="equal" if tags else "contains",
            values=(fold(mention.entity),),
            strength="soft" if tags else "firm",
            surface=mention.surface,
        )

    def _categories(self, text: str) -> list[Condition]:
        """Return the kind of place asked for: firm where the question asks for one, else soft."""
        fields = tuple(field.name for field in self._table.with_role("category"))
        mentions = self._category_words.find(text)
        if not mentions or not fields:
            return []
        # Both languages end a noun phrase with its head: in 酒店附近的餐馆 the last word is what is asked for.
        kinds = [self._kinds[mention.entity] for mention in mentions]
        exact = [place for place, kind in enumerate(kinds) if not kind.vague]
        last = exact[-1] if exact else len(kinds) - 1
        strength: Strength = "firm" if _ASKS.search(text) and not kinds[last].vague else "soft"
        surface = mentions[last].surface
        return [
            Condition(
                fields=fields, operator="equal", values=kinds[last].values, strength=strength, surface=surface
            )
        ]

    def _limits(self, text: str) -> list[Condition]:
        return [condition for quantity in find_quantities(text) if (condition := self._limit(quantity))]

    def _limit(self, quantity: Quantity) -> Condition | None:
        fields = self._fields_for(quantity.role, quantity.word)
        if not fields:
            return None
        overlaps = quantity.role == "hours" or (quantity.role == "duration" and quantity.exact)
        return Condition(
            fields=fields,
            operator="overlaps" if overlaps else "between",
            low=quantity.low,
            high=quantity.high,
            surface=quantity.surface,
        )

    def _fields_for(self, role: str, word: str) -> tuple[str, ...]:
        """Return the fields of `role`, only those that `word` names exactly where it does."""
        fields = [field.name for field in self._table.fields.values() if field.role == role]
        exact = [name for name in fields if word in map(fold, words()["exact_words"].get(name, ()))]
        return tuple(exact or fields)

    def _words(self, text: str) -> list[Condition]:
        found: list[Condition] = []
        text = _mask(text, self._values.find(text))
        if match := _FREE.search(text):
            if fields := self._numeric("price", fold(match[1] or "")):
                found.append(Condition(fields=fields, operator="between", low=0, high=0, surface=match[0]))
        elif match := _CHEAPEST.search(text):
            found += self._ordered("lowest", "price", match[0])
        elif match := _CHEAP.search(text):
            found += self._ordered("cheap", "price", match[0])
        if match := _BEST.search(text):
            found += self._ordered("highest", "rating", match[0])
        return found

    def _ordered(self, operator: Operator, role: str, surface: str) -> list[Condition]:
        fields = self._numeric(role, "")
        return (
            [Condition(fields=fields, operator=operator, strength="soft", surface=surface)] if fields else []
        )

    def _numeric(self, role: str, word: str) -> tuple[str, ...]:
        return tuple(
            name for name in self._fields_for(role, word) if self._table.fields[name].kind == "number"
        )


def _kinds(known: set[str]) -> dict[str, _Kind]:
    """Return, by word, the category values among `known` that it means: by the vocabulary, or by its own name."""
    kinds: dict[str, _Kind] = {}
    for group in words()["categories"]:
        values = tuple(sorted({value for value in map(fold, group["values"]) if value in known}))
        for word in group["words"] if values else ():
            kinds[fold(word)] = _Kind(values=values, vague=bool(group.get("soft")))
    return kinds | {value: _Kind(values=(value,)) for value in known if value not in kinds}


def _value_names(value: str) -> list[str]:
    """Return how a field's value is said: itself, and 高档 for 高档型; filler (其他) and single characters are never looked for."""
    names = [value, value[:-1] if len(value) > 2 and value[-1] in "型类式级" else ""]
    return [
        name
        for name in names
        if len(name) > (1 if is_cjk(name) else 2) and not name.isdigit() and content_terms(name)
    ]


def _mask(text: str, mentions: Iterable[Mention]) -> str:
    """Return `text` with mentions blanked out, so that nothing is read from inside a name."""
    chars = list(text)
    for mention in mentions:
        chars[mention.start : mention.end] = "，" * (mention.end - mention.start)
    return "".join(chars)


def _is_left_out(condition: Condition, text: str) -> bool:
    """Return whether `text` leaves out what a value condition found: 除了冲浪 is no name, and still means no 冲浪."""
    cue = rf"(?:除了|除开|不要|不想|besides|except|other than|apart from|aside from|without)\s*{re.escape(condition.surface)}"
    return condition.operator in {"equal", "contains"} and bool(re.search(cue, text, re.I))


def _unwanted(condition: Condition) -> Condition:
    values = {**vars(condition), "operator": "without", "strength": "firm"}
    return Condition(**values)


def _softened(condition: Condition) -> Condition:
    return Condition(**{**vars(condition), "strength": "soft"}) if condition.strength == "firm" else condition


def _soft(
    operator: Operator, fields: tuple[str, ...], mention: Mention, values: tuple[str, ...]
) -> Condition:
    return Condition(
        fields=fields, operator=operator, values=values, strength="soft", surface=mention.surface
    )
