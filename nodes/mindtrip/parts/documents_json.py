"""JSON documents: one object a line, or an array of objects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mindatlas.nodes.mindtrip.parts.documents_bytes import read_text, unreadable
from mindatlas.nodes.mindtrip.parts.documents_records import Record, recognised
from mindatlas.nodes.mindtrip.parts.documents_values import split_list

_FORM = "write an array of objects, or of [name, object] pairs; one object a line belongs in a .jsonl file"


def read_jsonl(path: Path) -> Iterator[Record]:
    """Yield a record for each line that is not blank.

    Raises:
        FileReadError: a line is not one JSON object; the message names the line.
    """
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        value = _parse(path, line, place)
        if not isinstance(value, dict):
            raise unreadable(
                path, f"{_shape(value)} where an object should be", "write one object a line", place=place
            )
        yield Record(place=place, fields=value)


def read_json(path: Path) -> Iterator[Record]:
    """Yield a record for each object of the array; the name of a [name, object] pair is a title or an alias.

    Raises:
        FileReadError: not JSON, or not an array of objects or such pairs.
    """
    rows = _parse(path, read_text(path), "", remedy=_FORM)
    if not isinstance(rows, list):
        raise unreadable(path, f"{_shape(rows)} where an array should be", _FORM)
    for number, row in enumerate(rows, start=1):
        place = f"record {number}"
        match row:
            case dict():
                yield Record(place=place, fields=row)
            case [str(name), dict(fields)]:
                yield Record(place=place, fields=_named(name, fields), title=name)
            case _:
                raise unreadable(path, f"{_shape(row)} where an object should be", _FORM, place=place)


def _named(name: str, fields: dict[str, object]) -> dict[str, object]:
    """Return the fields of a pair, with its name among the aliases when the object has another title."""
    titles = recognised("title", fields)
    if not titles or name in {fields[title] for title in titles if isinstance(fields[title], str)}:
        return fields
    aliases = (recognised("aliases", fields) or ["aliases"])[0]
    known = fields.get(aliases) or []
    return fields | {aliases: [name, *(known if isinstance(known, list) else split_list(str(known)))]}


def _parse(path: Path, text: str, place: str, *, remedy: str = "write one JSON object a line") -> object:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        where = place or f"line {error.lineno}"
        raise unreadable(path, f"{error.msg} at column {error.colno}", remedy, place=where) from error
    except ValueError as error:
        raise unreadable(path, str(error), remedy, place=place) from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object, unless it names a key twice: `json` would keep only the last."""
    value = dict(pairs)
    if len(value) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {key!r} stands twice in one object")
    return value


def _shape(value: object) -> str:
    names = {dict: "an object", list: "an array", str: "a string", type(None): "null", bool: "a boolean"}
    return names.get(type(value), "a number")
