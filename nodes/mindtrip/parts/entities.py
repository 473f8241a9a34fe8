"""The names a knowledge base knows, and where they stand in a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mindatlas.nodes.text import fold, fold_with_offsets


@dataclass(frozen=True, kw_only=True)
class Mention:
    """One name found in a text: `text[start:end] == surface`, and the entity it stands for."""

    start: int
    end: int
    surface: str
    entity: str


class EntityIndex:
    """Finds whole names and aliases in a text, folded, the longest name first.

    故宫角楼咖啡 in a text is one mention of that entity and none of 故宫, when both are known.

    Example:
        >>> EntityIndex({"日月湾": ["Riyue Bay"]}).find("Is riyue  bay good?")[0].entity
        '日月湾'
    """

    def __init__(self, aliases: Mapping[str, Iterable[str]]) -> None:
        self._entities: dict[str, str] = {}
        for entity, names in aliases.items():
            for name in names:
                self._entities.setdefault(fold(name), entity)
        for entity in aliases:
            self._entities[fold(entity)] = entity
        self._entities.pop("", None)
        self._lengths: dict[str, list[int]] = {}
        for name in self._entities:
            self._lengths.setdefault(name[0], []).append(len(name))
        for lengths in self._lengths.values():
            lengths[:] = sorted(set(lengths), reverse=True)

    def __len__(self) -> int:
        return len(self._entities)

    def names(self) -> list[str]:
        """Return every known name and alias, folded, sorted."""
        return sorted(self._entities)

    def resolve(self, name: str) -> str | None:
        """Return the entity that `name` (or alias) stands for as a whole, or None."""
        return self._entities.get(fold(name))

    def find(self, text: str) -> list[Mention]:
        """Return the mentions in `text`, left to right, not overlapping, longest name first.

        A name of Latin letters or digits counts only between word borders.
        """
        folded, offsets = fold_with_offsets(text)
        mentions: list[Mention] = []
        start = 0
        while start < len(folded):
            length = self._match_at(folded, start)
            if length:
                first, last = offsets[start], offsets[start + length - 1] + 1
                entity = self._entities[folded[start : start + length]]
                mentions.append(Mention(start=first, end=last, surface=text[first:last], entity=entity))
            start += length or 1
        return mentions

    def _match_at(self, folded: str, start: int) -> int:
        if start and _joins(folded[start - 1], folded[start]):
            return 0
        for length in self._lengths.get(folded[start], ()):
            end = start + length
            if end > len(folded) or folded[start:end] not in self._entities:
                continue
            if end == len(folded) or not _joins(folded[end - 1], folded[end]):
                return length
        return 0


def _joins(left: str, right: str) -> bool:
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()
