"""Text versus identifier: the user says 东区抢修组, the system knows T-017 and T-018.

A name is never mapped silently: one exact match that is part of no other name is used and stated, everything else
is asked, and an identifier that the user never named must belong to what was named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.calls import Choice
from mindatlas.nodes.workdesk.parts.evidence import Evidence
from mindatlas.nodes.workdesk.parts.name_directory import Directory, Entry
from mindatlas.nodes.workdesk.parts.name_wordings import NameWordings
from mindatlas.nodes.workdesk.parts.overlay_model import NamesFrom
from mindatlas.nodes.workdesk.parts.support import IDENTIFIER
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext

CHOICES_SHOWN = 9  # a longer list is not read
_UNSUPPORTED = "Nothing in the question, the conversation or a result names it"

Directories = Callable[[NamesFrom], Directory]


def name_key(source: NamesFrom, surface: str) -> str:
    """Return what the user's choice for a name is remembered under."""
    return f"which_name:{source.tool}:{fold(surface)}"


def resolve_names(
    draft: Draft, evidence: Evidence, context: ValidationContext, directories: Directories
) -> None:
    """Turn the names among a call's arguments into identifiers, and check the identifiers against what was named."""
    for name, parameter in draft.parameters.items():
        if parameter.names_from is None or name not in draft.args or parameter.hidden or parameter.values:
            continue
        directory = directories(parameter.names_from)
        if not directory.entries:
            continue  # nothing to compare with: the server itself will say what it does not know
        others = [directories(other.names_from) for other in draft.parameters.values()
                  if other.names_from and other.names_from != parameter.names_from]  # fmt: skip
        _Resolution(draft, name, directory, others, evidence, context).run()


