"""Overlays on schemas that have moved on: what fits applies, what does not is skipped and told, nothing is raised."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given

from mindatlas.nodes.workdesk.parts.overlay_findings import tool_findings
from mindatlas.nodes.workdesk.parts.overlay_fit import fit_cards, fit_overlay
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay, ToolOverlay
from mindatlas.nodes.workdesk.parts.parameters import parameters_of
from mindatlas.nodes.workdesk.parts.schema_shapes import schema_hash, shapes_of, sound_schema
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from mindatlas.nodes.workdesk.parts.tool_schemas import invocation_of, registration_of
from tests.nodes.workdesk.parts.schemas import overlays, schemas


def tool(schema: dict[str, Any], name: str = "count") -> ServerTool:
    return ServerTool(server="desk", name=name, description="counts", input_schema=schema)


def schema(required: list[str] | None = None, **types: Any) -> dict[str, Any]:
    properties = {name: one if isinstance(one, dict) else {"type": one} for name, one in types.items()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(types) if required is None else required,
    }


def overlay(written_for: dict[str, Any] | None = None, **fields: Any) -> ToolOverlay:
    """Return an overlay; with `written_for` it was written for that schema."""
    if written_for is not None:
        fields["schema_sha256"] = schema_hash(written_for)
        fields["written_for"] = {name: str(shape) for name, shape in shapes_of(written_for).items()}
    return ToolOverlay.model_validate(fields)


@given(schemas(), overlays())
def test_an_overlay_of_another_schema_never_raises_and_fits_afterwards(
    now: dict[str, Any], known: ToolOverlay
) -> None:
    before = copy.deepcopy(now)
    cards, notices = fit_cards([tool(now)], {"desk": ServerOverlay(server="desk", tools={"count": known})})
    assert all(isinstance(notice, str) for notice in notices)
    assert now == before
    fitted = cards[0].overlay
    left = {finding.kind for finding in tool_findings(tool(now), fitted, {"count"})}
    assert not left & {"orphaned_key"} - _only_written_for(tool(now), fitted)
    registration_of(cards[0]).search_text()
    invocation_of(cards[0]).as_function()


def _only_written_for(one: ServerTool, fitted: ToolOverlay) -> set[str]:
    """Return the kind of findings that only the record of the old schema causes: it stays, to be told again."""
    found = tool_findings(one, fitted, {"count"})
    orphans = [finding for finding in found if finding.kind == "orphaned_key"]
    return {"orphaned_key"} if all(finding.field.startswith("written_for.") for finding in orphans) else set()


@given(schemas(), overlays())
def test_an_overlay_never_removes_a_field_of_the_server(now: dict[str, Any], known: ToolOverlay) -> None:
    cards, _ = fit_cards([tool(now)], {"desk": ServerOverlay(server="desk", tools={"count": known})})
    told = invocation_of(cards[0])
    assert (told.server_schema, told.server_description) == (now, "counts")
    for name, said in sound_schema(now)["properties"].items():
        if name in cards[0].overlay.hidden:
            assert name not in told.schema["properties"]
        else:
            assert set(said) - {"$ref"} <= set(told.schema["properties"][name])


def test_what_is_gone_is_skipped_and_named() -> None:
    old = schema(start="string", team="string", status="integer")
    known = overlay(
        old, required=["start", "team"], required_any=["team"], hidden=["team"], defaults={"team": "T", "status": 1},
        parameters={"team": {"description": "x"}, "status": {"description": "y"}},
        dual_time={"parameter": "team", "clocks": {}}, depends_on=["gone"],
    )  # fmt: skip
    cards, notices = fit_cards(
        [tool(schema(start="string", status="integer"))],
        {"desk": ServerOverlay(server="desk", tools={"count": known})},
    )
    fitted = cards[0].overlay
    assert (fitted.required, fitted.required_any, fitted.hidden, fitted.depends_on) == (
        ("start",),
        (),
        (),
        (),
    )
    assert (fitted.defaults, set(fitted.parameters), fitted.dual_time) == ({"status": 1}, {"status"}, None)
    assert any("'team'" in notice for notice in notices)
    assert any("'gone'" in notice for notice in notices)


def test_what_the_server_newly_requires_is_asked_for_and_not_hidden() -> None:
    old = schema(["start"], start="string", region="string")
    known = overlay(old, required=["start"], hidden=["region"])
    fitted = fit_overlay(tool(schema(start="string", region="string", tenant="string")), known)
    assert fitted.required == ("start", "region", "tenant")
    assert fitted.hidden == ()


def test_what_the_overlay_had_declared_optional_stays_so() -> None:
    old = schema(start="string", team="string")  # the server says that all are required
    fitted = fit_overlay(tool({**old, "description": "a new version"}), overlay(old, required=["start"]))
    assert fitted.required == ("start",)


def test_codes_follow_the_server() -> None:
    old = schema(group={"type": "string", "enum": ["team", "site"]})
    new = schema(group={"type": "string", "enum": ["team", "area"]})
    known = overlay(
        old,
        parameters={"group": {"values": {"team": ["班组"], "site": ["站点"]}}},
        defaults={"group": "site"},
    )
    card = ToolCard(tool=tool(new), overlay=fit_overlay(tool(new), known))
    assert card.overlay.parameters["group"].values == {"team": ("班组",), "area": ()}
    assert card.overlay.defaults == {}
    assert parameters_of(card)["group"].schema["enum"] == ["team", "area"]


def test_a_correction_of_the_old_type_is_dropped_when_the_type_changes() -> None:
    known = overlay(
        schema(status="string"), parameters={"status": {"type": "integer"}}, defaults={"status": 1}
    )
    fitted = fit_overlay(tool(schema(status="boolean")), known)
    assert fitted.parameters["status"].type is None
    assert fitted.defaults == {}


def test_a_correction_of_an_unchanged_schema_holds() -> None:
    now = schema(status="string")
    known = overlay(now, parameters={"status": {"type": "integer"}}, defaults={"status": 1})
    cards, notices = fit_cards([tool(now)], {"desk": ServerOverlay(server="desk", tools={"count": known})})
    assert (cards[0].overlay, notices) == (known, [])


def test_a_server_without_an_overlay_has_empty_ones() -> None:
    cards, notices = fit_cards([tool(schema(a="string"))], {})
    assert (cards[0].overlay, notices) == (ToolOverlay(), [])
