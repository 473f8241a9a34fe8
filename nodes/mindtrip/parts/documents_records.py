"""Records: the fields a reader found, and the Document they become."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import PurePosixPath

from mindatlas.nodes.mindtrip.parts.documents_values import Value, as_text, flatten, printable, split_list
from mindatlas.nodes.text import fold

_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "_id", "doc_id", "编号"),
    "title": (
        *("title", "name", "名称", "标题", "名字"),
        *("店名", "景点名称", "酒店名称", "餐馆名称"),
    ),
    "entity": ("entity", "subject", "主体", "实体"),
    "aliases": ("aliases", "alias", "别名"),
    "text": (
        *("text", "content", "body", "正文", "内容"),
        *("描述", "简介", "介绍", "description", "context"),
    ),
}
_LIST_NAMES = {"tags", "tag", "标签", "keywords", "关键词"}


@dataclass(frozen=True, kw_only=True)
class Document:
    """One thing to know: a page, a section, a row or a record.

    Attributes:
        id: unique within one load, and the same on the next load of unchanged files.
        title: never empty.
        entity: the subject the text is about; the title when the source names none.
        aliases: other names of the subject.
        text: as written; empty for a record that has fields only.
        metadata: every other field, under its name as written.
        source: the file, relative to the folder that was given.
    """

    id: str
    title: str
    entity: str
    aliases: tuple[str, ...]
    text: str
    metadata: dict[str, Value]
    source: str


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a reader found at one place of a file.

    Attributes:
        place: where in the file, for messages ("line 3"); empty for the whole file.
        fields: values by name as written; well-known names are recognised.
        title: used when the fields hold none.
        entity: used when the fields hold none.
        text: the text when the reader knows it; then no field is taken for the text.
    """

    place: str
    fields: Mapping[str, object] = field(default_factory=dict)
    title: str = ""
    entity: str = ""
    text: str | None = None


class EmptyRecordError(ValueError):
    """A record holds neither text nor any field but an id."""


def recognised(kind: str, names: Iterable[str]) -> list[str]:
    """Return those of `names` that stand for `kind` (id, title, entity, aliases, text), best first."""
    ranked = [(_rank(name), name) for name in names]
    return [name for (found, _), name in sorted(ranked, key=lambda item: item[0]) if found == kind]


@lru_cache(maxsize=4096)
def _rank(name: str) -> tuple[str, int]:
    """Return the kind that the field `name` stands for (empty: none), and its place in that kind's names."""
    folded = fold(name)
    found = ((kind, known.index(folded)) for kind, known in _NAMES.items() if folded in known)
    return next(found, ("", 0))


@lru_cache(maxsize=4096)
def _is_list_name(name: str) -> bool:
    return fold(name) in _LIST_NAMES


def stays_text(name: str) -> bool:
    """Return whether the field `name` holds words or a list, so that a number in it is no quantity."""
    return _is_list_name(name) or _rank(name)[0] != ""


def make_document(record: Record, *, source: str, position: int) -> Document:
    """Return the document that `record` becomes.

    Of several fields for one role the first in the order of the table above that is not empty is taken; the
    others stay metadata, so nothing is lost.

    Args:
        record: what the reader found.
        source: the file, as it shall stand in the document.
        position: the number of the record in its file, from 1.

    Raises:
        EmptyRecordError: there is neither text nor a field besides the id.
    """
    found = ((printable(name), _value(name, raw)) for name, raw in record.fields.items())
    values = {name: value for name, value in found if value is not None}
    given_id = _take("id", values)
    if not values and not (record.text or "").strip():
        raise EmptyRecordError("neither text nor any field but an id")
    text = _take("text", values) if record.text is None else printable(record.text)
    title = _take("title", values) or _one_line(record.title)
    entity = _take("entity", values) or _one_line(record.entity) or title
    aliases = _take_list("aliases", values)
    title = title or entity or given_id or f"{PurePosixPath(source).stem} {position}"
    document = Document(
        id=given_id,
        title=title,
        entity=entity or title,
        aliases=tuple(aliases),
        text=text,
        metadata=values,
        source=printable(source),
    )
    return document if given_id else _with_id(document, position)


def _take(kind: str, values: dict[str, Value]) -> str:
    """Remove the value for `kind` from `values` and return it as text, empty when there is none."""
    names = recognised(kind, values)
    return as_text(values.pop(names[0])) if names else ""


def _take_list(kind: str, values: dict[str, Value]) -> list[str]:
    names = recognised(kind, values)
    value = values.pop(names[0]) if names else []
    return list(dict.fromkeys(value)) if isinstance(value, list) else split_list(as_text(value))


def _one_line(text: str) -> str:
    return " ".join(printable(text).split())


def _value(name: str, raw: object) -> Value | None:
    value = flatten(raw)
    return split_list(value) or None if _is_list_name(name) and isinstance(value, str) else value


def _with_id(document: Document, position: int) -> Document:
    """Return `document` with an id that is the same as long as its file, place and content are."""
    content = json.dumps(vars(document), sort_keys=True)
    digest = hashlib.sha256(content.encode()).hexdigest()[:12]
    return replace(document, id=f"{document.source}:{position}:{digest}")
