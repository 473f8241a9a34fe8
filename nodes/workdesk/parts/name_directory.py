"""Names and their identifiers, as a directory tool lists them, and where the names stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rapidfuzz import fuzz

from mindatlas.nodes.text import fold, is_cjk
from mindatlas.nodes.workdesk.parts.overlay_model import NamesFrom

_FUZZY = 70  # partial ratio of rapidfuzz, 0 to 100, from which a name is worth offering
_SHORTEST = 2  # Chinese characters; one is part of too many words


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One row of a directory; `row` holds what else tells it from others of its name, `folded` is for matching."""

    id: str
    name: str
    folded: str
    row: Mapping[str, Any]


class Directory:
    """The entries of one directory, none when it could not be read; not `complete` when there are more on the server."""

    def __init__(self, source: NamesFrom, entries: Sequence[Entry] = (), *, complete: bool = True) -> None:
        self.source, self.entries, self.complete = source, entries, complete
        self._by_id = {fold(entry.id): entry for entry in entries}
        self._names = "\n".join(entry.folded for entry in entries)
        longest_first = sorted({entry.folded for entry in entries}, key=lambda name: (-len(name), name))
        self._standing = re.compile("|".join(map(_standing_body, longest_first)) or "(?!)")

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
        return list(dict.fromkeys(match[0].removesuffix("'s") for match in self._standing.finditer(text)))

    def parts(self, text: str) -> Iterator[str]:
        """Yield the pieces of a folded text that are part of any name, the longest first."""
        runs = re.findall(r"[\u3400-\u9fff]+", text)
        for size in range(max(map(len, runs), default=0), _SHORTEST - 1, -1):
            for run in runs:
                pieces = (run[start : start + size] for start in range(len(run) - size + 1))
                yield from (piece for piece in pieces if piece in self._names)
        for word in sorted(re.findall(r"[a-z]{3,}", text), key=len, reverse=True):
            if _standing(word).search(self._names):
                yield word

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


def directory_of(source: NamesFrom, rows: Sequence[Mapping[str, Any]], *, complete: bool = True) -> Directory:
    """Return the directory of the rows that `source` brought; rows without identifier or name are left out."""
    named = [row for row in rows if row.get(source.id) not in (None, "") and row.get(source.name)]
    return Directory(
        source,
        [
            Entry(
                id=str(row[source.id]),
                name=str(row[source.name]),
                folded=fold(str(row[source.name])),
                row=row,
            )
            for row in named
        ],
        complete=complete,
    )


@lru_cache(maxsize=1024)
def _standing(name: str) -> re.Pattern[str]:
    return re.compile(_standing_body(name))


def _standing_body(name: str) -> str:
    before = "(?<![a-z0-9])" if name[0].isascii() else ""
    after = "(?:'s)?(?![a-z0-9])" if name[-1].isascii() else ""
    return f"{before}{re.escape(name)}{after}"


def _holds(whole: str, part: str) -> bool:
    if not part or part not in whole:
        return False
    return not part[0].isascii() or bool(_standing(part).search(whole))
