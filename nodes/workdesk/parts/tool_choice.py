"""Chooses the tools for a question among hundreds, by what they are registered for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mindatlas.nodes.text import fold, is_cjk
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard
from mindatlas.nodes.workdesk.parts.tool_ranking import ToolRanking
from mindatlas.nodes.workdesk.parts.tool_schemas import registration_of

_BEFORE = 0.5  # how much the question before counts: it may only break what the question itself leaves open
_PLAIN_NAME = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, kw_only=True)
class ToolSelection:
    """The tools for a question.

    Attributes:
        cards: those chosen, best first, then what they need: the tools they depend on, the directories of their names.
        left_out: tools that the question rules out -> the word that does.
    """

    cards: Sequence[ToolCard]
    left_out: Mapping[str, str] = field(default_factory=dict)


class ToolChooser:
    """Chooses at most `k` tools for a question, and beside them what those need.

    The index is built once, when it is first used.

    Args:
        cards: all tools.
        k: how many are chosen at most, from 1.
        embedding: the embedding that the tools are also compared by; a name that `open_embedding` takes.
    """

    def __init__(self, cards: Sequence[ToolCard], *, k: int = 8, embedding: str = "builtin") -> None:
        self._cards = tuple(cards)
        self._k = k
        self._embedding = embedding
        self._by_name = {card.name: card for card in self._cards}

    def choose(self, question: str, history: Sequence[Mapping[str, object]] = ()) -> list[ToolCard]:
        """Return the tools for `question`; see `select`."""
        return list(self.select(question, history).cards)

    def select(self, question: str, history: Sequence[Mapping[str, object]] = ()) -> ToolSelection:
        """Return the tools for `question`, the best first; ties in the order of the tools.

        A tool whose `exclude_when` stands in the question is taken out before the choice, unless the question
        names the tool; a tool that the question names is always chosen.
        """
        folded = fold(question)
        named = [card.name for card in self._cards if is_named(card.name, folded)]
        left_out = {
            card.name: word
            for card in self._cards
            if card.name not in named and (word := excluding_word(card, folded))
        }
        best = [
            name for name in self._ranked(question, history) if name not in left_out and name not in named
        ]
        chosen = [*named, *best[: max(0, self._k - len(named))]]
        cards = [self._by_name[name] for name in self._with_needed(chosen)]
        return ToolSelection(
            cards=cards, left_out={name: word for name, word in left_out.items() if name not in chosen}
        )

    @cached_property
    def _ranking(self) -> ToolRanking:
        texts = [registration_of(card).search_text() for card in self._cards]
        return ToolRanking(texts, embedding=self._embedding)

    def _ranked(self, question: str, history: Sequence[Mapping[str, object]]) -> list[str]:
        before = [str(turn.get("content", "")) for turn in history if turn.get("role") == "user"][-1:]
        scores = self._ranking.scores([(question, 1.0), *((text, _BEFORE) for text in before)])
        order = sorted(range(len(self._cards)), key=lambda index: (-scores[index], index))
        return [self._cards[index].name for index in order]

    def _with_needed(self, chosen: Iterable[str]) -> list[str]:
        """Return the names with those of the tools that they need, and that those need, behind them."""
        names = list(dict.fromkeys(chosen))
        for name in names:  # grows while it is read
            names += [
                needed
                for needed in _needs(self._by_name[name])
                if needed in self._by_name and needed not in names
            ]
        return names


def is_named(name: str, folded: str) -> bool:
    """Return whether a folded question names a tool: by its name, or a plain word (`list`) in quotes or as a tool."""
    body = re.escape(fold(name))
    if _PLAIN_NAME.fullmatch(name) and name.islower():
        return bool(
            re.search(
                rf"[`'\"“‘「]{body}[`'\"”’」]|(?<!\w){body}\s*(?:工具|tool\b)|(?:工具|\btool)\s*{body}(?!\w)",
                folded,
            )
        )
    return bool(re.search(rf"(?<![a-z0-9_.\-]){body}(?![a-z0-9_\-])", folded))


def excluding_word(card: ToolCard, folded: str) -> str:
    """Return the word of a folded question that rules a tool out, empty when there is none."""
    return next((word for word in card.overlay.exclude_when if _stands(fold(word), folded)), "")


def _stands(word: str, text: str) -> bool:
    if is_cjk(word):
        return word in text
    return bool(word) and bool(re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text))


def _needs(card: ToolCard) -> list[str]:
    overlay = card.overlay
    sources = [
        one.names_from.tool
        for name, one in overlay.parameters.items()
        if one.names_from and name not in overlay.hidden
    ]
    return list(dict.fromkeys([*overlay.depends_on, *sources]))
