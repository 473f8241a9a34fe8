"""What `mindatlas desk --check-overlays` finds, and what its report says."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from mindatlas.nodes.workdesk.parts.order_server import TOOLS
from mindatlas.nodes.workdesk.parts.overlay_drift import DriftReport, check_overlays
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay
from mindatlas.nodes.workdesk.parts.overlays import load_overlays, read_overlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from tests.nodes.workdesk.parts.test_overlay_fit import overlay, schema

OLD = schema(start="string", team="string", group={"type": "string", "enum": ["team", "site"]})


def card(now: dict[str, Any], name: str = "count", server: str = "desk") -> ToolCard:
    return ToolCard(tool=ServerTool(server=server, name=name, description="", input_schema=now))


def checked(now: dict[str, Any], **fields: Any) -> DriftReport:
    known = overlay(OLD, **fields)
    return check_overlays([card(now)], {"desk": ServerOverlay(server="desk", tools={"count": known})})


def found(report: DriftReport) -> set[tuple[str, str]]:
    return {(finding.kind, finding.field) for finding in report.findings if finding.drift}


def test_the_shipped_overlay_fits_the_shipped_server() -> None:
    cards = [card(tool.inputSchema, tool.name, "orders") for tool in TOOLS]
    report = check_overlays(cards, load_overlays())
    assert (report.findings, report.accept, report.checked) == ((), (), len(TOOLS))
    assert (report.drifted, report.exit_code) == (False, 0)
    assert "no drift" in report.as_text()


def test_keys_in_another_order_are_no_drift() -> None:
    now = {
        "required": OLD["required"][::-1],
        "properties": dict(reversed(OLD["properties"].items())),
        "type": "object",
    }
    assert checked(now, required=["start"]).findings == ()


@pytest.mark.parametrize(
    ("now", "fields", "expected"),
    [
        (
            schema(start="string", group=OLD["properties"]["group"]),
            {"required": ["team"], "defaults": {"team": "T"}, "parameters": {"team": {}}},
            {
                ("orphaned_key", "required"), ("orphaned_key", "defaults.team"), ("orphaned_key", "parameters.team"),
                ("orphaned_key", "written_for.team"),
            },
        ),
        (
            {**OLD, "properties": {**OLD["properties"], "tenant": {"type": "string"}}, "required": [*OLD["required"], "tenant"]},
            {"required": ["start"]},
            {("new_required", "required.tenant")},
        ),
        (
            {**OLD, "properties": {**OLD["properties"], "team": {"type": "integer"}}},
            {"required": ["start"], "defaults": {"team": "T-1"}},
            {("changed_type", "parameters.team"), ("changed_type", "defaults.team")},
        ),
        (
            {**OLD, "properties": {**OLD["properties"], "group": {"type": "string", "enum": ["team", "area"]}}},
            {"parameters": {"group": {"values": {"team": [], "site": []}}}},
            {("changed_enum", "parameters.group.values")},
        ),
        (
            {**OLD, "properties": {**OLD["properties"], "team": {"type": "string", "description": "new text"}}},
            {"required": ["start"]},
            {("changed_schema", "schema_sha256")},
        ),
    ],
)  # fmt: skip
def test_each_kind_of_change_is_found_and_nothing_else(
    now: dict[str, Any], fields: dict[str, Any], expected: set[tuple[str, str]]
) -> None:
    report = checked(now, **fields)
    assert found(report) == expected
    assert report.exit_code == 1


def test_a_hash_alone_still_finds_what_the_overlay_contradicts() -> None:
    known = overlay(
        schema_sha256="0" * 64, required=["start"], parameters={"team": {"type": "integer"}, "gone": {"role": "filter"}}
    )  # fmt: skip
    now = schema(start="string", team="boolean", tenant="string")
    report = check_overlays([card(now)], {"desk": ServerOverlay(server="desk", tools={"count": known})})
    assert found(report) == {
        ("orphaned_key", "parameters.gone"), ("changed_type", "parameters.team.type"), ("new_required", "required.tenant"),
    }  # fmt: skip


def test_an_overlay_without_a_hash_is_told_and_no_drift() -> None:
    report = check_overlays(
        [card(OLD)], {"desk": ServerOverlay(server="desk", tools={"count": overlay(required=["start"])})}
    )
    assert [finding.kind for finding in report.findings] == ["no_hash"]
    assert (report.exit_code, len(report.accept)) == (0, 1)


def test_tools_that_went_are_drift_and_tools_that_came_are_told() -> None:
    known = {"count": overlay(OLD), "gone": overlay()}
    report = check_overlays(
        [card(OLD), card(OLD, "fresh")], {"desk": ServerOverlay(server="desk", tools=known)}
    )
    assert {(finding.kind, finding.tool, finding.drift) for finding in report.findings} == {
        ("removed_tool", "gone", True), ("new_tool", "fresh", False),
    }  # fmt: skip


def test_an_overlay_for_no_server_is_drift_unless_it_is_the_shipped_one() -> None:
    report = check_overlays(
        [card(OLD, server="stock")], {**load_overlays(), "dsk": ServerOverlay(server="dsk")}
    )
    assert {(finding.kind, finding.server) for finding in report.findings} == {
        ("unknown_server", "dsk"), ("not_connected", "orders"),
    }  # fmt: skip
    assert report.exit_code == 1


def test_a_tool_that_two_servers_offer_is_found_by_the_name_its_server_gives() -> None:
    renamed = card(OLD, "desk__count")
    report = check_overlays([renamed], {"desk": ServerOverlay(server="desk", tools={"count": overlay(OLD)})})
    assert (report.findings, report.checked) == ((), 1)


def test_what_the_report_proposes_settles_it() -> None:
    now = schema(start="string", tenant="string", group={"type": "string", "enum": ["a, b", "是"]})
    proposed = checked(now, required=["start"]).accept[0].as_yaml()
    again = read_overlay(
        f"server: desk\ntools:\n  count:\n{proposed}\n    required: [start, tenant]\n", "desk.yaml"
    )
    assert check_overlays([card(now)], {"desk": again}).findings == ()


def test_both_forms_of_the_report_carry_every_finding() -> None:
    report = checked(schema(start="integer"), required=["team"])
    as_json = json.loads(json.dumps(report.as_json()))
    assert as_json["drifted"] is True
    assert len(as_json["findings"]) == len(report.findings) > 2
    text = report.as_text()
    assert all(finding.message in text for finding in report.findings)
    assert yaml.safe_load(report.accept[0].as_yaml())["schema_sha256"] in text
