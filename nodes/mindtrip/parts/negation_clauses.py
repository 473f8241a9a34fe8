"""The question as the grammars of exclusion see it, and what one cue in it yields.

Names that are known or stand in quotes are masked, so no cue can fire inside one (《不要和陌生人说话》, 非凡酒店)
and a pattern can ask for "a name here" without knowing which.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.text import fold_with_offsets, is_cjk

Reading = Literal["none", "excluded", "additive", "choice", "only"]
Span = tuple[int, int]

MASK = "\ue000"
NAME = "\ue000\ue001*"
WINDOW = 120
"""How many characters a cue may look ahead or back: keeps the work linear in the length of the question."""

_QUOTED = re.compile(
    r"《[^《》]{1,40}》|〈[^〈〉]{1,40}〉|[「『“【\[][^「」『』“”【】\[\],。?!\n]{1,24}[」』”】\]]"
    r'|"[^",。?!\n]{1,24}"'
    r"|(?<![^\W_])['‘][^'‘,。?!\n]{2,24}'(?![^\W_])"
)
_QUOTE_MARKS = "《》〈〉「」『』“”【】[]\"'‘’ \t"
_PART_END = re.compile(r"[,。?!;:\n()~…—]|\.(?=\s|$)")
_SENTENCE_END = re.compile(r"[。?!;\n]|\.(?=\s|$)")


@dataclass(frozen=True, kw_only=True)
class Clause:
    """One cue with its argument; all spans are offsets in `QuestionView.masked`.

    `cuts` leave the query; `start` and `end` bound the cue and its argument, for showing.
    """

    start: int
    end: int
    reading: Reading
    names: tuple[Span, ...] = ()
    attributes: tuple[Span, ...] = ()
    cuts: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Argument:
    """The argument of one cue, sorted into names and words that only describe."""

    names: tuple[Span, ...]
    attributes: tuple[Span, ...]
    end: int


def excluding(argument: Argument, start: int, end: int) -> Clause:
    """Return the clause from `start` to `end` read as an exclusion, or as none where it holds no name.

    Words that only describe stay in the query: of 不要日月湾和爬山的 only 日月湾和 is cut.
    """
    if not argument.names:
        return Clause(start=start, end=end, reading="none", attributes=argument.attributes)
    return Clause(
        start=start,
        end=end,
        reading="excluded",
        names=argument.names,
        attributes=argument.attributes,
        cuts=_name_cuts(argument) if argument.attributes else ((start, end),),
    )


def _name_cuts(argument: Argument) -> tuple[Span, ...]:
    """Return the runs of names, each up to the describing words behind it; the last run from those before it."""
    cuts: list[Span] = []
    names = list(argument.names)
    for attribute in argument.attributes:
        run = [name for name in names if name < attribute]
        if run:
            cuts.append((run[0][0], attribute[0]))
        names = names[len(run) :]
    if names:
        cuts.append((argument.attributes[-1][1], names[-1][1]))
    return tuple(cuts)


class QuestionView:
    """A question folded for matching, with its known and quoted names masked.

    `folded` and `masked` have the same length; white space between Chinese characters is kept in both
    (people write a space for a comma), a line break as such.
    """

    def __init__(self, question: str, entities: EntityIndex) -> None:
        self.question = question
        folded, self._offsets = _fold_keeping_space(question)
        self.folded = folded.replace("’", "'")
        mentions = [(m.start, m.end) for m in entities.find(question)]
        known = [
            (bisect_left(self._offsets, start), bisect_left(self._offsets, end)) for start, end in mentions
        ]
        quoted = [match.span() for match in _QUOTED.finditer(self.folded)]
        masked = list(re.sub("[\ue000-\ue00f]", "\ufffd", self.folded))
        for start, end in known + quoted:
            masked[start:end] = [MASK] + ["\ue001"] * (end - start - 1)
        self.masked = "".join(masked)
        self._known = set(known)

    def original(self, span: Span) -> Span:
        """Return the offsets in the question that `span` covers."""
        start, end = span
        if start >= end:
            return self._offsets[start], self._offsets[start]
        return self._offsets[start], self._offsets[end - 1] + 1

    def surface(self, span: Span) -> str:
        """Return `span` as the user wrote it, without quotes and brackets around it."""
        start, end = self.original(span)
        return self.question[start:end].strip(_QUOTE_MARKS)

    def is_known(self, span: Span) -> bool:
        """Return whether `span` is exactly one name of the knowledge base."""
        return span in self._known

    def is_title(self, span: Span) -> bool:
        """Return whether `span` stands in book title marks: a name whatever its words mean."""
        return self.folded[span[0]] in "《〈"

    def is_capital(self, position: int) -> bool:
        """Return whether the user wrote a capital letter at `position`; False at the end."""
        start = self._offsets[position]
        return self.question[start : start + 1].isupper()

    def part_start(self, end: int) -> int:
        """Return where the part between two punctuation marks that holds `end` starts, at most `WINDOW` back."""
        start = max(0, end - WINDOW)
        return max((match.end() for match in _PART_END.finditer(self.masked, start, end)), default=start)

    def sentence_end(self, start: int) -> int:
        """Return where the sentence that holds `start` ends, at most `WINDOW` characters on."""
        match = _SENTENCE_END.search(self.masked, start, start + WINDOW)
        return match.start() if match else min(len(self.masked), start + WINDOW)

    def sentence_start(self, end: int) -> int:
        """Return where the sentence that holds `end` starts, at most `WINDOW` characters back."""
        start = max(0, end - WINDOW)
        return max((match.end() for match in _SENTENCE_END.finditer(self.masked, start, end)), default=start)


def _fold_keeping_space(text: str) -> tuple[str, list[int]]:
    """Return `text` folded and the offset of each character, with the spaces between Chinese characters kept."""
    folded, offsets = fold_with_offsets(text)
    chars: list[str] = []
    kept: list[int] = []
    for index, char in enumerate(folded):
        gap = text[offsets[index] + 1 : offsets[index + 1]]
        breaks = char == " " and "\n" in text[offsets[index] : offsets[index + 1]]
        chars.append("\n" if breaks else char)
        kept.append(offsets[index])
        if is_cjk(char) and gap and gap.isspace() and is_cjk(folded[index + 1 : index + 2]):
            chars.append("\n" if "\n" in gap else " ")
            kept.append(offsets[index] + 1)
    kept.append(len(text))
    return "".join(chars), kept
