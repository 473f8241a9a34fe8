"""Passages: what is retrieved and cited, and how documents become them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from mindatlas.nodes.mindtrip.parts.chunks import split_text
from mindatlas.nodes.text import fold

if TYPE_CHECKING:  # reading documents pulls in parsers that answering does not need
    from mindatlas.nodes.mindtrip.parts.documents import Document, Value

_BRANCH = re.compile(r"^(.{2,}?)\s*[（(][^（()）]*(?:店|馆|院区|校区|号楼|branch|store)[)）]$", re.I)


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A piece of one document: `text` is quoted as written, `metadata` is shared by the document's pieces."""

    id: str
    document_id: str
    title: str
    entity: str
    aliases: tuple[str, ...] = ()
    text: str
    metadata: dict[str, Value] = field(default_factory=dict)
    source: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of the subject: entity, title, aliases, and the name of a branch without its bracket.

        全聚德(王府井店) is also 全聚德, so that excluding 全聚德 excludes its branches; 香港 (专辑) is not 香港.
        """
        written = (self.entity, self.title, *self.aliases)
        plain = (match[1] for name in written if (match := _BRANCH.match(name)))
        return tuple(dict.fromkeys(name for name in (*written, *plain) if name))

    @property
    def indexed_text(self) -> str:
        """The text that the lexical and dense legs index: names, list-like metadata, then the text."""
        labels = " ".join(
            " ".join(value) if isinstance(value, list) else str(value)
            for name, value in sorted(self.metadata.items())
            if fold(name) in {"tags", "标签", "city", "城市"}
        )
        names = dict.fromkeys((self.title, self.entity, *self.aliases))
        return "\n".join(part for part in (" ".join(names), labels, self.text) if part)

    def digest(self) -> str:
        """Return the SHA-256 of everything the passage holds, in hex."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def to_json(self) -> str:
        """Return the passage as one line of JSON with sorted keys."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Passage:
        """Return the passage that `to_json` wrote as `data`."""
        return cls(**{**data, "aliases": tuple(data["aliases"])})


def make_passages(document: Document, *, hidden_fields: Collection[str] = ()) -> list[Passage]:
    """Return the passages of `document`, in order; the first keeps the document's id, then `id#2`, `id#3` ….

    A record without text is rendered from its fields, except `hidden_fields` (lists of other entities,
    which would match every question that names one of them).
    """
    text = document.text.strip() or render_fields(document.metadata, hidden_fields=hidden_fields)
    pieces = split_text(text) or [document.title]
    return [
        Passage(
            id=document.id if number == 1 else f"{document.id}#{number}",
            document_id=document.id,
            title=document.title,
            entity=document.entity,
            aliases=document.aliases,
            text=piece,
            metadata=document.metadata,
            source=document.source,
        )
        for number, piece in enumerate(pieces, start=1)
    ]


def render_fields(metadata: dict[str, Value], *, hidden_fields: Collection[str] = ()) -> str:
    """Return one `name：value。` sentence a field, in the record's order."""
    shown = ((name, value) for name, value in metadata.items() if name not in hidden_fields)
    return "".join(f"{name}：{_render(value)}。" for name, value in shown)


def _render(value: Value) -> str:
    if isinstance(value, list):
        return "、".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def names_of(passages: Iterable[Passage]) -> dict[str, list[str]]:
    """Return every subject entity with all its names, for the segmenter and the entity index."""
    names: dict[str, list[str]] = {}
    for passage in passages:
        names.setdefault(passage.entity, []).extend(passage.names)
    return {entity: sorted(set(known)) for entity, known in sorted(names.items())}
