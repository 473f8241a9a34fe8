"""What supports a value: the words of the user and of the conversation, the user's choices, and what tools brought."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from mindatlas.nodes.dates import TimeMention, find_dates
from mindatlas.nodes.numbers import NUMBER, parse_number
from mindatlas.nodes.text import fold, is_cjk
from mindatlas.nodes.workdesk.parts.leftover_words import leftover_words
from mindatlas.nodes.workdesk.parts.validation import ValidationContext
from mindatlas.nodes.workdesk.parts.word_groups import word_groups

_NOT_BEFORE = re.compile(
    r"(?:未|(?<!有)没有?|尚未|还未|(?<!是)不是|(?<![是要能行可])不|非|除了?|除去|除开|排除|不含|不包括|不包含|剔除|去掉|不算"
    r"|\bnot(?:\s+(?:yet|been|the|any))?|\bun|\bnon|n't|\bwithout|\bexcept(?:\s+for)?|\bexcluding|\bother\s+than"
    r"|\bbut\s+not|\bno)(?:[\s\-的已经被完全]|\bthe\b|\byet\b|\bbeen\b|\bany\b){0,4}$"
)
_NOT_AFTER = re.compile(r"(?:的|状态|工单)*(?:以外|之外|除外)")
_LATIN_EDGE = "a-z0-9"
IDENTIFIERS = re.compile(r"(?<![a-z0-9])[a-z]{1,6}[-_ ]?\d[a-z0-9]*(?:[-_/]\w+)*")
"""Identifiers of a system in folded text, such as wo-20260314-0007."""


class Evidence:
    """All that was said and brought, ready to be searched."""

    def __init__(self, context: ValidationContext) -> None:
        self.question = fold(context.question)
        self.mentions = find_dates(context.question, context.today)
        self.timeless = fold(_without(context.question, self.mentions))
        said = [str(turn.get("content", "")) for turn in context.history]
        users = [str(turn.get("content", "")) for turn in context.history if turn.get("role") == "user"]
        self.user_texts = [self.question, *(fold(text) for text in reversed(users))]
        self.texts = [
            self.question,
            *(fold(text) for text in reversed(said)),
            *_choice_texts(context.choices),
        ]
        self._context = context

    def unexplained(self, names: Iterable[str] = ()) -> list[str]:
        """Return the words of the question that neither its grammar, a known condition nor a name explains.

        A condition in wording that we do not know may stand in them.
        """
        text = self._without_conditions
        for name in names:
            text = text.replace(name, " ， ")
        return leftover_words(text)

    @cached_property
    def _without_conditions(self) -> str:
        text = IDENTIFIERS.sub(" ， ", self.timeless)
        for word in self._vocabulary:
            if word[:1] in text:
                text = word_pattern(word).sub(" ， ", text)
        return text

    @cached_property
    def _vocabulary(self) -> list[str]:
        """Every word for a condition or a clock that we know, the longest first."""
        overlays = [card.overlay for card in self._context.cards.values()]
        coded = (words for overlay in overlays for parameter in overlay.parameters.values()
                 for words in parameter.values.values())  # fmt: skip
        clocks = (
            clock.words
            for overlay in overlays
            if overlay.dual_time
            for clock in overlay.dual_time.clocks.values()
        )
        known = {fold(word) for words in (*word_groups(), *coded, *clocks) for word in words}
        return sorted((word for word in known if len(word) > 1), key=lambda word: (-len(word), word))

    @cached_property
    def cells(self) -> set[str]:
        """Every value of every row that came back, and of the calls that brought them, directories left out."""
        return set(self._cells(directories=False))

    @cached_property
    def directory_cells(self) -> set[str]:
        """Every value of the rows of directories."""
        return set(self._cells(directories=True))

    def says(self, literal: Any, *, user_only: bool = False) -> bool:
        """Return whether a text holds the literal as a word of its own, separators and case aside."""
        pattern = literal_pattern(str(literal))
        texts = self.user_texts if user_only else self.texts
        return pattern is not None and any(pattern.search(text) for text in texts)

    def brought(self, literal: Any) -> bool:
        """Return whether a tool's result holds the literal as a value or as a word of its text."""
        return fold(str(literal)) in self.cells or any(
            (pattern := literal_pattern(str(literal))) and pattern.search(fold(result["content"]))
            for result in self._results(directories=False)
        )

    def wordings(self, words: Iterable[str], *, history: bool = True) -> set[bool]:
        """Return how the words stand in the texts: `{True}` said, `{False}` only negated, `{}` not at all."""
        texts = self.texts if history else [self.question]
        return {affirmed for word in words for text in texts for affirmed in occurrences(word, text)}

    def numbers(self) -> set[float]:
        """Return the numbers in the texts, in digits or Chinese numerals, those of time expressions left out."""
        texts = [self.timeless, *self.texts[1:]]
        found = (parse_number(match) for text in texts for match in re.findall(NUMBER, text))
        return {number for number in found if number is not None}

    def _results(self, *, directories: bool) -> list[Any]:
        return [
            result
            for result in self._context.results
            if not result["error"] and self._is_directory(result["tool"]) is directories
        ]

    def _is_directory(self, tool: str) -> bool:
        card = self._context.cards.get(tool)
        return card is not None and card.overlay.role in {"directory", "codes"}

    def _cells(self, *, directories: bool) -> Iterable[str]:
        for result in self._results(directories=directories):
            for record in [*result["rows"], *([] if directories else [result["args"]])]:
                yield from (fold(str(value)) for value in _leaves(record))


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif value is not None and value != "":
        yield value


