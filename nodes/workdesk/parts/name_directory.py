"""Names and their identifiers, as a directory tool lists them, and where the names stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz

from mindatlas.nodes.text import fold, is_cjk
from mindatlas.nodes.workdesk.parts.overlay_model import NamesFrom
from mindatlas.nodes.workdesk.parts.tool_access import ToolAccess

_FUZZY = 70  # partial ratio of rapidfuzz, 0 to 100, from which a name is worth offering
_SHORTEST = 2  # Chinese characters; one is part of too many words


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One row of a directory; `row` holds what else tells it from others of its name."""

    id: str
    name: str
    row: Mapping[str, Any]

    @property
    def folded(self) -> str:
        """The name, folded for matching."""
        return fold(self.name)


@dataclass(frozen=True, kw_only=True)
class Directory:
    """The entries of one directory. `error` says why it could not be read; it is empty then."""

    source: NamesFrom
    entries: Sequence[Entry] = ()
    error: str = ""
    _by_id: Mapping[str, Entry] = field(default_factory=dict)

    def by_id(self, identifier: Any) -> Entry | None:
        """Return the entry with an identifier, case and surrounding space aside."""
        return self._by_id.get(fold(str(identifier)))

    def named(self, name: str) -> list[Entry]:
        """Return the entries with exactly this name."""
        return [entry for entry in self.entries if entry.folded == fold(name)]

    def containing(self, part: str) -> list[Entry]:
        """Return the entries whose name holds `part`, those of exactly this name first."""
        folded = fold(part)
        found = [entry for entry in self.entries if _holds(entry.folded, folded)]
        return sorted(found, key=lambda entry: (entry.folded != folded, entry.id))

    def similar(self, name: str) -> list[Entry]:
        """Return the entries whose name holds `name`, is held by it, or looks like it, the likest first."""
        folded = fold(name)
        inside = [
            entry for entry in self.entries if _holds(entry.folded, folded) or _holds(folded, entry.folded)
        ]
        if inside:
            return sorted(inside, key=lambda entry: (-fuzz.ratio(entry.folded, folded), entry.id))
        scored = [(fuzz.ratio(entry.folded, folded), entry) for entry in self.entries]
        return [
            entry
            for score, entry in sorted(scored, key=lambda pair: (-pair[0], pair[1].id))
            if score >= _FUZZY
        ]

    def nearest(self, name: str, count: int = 3) -> list[Entry]:
        """Return the entries whose names are least unlike `name`, for a message."""
        folded = fold(name)
        return sorted(self.entries, key=lambda entry: (-fuzz.ratio(entry.folded, folded), entry.id))[:count]

    def mentions(self, text: str) -> list[str]:
        """Return the names that stand in a folded text, the longest at each place, each once."""
        spans = sorted(
            ((match.start(), -match.end(), name) for name in {entry.folded for entry in self.entries if entry.name}
             for match in _standing(name).finditer(text)),
        )  # fmt: skip
        found, position = [], 0
        for start, end, name in spans:
            if start >= position:
                position = -end
                found.append(name)
        return list(dict.fromkeys(found))

    def overlap(self, name: str, text: str) -> str:
        """Return the first of `overlaps`, empty when there is none."""
        return next(self.overlaps(name, text), "")

    def overlaps(self, name: str, text: str) -> Iterator[str]:
        """Yield the parts of a name, not the whole, that stand in a folded text, the longest first.

        Two Chinese characters are enough, and a whole Latin word of three letters.
        """
        folded = fold(name)
        for size in range(len(folded) - 1, _SHORTEST - 1, -1):
            for start in range(len(folded) - size + 1):
                part = folded[start : start + size]
                if all(map(is_cjk, part)) and part in text:
                    yield part
        words = re.findall(r"[a-z]{3,}", folded)
        for word in sorted(words, key=len, reverse=True):
            if word != folded and re.search(rf"(?<![a-z]){word}(?![a-z])", text):
                yield word


def read_directory(source: NamesFrom, access: ToolAccess) -> Directory:
    """Return the directory that `source` names; one that cannot be read has no entries and says why."""
    result = access.directory(source.tool, {})
    if result["error"]:
        return Directory(source=source, error=result["error"])
    entries = [
        Entry(id=str(row[source.id]), name=str(row[source.name]), row=row)
        for row in result["rows"]
        if row.get(source.id) not in {None, ""} and row.get(source.name)
    ]
    return Directory(source=source, entries=entries, _by_id={fold(entry.id): entry for entry in entries})


def _standing(name: str) -> re.Pattern[str]:
    body = re.escape(name)
    before = "(?<![a-z0-9])" if name[0].isascii() else ""
    after = "(?:'s)?(?![a-z0-9])" if name[-1].isascii() else ""
    return re.compile(f"{before}{body}{after}")


def _holds(whole: str, part: str) -> bool:
    return bool(part) and bool(_standing(part).search(whole) if part[0].isascii() else part in whole)
