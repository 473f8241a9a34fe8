"""The words by which a column may be called, from its own name to looser ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Unit
from mindatlas.nodes.text import fold

OWN_NAME, SPELLING, ALIAS, HEAD = range(4)
"""How far a word is from the column's name; a looser match counts only where there is no closer one."""

_BRACKETS = re.compile(r"\s*[(\[（【][^)\]）】]*[)\]）】]\s*$")
_BRACKETED = re.compile(r"[(\[（【]([^)\]）】]*)[)\]）】]")
_SCALE = re.compile(r"[十百千]?[万亿]|千(?=元|人|件|$)")
_DATE_END = re.compile(r"(?:日期|时间| date| time)$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINTS = re.compile(r"[\s_\-./]+")


@dataclass(frozen=True, kw_only=True)
class ColumnNames:
    """What column_names.yaml says; all names folded."""

    aliases: Mapping[str, tuple[str, ...]]
    heads: tuple[str, ...]
    not_additive_parts: tuple[str, ...]
    not_additive_ends: tuple[str, ...]
    not_additive_words: frozenset[str]
    units: Mapping[str, Unit]
    persons: frozenset[str]
    orders: frozenset[str]


@cache
def column_names() -> ColumnNames:
    """Return the known names of columns; read once."""
    text = (
        files("mindatlas.nodes.atlassplit.parts.planner")
        .joinpath("column_names.yaml")
        .read_text(encoding="utf-8")
    )
    data: dict[str, Any] = yaml.safe_load(text)
    aliases: dict[str, tuple[str, ...]] = {}
    for group in data["aliases"]:
        folded = tuple(map(fold, group))
        for name in folded:
            aliases[name] = tuple(dict.fromkeys([*aliases.get(name, ()), *folded]))
    return ColumnNames(
        aliases=aliases,
        heads=tuple(map(fold, data["heads"])),
        not_additive_parts=tuple(map(fold, data["not_additive"]["parts"])),
        not_additive_ends=tuple(map(fold, data["not_additive"]["ends"])),
        not_additive_words=frozenset(map(fold, data["not_additive"]["words"])),
        units={fold(name): unit for unit, names in data["units"].items() for name in names},
        persons=frozenset(map(fold, data["persons"])),
        orders=frozenset(map(fold, data["orders"])),
    )


def names_of(field: Field) -> dict[str, int]:
    """Return the folded words for a column, each with its distance from the column's name."""
    found: dict[str, int] = {}
    for distance, words in enumerate(_words(field)):
        for word in words:
            if word:
                found.setdefault(word, distance)
    return found


def plain_name(title: str) -> str:
    """Return a header folded, without the unit in brackets behind it and with spaces for joints."""
    spaced = _CAMEL.sub(" ", title)
    return fold(_JOINTS.sub(" ", _BRACKETS.sub("", spaced))) or fold(title)


def date_stem(title: str) -> str:
    """Return the name of a date column without the word for date: 入职 for 入职日期, order for Order Date."""
    return _DATE_END.sub("", plain_name(title))


def is_additive(field: Field) -> bool:
    """Return whether the figures of a column add up to something: amounts do, prices and rates do not."""
    if field.is_code or "%" in field.column.patterns:
        return False
    known, name = column_names(), plain_name(field.title)
    if name.endswith(known.not_additive_ends) or any(part in name for part in known.not_additive_parts):
        return False
    return not known.not_additive_words & set(name.split())


def unit_in_name(title: str) -> str:
    """Return the folded unit in brackets in a column's name (万元 of 金额(万元)), empty when there is none."""
    found = _BRACKETED.search(title)
    return fold(found[1]) if found else ""


def scale_in_name(title: str) -> str:
    """Return 千, 万 or 亿 where the unit in brackets in a column's name starts with it, else nothing."""
    found = _SCALE.match(unit_in_name(title))
    return found[0] if found else ""


def _words(field: Field) -> Iterator[Iterable[str]]:
    own = dict.fromkeys([fold(field.title), fold(str(field.name))])
    yield own
    base = plain_name(field.title)
    spelled = dict.fromkeys(
        [base, *_spellings(field.title, base), *(_BRACKETS.sub("", name) for name in own)]
    )
    yield dict.fromkeys([*spelled, *(plural for name in [*own, *spelled] for plural in _plurals(name))])
    last = base if "/" not in field.title else plain_name(field.title.rpartition("/")[2])
    aliases = [alias for name in (base, last) for alias in column_names().aliases.get(name, ())]
    yield [name for one in (last, *aliases) for name in (one, *_plurals(one))]
    yield [head for head in column_names().heads if _ends_with(base, head)]


def _spellings(title: str, base: str) -> list[str]:
    spelled = [base.replace(" ", ""), base.replace(" ", "_")]
    if "/" in title:
        spelled += [fold(title.replace("/", joint)) for joint in ("", "的", " ")]
    return spelled


def _ends_with(name: str, head: str) -> bool:
    return name != head and (name.endswith(head) if not head.isascii() else name.endswith(" " + head))


def _plurals(name: str) -> list[str]:
    if not name or not name.isascii() or not name[-1].isalpha():
        return []
    if name.endswith("y") and len(name) > 2 and name[-2] not in "aeiou":
        return [name[:-1] + "ies"]
    return [name + "es"] if name.endswith(("s", "x", "ch", "sh")) else [name + "s"]
