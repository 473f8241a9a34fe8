"""Workdesk without servers or models: scripted planners and writers over tools that answer from a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mindatlas.graphs.workdesk import WorkdeskParts, WorkdeskSettings
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, RawCall, ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay, ToolOverlay
from mindatlas.nodes.workdesk.parts.planning import Plan, PlanRequest, ReplyRequest
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from mindatlas.nodes.workdesk.parts.write_journal import WriteJournal

TODAY = "2026-04-15"
MARCH = {"start_time": "2026-03-01 00:00:00", "end_time": "2026-03-31 23:59:59"}
TEAMS = [
    {"team_id": "T-01", "team_name": "北区班"},
    {"team_id": "T-02", "team_name": "东区抢修组"},
    {"team_id": "T-03", "team_name": "东区抢修组一班"},
]
COUNTS = [{"key": "T-01", "name": "北区班", "cnt": 7}, {"key": "T-02", "name": "东区抢修组", "cnt": 5}]


def _schema(**properties: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }


def _overlay(**fields: Any) -> ToolOverlay:
    return ToolOverlay.model_validate(fields)


RANGE = {"start_time": {"role": "range_start"}, "end_time": {"role": "range_end"}}
OVERLAY = ServerOverlay(
    server="desk",
    tools={
        "count": _overlay(
            role="statistics", read_only=True, required=("start_time", "end_time"), defaults={"time_type": 1},
            required_any=("start_time",),
            parameters={
                **RANGE,
                "time_type": {"role": "clock"},
                "team_id": {"role": "filter", "names_from": {"tool": "teams", "id": "team_id", "name": "team_name"}},
            },
            dual_time={
                "parameter": "time_type",
                "clocks": {
                    "1": {"label": "创建时间", "words": ["创建", "新增"]},
                    "2": {"label": "完成时间", "words": ["完成", "办结"]},
                },
            },
        ),
        "teams": _overlay(role="directory", read_only=True, required=()),
        "remark": _overlay(role="action", read_only=False, required=("order_id", "content")),
    },
)  # fmt: skip
CARDS = [
    ToolCard(
        tool=ServerTool(
            server="desk",
            name="count",
            description="count orders",
            input_schema=_schema(
                start_time="string", end_time="string", time_type="integer", team_id="string"
            ),
        ),
        overlay=OVERLAY.tools["count"],
    ),
    ToolCard(
        tool=ServerTool(server="desk", name="teams", description="list teams", input_schema=_schema()),
        overlay=OVERLAY.tools["teams"],
    ),
    ToolCard(
        tool=ServerTool(
            server="desk",
            name="remark",
            description="add a remark to an order",
            input_schema=_schema(order_id="string", content="string"),
        ),
        overlay=OVERLAY.tools["remark"],
    ),
]
Answer = Callable[[CheckedCall], Mapping[str, Any]]


def counted(call: CheckedCall) -> Mapping[str, Any]:
    """Answer any call with two rows."""
    return {"rows": [dict(row) for row in COUNTS]}


class TableAccess:
    """Tools that answer from a function; `made` are the calls that arrived."""

    def __init__(self, answer: Answer = counted) -> None:
        self._answer = answer
        self.made: list[CheckedCall] = []

    def cards(self) -> Sequence[ToolCard]:
        return CARDS

    def notices(self) -> Sequence[str]:
        return []

    def call(self, call: CheckedCall) -> ToolResult:
        self.made.append(call)
        answer = self._answer(call)
        rows = list(answer.get("rows", []))
        return ToolResult(
            id=call["id"], tool=call["tool"], args=call["args"], repairs=call["repairs"], clock=call["clock"],
            rows=rows, n_rows=len(rows), content=str(rows), truncated=False,
            error=answer.get("error", ""), error_kind=answer.get("error_kind"),
        )  # fmt: skip

    def directory(self, tool: str, args: Mapping[str, Any]) -> ToolResult:
        return ToolResult(
            id="", tool=tool, args=dict(args), repairs=[], clock="", rows=[dict(row) for row in TEAMS],
            n_rows=len(TEAMS), content="", truncated=False, error="", error_kind=None,
        )  # fmt: skip

    def close(self) -> None:
        """Nothing was opened."""


class ScriptedPlanner:
    """Gives the plans of a script and records what it was asked; fails when the script runs out."""

    def __init__(self, *script: Plan) -> None:
        self._script = list(script)
        self.requests: list[PlanRequest] = []

    def plan(self, request: PlanRequest) -> Plan:
        self.requests.append(request)
        return self._script.pop(0)


class ScriptedWriter:
    """Gives the replies of a script and records what it was asked; fails when the script runs out."""

    def __init__(self, *script: str) -> None:
        self._script = list(script)
        self.requests: list[ReplyRequest] = []

    def reply(self, request: ReplyRequest) -> str:
        self.requests.append(request)
        return self._script.pop(0)


def calls(tool: str, args: dict[str, Any], *, more: bool = False) -> Plan:
    """Return a plan of one call."""
    return Plan(calls=[RawCall(id="a", tool=tool, args=args)], more=more)


def make_parts(
    planner: ScriptedPlanner, writer: ScriptedWriter, access: TableAccess | None = None, **settings: Any
) -> WorkdeskParts:
    """Return the parts of a scripted desk on `TODAY`."""
    return WorkdeskParts(
        settings=WorkdeskSettings(today=TODAY, **settings),
        access=access or TableAccess(),
        overlays={"desk": OVERLAY},
        planner=planner,
        writer=writer,
        journal=WriteJournal(),
    )
