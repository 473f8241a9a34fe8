"""How the entries of a directory stand in what was said: by name, in other words, by a part of the name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from mindatlas.nodes.text import fold, is_cjk, language_of
from mindatlas.nodes.workdesk.parts.evidence import Evidence, occurrences
from mindatlas.nodes.workdesk.parts.name_directory import Directory, Entry
from mindatlas.nodes.workdesk.parts.support import code_words
from mindatlas.nodes.workdesk.parts.validation import Draft
from mindatlas.nodes.workdesk.parts.word_groups import same_meaning

_GENERIC = (
    "班组团队小组站点人员工单部门中心公司", "team", "group", "site", "station", "crew", "department", "center", "the",
)  # fmt: skip


class NameWordings:
    """What was said, searched for the names of one directory; `others` are those of the call's other parameters."""

    def __init__(
        self, draft: Draft, directory: Directory, others: Sequence[Directory], evidence: Evidence
    ) -> None:
        self.draft, self.directory, self.others, self.evidence = draft, directory, others, evidence
        self.named = self._own_names(evidence.question)

    def _own_names(self, text: str) -> list[str]:
        """Return the names of this directory in a text, without those that are part of another's: 抢修 in 东区抢修组."""
        names = self.directory.mentions(text)
        for longer in {name for other in self.others for name in other.mentions(text)}:
            names = [
                name
                for name in names
                if name == longer or name not in longer or name in text.replace(longer, " ")
            ]
        return names

    def otherwise_said(self, entry: Entry) -> bool:
        """Return whether the question says the name in other words: 报修 or repair for 抢修."""
        words = same_meaning((entry.name,)) - {entry.folded}
        return any(True in occurrences(word, self.evidence.question) for word in words if len(word) > 1)

    def narrowed(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return the entries that fit what the question says of them by another directory: the site of a team."""
        fitting = []
        for entry in entries:
            for other in self.others:
                owner = other.by_id(entry.row.get(other.source.id, ""))
                if owner is not None and (
                    owner.folded in other.mentions(self.evidence.question) or self.evidence.says(owner.id)
                ):
                    fitting.append(entry)
        return fitting

    def surface(self, text: str) -> str:
        """Return what the user said of a name that the model wrote."""
        if self.evidence.says(text):
            return fold(text)
        return next(
            filter(None, (self.directory.overlap(text, said) for said in self.evidence.texts)), fold(text)
        )

    def fuzzy(self, entry: Entry, text: str) -> str:
        """Return the part of a name that stands in a text, unless it is explained otherwise.

        抢修 in a question about 抢修工单 is a type; it does not mean 东区抢修组.
        """
        return next(
            (part for part in self.directory.overlaps(entry.name, text) if part not in self._explained), ""
        )

    def unexplained_part(self) -> str:
        """Return the longest piece of the question that is part of any name, unless it is explained otherwise."""
        pieces = self.directory.parts(self.evidence.timeless)
        return next((piece for piece in pieces if piece not in self._explained), "")

    @cached_property
    def _explained(self) -> str:
        """The words of the question that other parameters account for, and words that are part of too many names."""
        texts = self.evidence.texts
        elsewhere = [name for other in self.others for text in texts for name in other.mentions(text)]
        codes = (word for parameter in self.draft.parameters.values() for code in parameter.values
                 for word in code_words(code, parameter))  # fmt: skip
        return "\n".join([*elsewhere, *codes, *_GENERIC])

    def cannot_tell(self, name: str) -> bool:
        """Return whether the name is in another language than the question, which says more than its grammar."""
        foreign = is_cjk(name) != (language_of(self.evidence.question) == "zh")
        known = [
            name
            for directory in (self.directory, *self.others)
            for name in directory.mentions(self.evidence.question)
        ]
        return foreign and bool(self.evidence.unexplained(known))
