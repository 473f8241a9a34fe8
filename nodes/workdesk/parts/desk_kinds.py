"""Names that may stand in any directory: asks the directories, so that 北区 is found to be a site.

Only the kind is found out here. The name itself goes on as text, for the check of calls to resolve or ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.calls import RawCall, ToolResult
from mindatlas.nodes.workdesk.parts.desk_request import Condition, DeskRequest, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, DeskTools, dimension_of


@dataclass(frozen=True, kw_only=True)
class _Place:
    """A parameter that takes names, and where those names are listed."""

    parameter: str
    label: str
    tool: DeskTool
    column: str

    def has(self, word: str, results: Sequence[ToolResult], *, whole: bool) -> bool:
        """Return whether a name equals `word`, or without `whole` holds it."""
        wanted = fold(word)
        names = (
            fold(str(row.get(self.column, "")))
            for result in self.answers(word, results)
            for row in result["rows"]
        )
        return any(name == wanted if whole else wanted in name for name in names)

    def answers(self, word: str, results: Sequence[ToolResult]) -> Iterator[ToolResult]:
        """Yield the results that say whether `word` is here."""
        keyword = self.tool.by_role("keyword")
        for result in results:
            if result["tool"] == self.tool.name and (
                keyword is None or result["args"].get(keyword.name) == word
            ):
                yield result


class KindFinder:
    """Finds out which parameter each name of a request belongs to.

    Args:
        tools: the tools at hand.
        tool: the one whose filters are meant.
    """

    def __init__(self, tools: DeskTools, tool: DeskTool) -> None:
        self._places = [
            _Place(
                parameter=name, label=(tool.groups.get(dimension_of(name)) or (name,))[0], tool=directory,
                column=parameter.names_from.name,
            )
            for name, parameter in tool.filters.items()
            if parameter.names_from and (directory := tools.by_name(parameter.names_from.tool))
        ]  # fmt: skip

    def lookups(self, request: DeskRequest, results: Sequence[ToolResult]) -> list[RawCall]:
        """Return the calls that are still needed to know every name's kind; whole lists are read first."""
        unknown = [words for words in _untyped(request) if not self._exact(words, results)]
        whole = [place for place in self._places if place.tool.by_role("keyword") is None]
        searched = [place for place in self._places if place.tool.by_role("keyword") is not None]
        calls = _calls([(place, "") for place in whole], results) if unknown else []
        if calls or not unknown:
            return calls
        return _calls([(place, words[0]) for words in unknown for place in searched], results)

    def resolved(self, request: DeskRequest, results: Sequence[ToolResult]) -> DeskRequest:
        """Return the request with a parameter for every name, and what it took over from the question before.

        Raises:
            UnreadableRequest: `unknown_name` where no directory has a name, `several_kinds` where more than one has.
        """
        own = _joined([self._with_kind(condition, results) for condition in request.conditions])
        before = [self._with_kind(condition, results) for condition in request.inherited]
        taken = {condition.parameter for condition in own}
        kept = [condition for condition in before if condition.parameter not in taken]
        return replace(request, conditions=(*own, *_joined(kept)), inherited=())

    def _with_kind(self, condition: Condition, results: Sequence[ToolResult]) -> Condition:
        if condition.parameter:
            return condition
        places = self._exact(condition.words, results) or self._holding(condition.words[0], results)
        if not places:
            raise UnreadableRequest("unknown_name" if self._places else "unknown_words", condition.words[0])
        if len(places) > 1:
            kinds = " / ".join(f"{place.label} {condition.words[0]}" for place in places)
            raise UnreadableRequest("several_kinds", kinds)
        return replace(condition, parameter=places[0].parameter)

    def _exact(self, words: Sequence[str], results: Sequence[ToolResult]) -> list[_Place]:
        return [place for place in self._places if place.has(words[0], results, whole=True)]

    def _holding(self, word: str, results: Sequence[ToolResult]) -> list[_Place]:
        return [place for place in self._places if place.has(word, results, whole=False)]


def _untyped(request: DeskRequest) -> list[tuple[str, ...]]:
    return [
        condition.words for condition in (*request.conditions, *request.inherited) if not condition.parameter
    ]


def _calls(wanted: Sequence[tuple[_Place, str]], results: Sequence[ToolResult]) -> list[RawCall]:
    calls: list[RawCall] = []
    for place, word in wanted:
        keyword = place.tool.by_role("keyword")
        args = {keyword.name: word} if keyword is not None else {}
        if not any(place.answers(word, results)) and not any(
            call["tool"] == place.tool.name and call["args"] == args for call in calls
        ):
            calls.append(
                RawCall(id=f"lookup_{len(results) + len(calls) + 1}", tool=place.tool.name, args=args)
            )
    return calls


def _joined(conditions: Sequence[Condition]) -> list[Condition]:
    """Return one condition for each parameter: names of one kind count together.

    Raises:
        UnreadableRequest: `contradiction` where a parameter has wanted and excluded values.
    """
    found: dict[str, Condition] = {}
    for condition in conditions:
        before = found.get(condition.parameter)
        if before is not None and before.excluded != condition.excluded:
            raise UnreadableRequest("contradiction", condition.words[0])
        found[condition.parameter] = condition if before is None else _together(before, condition)
    return list(found.values())


def _together(one: Condition, other: Condition) -> Condition:
    fresh = [pair for pair in zip(other.values, other.words, strict=True) if pair[0] not in one.values]
    return replace(
        one,
        values=(*one.values, *(value for value, _ in fresh)),
        words=(*one.words, *(word for _, word in fresh)),
    )