class _Resolution:
    """The way of one argument from what a model wrote to an identifier that the user meant."""

    def __init__(
        self, draft: Draft, name: str, directory: Directory, others: Sequence[Directory], evidence: Evidence,
        context: ValidationContext,
    ) -> None:  # fmt: skip
        self.draft, self.name, self.directory, self.others = draft, name, directory, others
        self.evidence, self.context = evidence, context
        self.said = NameWordings(draft, directory, others, evidence)

    def run(self) -> None:
        value = self.draft.args[self.name]
        if not isinstance(value, list):
            self._one(value)
            return
        kept: list[Any] = []
        for item in value:
            self.draft.args[self.name] = item
            self._one(item)
            if self.name in self.draft.args:
                kept.append(self.draft.args.pop(self.name))
        if kept:
            self.draft.args[self.name] = kept

    def _one(self, value: Any) -> None:
        text = str(value).strip()
        entry = self.directory.by_id(text)
        if entry is not None and entry.id != str(value):
            self._use(entry, value)
        if entry is None:
            self._name(text)
        elif self.evidence.says(entry.id):
            self._state(entry)
        else:
            self._identifier(entry)

    def _name(self, text: str) -> None:
        """The model wrote a name, or an identifier that does not exist."""
        longer = [name for name in self.said.named if fold(text) in name]
        known = [entry for entry in self.directory.named(text) if self._known(entry)]
        if longer:
            self._mentioned(longer[0])
        elif len(known) == 1:
            self._use(known[0], text)
            self._state(known[0])
        elif not self._was_said(text):
            self._unsupported(text)
        elif self.directory.named(text) and self.evidence.says(text):
            self._mentioned(fold(text))
        elif similar := self.directory.similar(text):
            self._ask(self.said.surface(text), similar)
        elif self.directory.complete or not self.evidence.says(text):
            nearest = ", ".join(f"{entry.name} ({entry.id})" for entry in self.directory.nearest(text))
            self.draft.fault(
                "unknown_name", self.name, f"{self.name}: nothing is called {text!r}; nearest: {nearest}"
            )

    def _known(self, entry: Entry) -> bool:
        return self.evidence.says(entry.id) or self.evidence.brought(entry.id)

    def _was_said(self, text: str) -> bool:
        """Return whether a name, or enough of it to ask about, was said."""
        if self.evidence.says(text) or self.evidence.brought(text):
            return True
        parts = [self.directory.overlap(text, said) for said in self.evidence.texts]
        return any(parts) or (not IDENTIFIER.fullmatch(text) and self.said.cannot_tell(text))

    def _identifier(self, entry: Entry) -> None:
        """The model wrote an identifier that exists and that nobody said."""
        if entry.folded in self.said.named:
            self._mentioned(entry.folded, entry)
        elif self.said.otherwise_said(entry):
            self._state(entry)
        elif self.said.named:
            self._contradicted(entry)
        elif self._chosen_for(entry) or self.evidence.brought(entry.id):
            self._state(entry)
        elif part := self.said.fuzzy(entry, self.evidence.timeless):
            if self._continued(entry, part):
                self._state(entry)
                return
            self._ask(part, self.directory.containing(part), entry)
        else:
            self._from_history(entry)

    def _continued(self, entry: Entry, part: str) -> bool:
        """Return whether the conversation named the one entry that a part of a name can mean (那二队呢)."""
        earlier = self.evidence.texts[1:]
        return self.directory.containing(part) == [entry] and any(
            entry.folded in self.directory.mentions(text) for text in earlier
        )

    def _contradicted(self, entry: Entry) -> None:
        """The question names another entry of this directory."""
        if self.evidence.brought(entry.id):
            self._state(entry)
        elif len(self.said.named) == 1:
            self._mentioned(self.said.named[0], entry)
        else:
            named = ", ".join(self.said.named)
            self.draft.fault(
                "unknown_name",
                self.name,
                f"{self.name} {entry.id!r} is {entry.name}; the question names {named}",
            )

    def _from_history(self, entry: Entry) -> None:
        for text in self.evidence.texts[1:]:
            names = self.directory.mentions(text)
            if entry.folded in names:
                self._mentioned(entry.folded, entry)
                return
            if names:
                break
        if part := next(
            filter(None, (self.said.fuzzy(entry, text) for text in self.evidence.user_texts[1:])), ""
        ):
            self._ask(part, self.directory.containing(part), entry)
        elif self.said.cannot_tell(entry.name):
            self._state(entry)
        else:
            self._unsupported(entry.id)

    def _mentioned(self, surface: str, given: Entry | None = None) -> None:
        """The user said `surface`, which is the exact name of one entry or more."""
        held = self.directory.containing(surface)
        exact = [entry for entry in held if entry.folded == surface]
        chosen = self._choice(surface)
        if chosen is None and len(exact) > 1:
            narrowed = self.said.narrowed(exact)
            chosen = narrowed[0] if len(narrowed) == 1 else None
        if chosen is None and len(held) > 1:
            self._ask(surface, held, given)
            return
        self._use(chosen or exact[0], self.draft.args[self.name])
        self._state(chosen or exact[0])

    def _choice(self, surface: str) -> Entry | None:
        chosen = self.context.choices.get(name_key(self.directory.source, surface))
        return None if chosen is None else self.directory.by_id(chosen)

    def _chosen_for(self, entry: Entry) -> bool:
        """Return whether the user chose this entry for a name that the question holds."""
        prefix = name_key(self.directory.source, "")
        return any(
            key.startswith(prefix) and fold(str(value)) == fold(entry.id) and key[len(prefix) :] in text
            for key, value in self.context.choices.items()
            for text in self.evidence.texts[: 1 + len(self.context.history)]
        )

    def _ask(self, surface: str, entries: Sequence[Entry], given: Entry | None = None) -> None:
        if (chosen := self._choice(surface)) is not None:
            self._use(chosen, self.draft.args[self.name])
            self._state(chosen)
        elif self.context.enabled("ask_user") and self.context.enabled("resolve_name"):
            message = self.context.say(f"“{surface}”指的是哪一个？", f"Which one does “{surface}” mean?")
            shown = entries if given is None or given in entries else [given, *entries]
            choices = [self._label(entry) for entry in shown[:CHOICES_SHOWN]]
            self.draft.ask("which_name", name_key(self.directory.source, surface), message, choices)

    def _label(self, entry: Entry) -> Choice:
        others = [
            owner.name if (owner := other.by_id(value)) else str(value)
            for key, value in entry.row.items()
            if key not in {self.directory.source.id, self.directory.source.name}
            and isinstance(value, str | int)
            for other in [next((other for other in self.others if other.source.id == key), self.directory)]
        ]
        return Choice(value=entry.id, label=f"{entry.name} ({', '.join([entry.id, *others])})")

    def _use(self, entry: Entry, before: Any) -> None:
        if before != entry.id and self.context.enabled("resolve_name"):
            self.draft.set(
                "resolve_name",
                self.name,
                entry.id,
                f"{entry.name} is {entry.id} in {self.directory.source.tool}",
            )

    def _state(self, entry: Entry) -> None:
        self.draft.stated.append(
            self.context.say(f"“{entry.name}”指 {entry.id}", f"“{entry.name}” is {entry.id}")
        )

    def _unsupported(self, text: str) -> None:
        """Nobody named it. What the user did name must not be lost with it."""
        if len(self.said.named) == 1:
            self._mentioned(self.said.named[0])
            return
        part = self.said.unexplained_part()
        if part and len(held := self.directory.containing(part)) <= CHOICES_SHOWN:
            self._ask(part, held)
        elif self.draft.optional(self.name) and self.draft.parameters[self.name].role != "id":
            if self.context.enabled("strip_unsupported"):
                self.draft.strip("strip_unsupported", self.name, _UNSUPPORTED)
        else:
            self.draft.fault(
                "unknown_name",
                self.name,
                f"{self.name} {text!r}: {_UNSUPPORTED}; never make one up, look it up",
            )
