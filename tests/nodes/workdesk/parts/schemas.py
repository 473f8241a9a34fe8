"""Schemas and overlays of every kind, damaged ones among them, for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mindatlas.nodes.workdesk.parts.overlay_model import DualTime, NamesFrom, ParameterOverlay, ToolOverlay

NAMES = ("team_id", "status", "start_time", "end_time", "page_no", "kind")
_CODES = st.sampled_from(["0", "1", "day", "week"])
_TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
_JUNK: st.SearchStrategy[Any] = st.sampled_from([None, True, "string", 7, [], {}])


def _property() -> st.SearchStrategy[Any]:
    described = st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(_TYPES, st.lists(_TYPES, max_size=2), _JUNK),
            "description": st.one_of(st.text(max_size=8), _JUNK),
            "enum": st.one_of(st.lists(st.one_of(_CODES, st.integers(0, 2), st.none()), max_size=3), _JUNK),
            "items": st.one_of(st.fixed_dictionaries({"type": _TYPES}), _JUNK),
            "anyOf": st.one_of(st.lists(st.fixed_dictionaries({"type": _TYPES}), max_size=2), _JUNK),
            "default": _JUNK,
            "x-own": _JUNK,
            "$ref": st.sampled_from(["#/$defs/a", "#/none/there", "http://elsewhere"]),
        },
    )
    return st.one_of(described, _JUNK)


def schemas() -> st.SearchStrategy[dict[str, Any]]:
    """Input schemas as servers send them: mostly sound, sometimes anything."""
    properties = st.dictionaries(st.sampled_from(NAMES), _property(), max_size=5)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("object"),
            "properties": st.one_of(properties, properties, _JUNK),
            "required": st.one_of(st.lists(st.sampled_from(NAMES), max_size=4), _JUNK),
            "$defs": st.fixed_dictionaries({"a": _property()}),
            "additionalProperties": st.one_of(st.booleans(), st.just({"type": "string"})),
        },
    )


def _parameters() -> st.SearchStrategy[ParameterOverlay]:
    return st.builds(
        ParameterOverlay,
        description=st.sampled_from(["", "what it is"]),
        type=st.one_of(st.none(), _TYPES),
        values=st.dictionaries(
            _CODES, st.lists(st.sampled_from(["班组", "day"]), max_size=2).map(tuple), max_size=3
        ),
        names_from=st.one_of(st.none(), st.just(NamesFrom(tool="team_list", id="team_id", name="team_name"))),
    )


def overlays() -> st.SearchStrategy[ToolOverlay]:
    """Overlays that were written for some other schema."""
    names = st.lists(st.sampled_from(NAMES), max_size=3, unique=True).map(tuple)
    shapes = st.sampled_from(["string*", "integer", "string[day|week]", "integer|null*", "??"])
    return st.builds(
        ToolOverlay,
        schema_sha256=st.sampled_from(["", "0" * 64]),
        written_for=st.dictionaries(st.sampled_from(NAMES), shapes, max_size=4),
        description=st.sampled_from(["", "corrected"]),
        required=st.one_of(st.none(), names),
        required_any=names,
        defaults=st.dictionaries(
            st.sampled_from(NAMES), st.sampled_from([1, "day", None, True, [1]]), max_size=3
        ),
        hidden=names,
        parameters=st.dictionaries(st.sampled_from(NAMES), _parameters(), max_size=4),
        depends_on=st.sampled_from([(), ("team_list",), ("gone",)]),
        dual_time=st.one_of(st.none(), st.just(DualTime(parameter="status", clocks={}))),
    )
