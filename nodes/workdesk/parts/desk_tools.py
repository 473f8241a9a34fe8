"""The tools as the builtin planner sees them: what each is for, and which parameter plays which part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.desk_vocabulary import DIMENSIONS
from mindatlas.nodes.workdesk.parts.overlay_model import ParameterRole, ToolRole
from mindatlas.nodes.workdesk.parts.parameters import Parameter, parameters_of
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

_TOTAL = frozenset({"none", "total", "all", "sum", "overall"})
_TIMES = frozenset({"day", "week", "month"})
_SUFFIXES = ("_id", "_code", "_no", "_name", "_key", "id")


@dataclass(frozen=True)
class DeskTool:
    """One tool and its parameters by role."""

    card: ToolCard

    @property
    def name(self) -> str:
        """The name that calls use."""
        return self.card.name

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters that a call may give, by name."""
        return {name: one for name, one in parameters_of(self.card).items() if not one.hidden}

    def by_role(self, role: ParameterRole) -> Parameter | None:
        """Return the first parameter of a role; None when there is none."""
        return next((one for one in self.parameters.values() if one.role == role), None)

    @cached_property
    def filters(self) -> Mapping[str, Parameter]:
        """The parameters that narrow what is counted or listed."""
        return {name: one for name, one in self.parameters.items() if one.role == "filter"}

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Code of each dimension that figures can be given by -> the words for it, folded."""
        parameter = self.by_role("group_by")
        if parameter is None:
            return {}
        return {
            code: dimension_words(code, words)
            for code, words in parameter.values.items()
            if fold(code) not in _TOTAL
        }

    @property
    def total(self) -> str | None:
        """The code that asks for one figure over everything, None where leaving the grouping out does."""
        parameter = self.by_role("group_by")
        return next((code for code in parameter.values if fold(code) in _TOTAL), None) if parameter else None

    def filter_of(self, dimension: str) -> str | None:
        """Return the parameter that narrows to one member of a dimension, None when there is none."""
        return next((name for name in self.filters if dimension_of(name) == dimension), None)

    def coded(self, parameter: str, code: str) -> Any:
        """Return a code in the type that the tool takes."""
        one = self.parameters[parameter]
        if code in one.codes:
            return one.codes[code]
        return int(code) if one.types & {"integer", "number"} and code.lstrip("-").isdigit() else code


def is_time(dimension: str) -> bool:
    """Return whether a dimension is a stretch of time."""
    return dimension in _TIMES


def dimension_of(parameter: str) -> str:
    """Return the dimension that a filter's name speaks of: team_id narrows to one team."""
    name = fold(parameter)
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and len(name) > len(suffix):
            return name.removesuffix(suffix).rstrip("_")
    return name


def dimension_words(code: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the folded words for a dimension: the overlay's, the code, and the common ones."""
    known = DIMENSIONS.get(fold(code), {}).get("words", ())
    return tuple(dict.fromkeys([*map(fold, words), fold(code), *known]))


@dataclass(frozen=True)
class DeskTools:
    """The tools at hand, found by what they are for."""

    cards: Sequence[ToolCard]

    @cached_property
    def all(self) -> tuple[DeskTool, ...]:
        """Every tool, in the order given."""
        return tuple(DeskTool(card) for card in self.cards)

    def by_role(self, role: ToolRole) -> DeskTool | None:
        """Return the first tool of a role, None when there is none."""
        return next((tool for tool in self.all if tool.card.overlay.role == role), None)

    def by_name(self, name: str) -> DeskTool | None:
        """Return the tool of a name, None when it was not chosen."""
        return next((tool for tool in self.all if tool.name == name), None)

    @cached_property
    def main(self) -> DeskTool | None:
        """The tool whose filters conditions are read for: the one that counts, else the one that lists."""
        return self.by_role("statistics") or self.by_role("list")

    @cached_property
    def directories(self) -> Mapping[str, DeskTool]:
        """Dimension -> the tool that lists its members."""
        found: dict[str, DeskTool] = {}
        for tool in (one for one in (self.by_role("statistics"), self.by_role("list")) if one):
            for name, parameter in tool.filters.items():
                source = parameter.names_from and self.by_name(parameter.names_from.tool)
                if source:
                    found.setdefault(dimension_of(name), source)
        for tool in self.all:  # codes that the overlay lists itself
            if tool.card.overlay.role in {"codes", "directory"} and tool not in found.values():
                found.setdefault(dimension_of(tool.name.split("_")[0]), tool)
        return found