def _choice_texts(choices: Mapping[str, Any]) -> list[str]:
    return [fold(f"{key.rsplit(':', 1)[-1]} {value}") for key, value in choices.items()]


def _without(text: str, mentions: list[TimeMention]) -> str:
    for mention in reversed(mentions):
        text = f"{text[: mention.start]} ， {text[mention.end :]}"
    return text


@lru_cache(maxsize=1024)
def literal_pattern(literal: str) -> re.Pattern[str] | None:
    """Return a pattern for an identifier or text however it is separated: WO-1, wo1, WO 1; None for no characters."""
    parts = re.findall(r"[^\W_]+", fold(literal))
    if not parts:
        return None
    body = r"[\W_]{0,3}".join(map(re.escape, parts))
    before = f"(?<![{_LATIN_EDGE}])" if parts[0][0].isascii() else ""
    after = f"(?![{_LATIN_EDGE}])" if parts[-1][-1].isascii() else ""
    return re.compile(f"{before}{body}{after}")


@lru_cache(maxsize=4096)
def word_pattern(word: str) -> re.Pattern[str]:
    """Return a pattern for a word in folded text, with its English negations and endings."""
    folded = r"[\s_-]*".join(map(re.escape, re.split(r"[\s_-]+", fold(word))))
    if is_cjk(word):
        return re.compile(folded)
    folded = f"{folded[:-1]}(?:y|ie)" if folded.endswith("y") else folded
    return re.compile(rf"(?<![{_LATIN_EDGE}])(?:un|non-?|not-?)?{folded}(?:s|es|ed|d)?(?![{_LATIN_EDGE}])")


def occurrences(word: str, text: str) -> list[bool]:
    """Return for each place where `word` stands in the folded `text` whether it is affirmed there, not negated."""
    if not word:
        return []
    found = []
    for match in word_pattern(word).finditer(text):
        negated = _NOT_BEFORE.search(text[max(0, match.start() - 16) : match.start()])
        prefixed = re.match(r"(?:un|non|not)", match[0]) and not re.match(r"(?:un|non|not)", fold(word))
        found.append(not (negated or prefixed or _NOT_AFTER.match(text, match.end())))
    return found
