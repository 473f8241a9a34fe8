"""Checks a plan's calls before any of them is made: mends what can be mended without guessing, asks, or refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator

from mindatlas.nodes.workdesk.parts.approvals import approval_key, ask_approval, edited_args
from mindatlas.nodes.workdesk.parts.argument_blanks import strip_empty
from mindatlas.nodes.workdesk.parts.argument_checks import check_schema, fit_identifiers, fit_types
from mindatlas.nodes.workdesk.parts.argument_keys import check_keys
from mindatlas.nodes.workdesk.parts.argument_needs import drop_hidden, fill_defaults, require, take_answers
from mindatlas.nodes.workdesk.parts.call_reading import ReadCall, read_calls
from mindatlas.nodes.workdesk.parts.calls import CallFault, CheckedCall, RawCall
from mindatlas.nodes.workdesk.parts.clock_choice import correct_clock
from mindatlas.nodes.workdesk.parts.evidence import Evidence
from mindatlas.nodes.workdesk.parts.name_directory import Directory, directory_of
from mindatlas.nodes.workdesk.parts.names import Directories, resolve_names
from mindatlas.nodes.workdesk.parts.overlay_model import NamesFrom
from mindatlas.nodes.workdesk.parts.parameters import corrected_schema, parameters_of
from mindatlas.nodes.workdesk.parts.support import strip_unsupported
from mindatlas.nodes.workdesk.parts.time_limits import limit_time
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard
from mindatlas.nodes.workdesk.parts.validation import Draft, Validation, ValidationContext

__all__ = ["CallValidator", "Validation", "ValidationContext"]


class CallValidator:
    """Checks calls against the tools, the question and what is known; a schema is compiled once for each tool."""

    def __init__(self) -> None:
        self._tools: dict[str, _Tool] = {}
        self._directories: dict[NamesFrom, tuple[Sequence[Mapping[str, Any]], Directory]] = {}

    def validate(
        self, plan_calls: Sequence[RawCall], *, truncated: bool = False, context: ValidationContext
    ) -> Validation:
        """Return the calls that may be made, the faults of the others, and all that was changed.

        While the user has something to say there are no calls: all are checked again with the answer.

        Args:
            plan_calls: as the model wrote them; arguments may be the raw text of a stream.
            truncated: the model's reply was cut off, so none of its calls is made.
            context: what they are checked against.
        """
        reading = read_calls(
            plan_calls,
            cards=context.cards,
            truncated=truncated,
            enabled=context.enabled,
            used_ids=[result["id"] for result in context.results],
        )
        evidence = Evidence(context)
        directories = self._reader(context)
        siblings = Counter(call.tool for call in reading.calls) + Counter(
            result["tool"] for result in context.results
        )
        drafts = [self._draft(call, siblings[call.tool] - 1, context) for call in reading.calls]
        asked_before: Counter[str] = Counter()
        for draft in drafts:
            self._check(draft, evidence, context, directories)
            if not draft.card.read_only and not draft.faults and draft.question is None:
                self._approve(draft, asked_before, context)
        return _validation(drafts, reading.faults)

    def _draft(self, call: ReadCall, siblings: int, context: ValidationContext) -> Draft:
        tool = self._tool(context.cards[call.tool])
        return Draft(
            id=call.id,
            card=tool.card,
            parameters=tool.parameters,
            args=dict(call.args),
            siblings=siblings,
            repairs=list(call.repairs),
        )

    def _check(
        self, draft: Draft, evidence: Evidence, context: ValidationContext, directories: Directories
    ) -> None:
        drop_hidden(draft)
        take_answers(draft, context)
        check_keys(draft, evidence, context)
        strip_empty(draft, evidence, context)
        fit_types(draft, context)
        limit_time(draft, evidence, context)
        resolve_names(draft, evidence, context, directories)
        strip_unsupported(draft, evidence, context)
        correct_clock(draft, evidence, context)
        self._complete(draft, context)

    def _complete(self, draft: Draft, context: ValidationContext) -> None:
        fit_identifiers(draft)
        if draft.question is None:  # a name that is yet to be asked about is no identifier
            check_schema(draft, self._tool(draft.card).validator)
        if not draft.faults:
            fill_defaults(draft, context)
        require(draft, context)

    def _approve(self, draft: Draft, before: Counter[str], context: ValidationContext) -> None:
        plain = approval_key(draft, context)
        key = approval_key(draft, context, before[plain])
        before[plain] += 1
        edited = edited_args(key, context)
        if edited is not None and any(result["args"] == edited for result in context.results):
            draft.fault("not_allowed", "", f"{draft.card.name} was already called as the user wrote it")
        elif edited is not None:
            draft.args = edited
            fit_types(draft, context)
            self._complete(draft, context)
        else:
            ask_approval(draft, key, context)

    def _tool(self, card: ToolCard) -> _Tool:
        known = self._tools.get(card.name)
        if known is None or known.card is not card:
            known = self._tools[card.name] = _Tool(card)
        return known

    def _reader(self, context: ValidationContext) -> Directories:
        """Return what reads a directory once for a check, and indexes its rows again only when they changed."""
        read: dict[NamesFrom, Directory] = {}

        def directory(source: NamesFrom) -> Directory:
            if source not in read:
                read[source] = self._directory(source, context)
            return read[source]

        return directory

    def _directory(self, source: NamesFrom, context: ValidationContext) -> Directory:
        result = context.access.directory(source.tool, {})
        rows = [] if result["error"] else result["rows"]
        known = self._directories.get(source)
        if known is None or known[0] != rows:
            known = self._directories[source] = (
                rows,
                directory_of(source, rows, complete=result["n_rows"] <= len(rows)),
            )
        return known[1]


class _Tool:
    """What is derived from a tool's card, once."""

    def __init__(self, card: ToolCard) -> None:
        self.card = card
        self.parameters = parameters_of(card)
        # What is missing and what is unknown was named already, and the user may yet be asked for it.
        self.validator = Draft202012Validator(
            {**corrected_schema(card), "required": [], "additionalProperties": True}
        )


def _validation(drafts: Sequence[Draft], unread: Sequence[CallFault]) -> Validation:
    faults = [*unread, *(fault for draft in drafts for fault in draft.faults.values())]
    asking = next((draft.question for draft in drafts if draft.question and not draft.faults), None)
    sound = [draft for draft in drafts if not draft.faults and draft.question is None]
    calls = [
        CheckedCall(id=draft.id, tool=draft.card.name, args=draft.args, repairs=draft.repairs, clock="")
        for draft in sound
    ]
    return Validation(
        calls=[] if asking else calls,
        faults=faults,
        repairs=[repair for draft in drafts for repair in draft.repairs],
        clarification=asking,
        stated=list(dict.fromkeys(line for draft in drafts if not draft.faults for line in draft.stated)),
    )
