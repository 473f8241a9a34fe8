"""The order server's tools without the server: cards with an overlay, and directories that answer from tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from mindatlas.nodes.workdesk.parts.call_validator import ValidationContext
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import ToolOverlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard

TODAY = date(2026, 6, 17)  # a Wednesday

TEAMS = [
    ("T-011", "西区抢修组", "S-02"),
    ("T-017", "东区抢修组", "S-01"),
    ("T-018", "东区抢修组一班", "S-01"),
    ("T-020", "巡检一队", "S-02"),
    ("T-021", "巡检二队", "S-03"),
    ("T-030", "机动班", "S-01"),
    ("T-031", "机动班", "S-03"),
    ("T-040", "客服中心", "S-02"),
    ("T-050", "Night Shift", "S-03"),
]
SITES = [("S-01", "滨江站"), ("S-02", "西湖站"), ("S-03", "临港站"), ("S-04", "东站")]
PEOPLE = [
    ("P-0101", "张伟", "T-017"),
    ("P-0102", "张伟", "T-020"),
    ("P-0103", "李娜", "T-017"),
    ("P-0104", "王建国", "T-021"),
    ("P-0105", "陈晓明", "T-030"),
    ("P-0106", "陈晓", "T-031"),
]
TYPES = [("RP", "抢修"), ("IN", "巡检"), ("MT", "保养"), ("IS", "安装"), ("CP", "投诉")]
TABLES: Mapping[str, list[dict[str, Any]]] = {
    "team_list": [{"team_id": code, "team_name": name, "site_id": site} for code, name, site in TEAMS],
    "site_list": [{"site_id": code, "site_name": name} for code, name in SITES],
    "person_list": [{"person_id": code, "person_name": name, "team_id": team} for code, name, team in PEOPLE],
    "type_dict": [{"type_code": code, "type_name": name} for code, name in TYPES],
}

_FILTERS = {
    "team_id": "string", "site_id": "string", "person_id": "string", "type_code": "string", "status": "integer",
    "priority": "integer", "overdue": "integer",
}  # fmt: skip
_RANGE = {"time_type": "integer", "start_time": "string", "end_time": "string"}
_PARAMETERS: dict[str, Any] = {
    "start_time": {"role": "range_start", "description": "YYYY-MM-DD HH:MM:SS"},
    "end_time": {"role": "range_end", "description": "YYYY-MM-DD HH:MM:SS"},
    "time_type": {
        "role": "clock",
        "values": {"1": ["创建时间", "created"], "2": ["完成时间", "finished"], "3": ["派单时间", "assigned"]},
    },
    "team_id": {"role": "filter", "names_from": {"tool": "team_list", "id": "team_id", "name": "team_name"}},
    "site_id": {"role": "filter", "names_from": {"tool": "site_list", "id": "site_id", "name": "site_name"}},
    "person_id": {
        "role": "filter",
        "names_from": {"tool": "person_list", "id": "person_id", "name": "person_name"},
    },
    "type_code": {"role": "filter", "names_from": {"tool": "type_dict", "id": "type_code", "name": "type_name"}},
    "status": {
        "role": "filter",
        "values": {
            "0": ["新建", "new"], "1": ["已派单", "assigned"], "2": ["处理中", "in progress"],
            "3": ["已完成", "完成", "finished"], "4": ["已关闭", "关闭", "closed"], "5": ["已取消", "取消", "cancelled"],
        },
    },
    "priority": {"role": "filter", "values": {"1": ["紧急", "urgent"], "2": ["高", "high"], "3": ["普通", "normal"]}},
    "overdue": {"role": "filter", "values": {"0": ["未超期", "on time"], "1": ["超期", "overdue"]}},
}  # fmt: skip
_GROUPS = ["team", "site", "person", "type", "status", "priority", "day", "week", "month", "none"]
_CLOCKS = {
    "1": {"label": "创建时间", "words": ["创建", "新建", "新增", "created", "opened"]},
    "2": {"label": "完成时间", "words": ["完成", "完工", "办结", "finished", "completed"]},
    "3": {"label": "派单时间", "words": ["派单", "指派", "assigned"]},
}


def _card(
    name: str, properties: Mapping[str, str], read_only: bool | None = True, **overlay: Any
) -> ToolCard:
    schema = {
        "type": "object",
        "properties": {key: {"type": kind, "description": key} for key, kind in properties.items()},
        "required": list(properties),
    }
    tool = ServerTool(server="orders", name=name, description=name, input_schema=schema, read_only=read_only)
    if read_only is None:
        overlay["read_only"] = True  # as the overlay declares it
    return ToolCard(tool=tool, overlay=ToolOverlay.model_validate(overlay))


_PAGES = {"page_no": "integer", "page_size": "integer"}
CARDS = [
    _card(
        "order_stat", {"group_by": "string", **_RANGE, **_FILTERS}, read_only=None,
        role="statistics", required=["group_by", "start_time", "end_time"], history_days=1096,
        defaults={"group_by": "none", "time_type": 1},
        parameters={**_PARAMETERS, "group_by": {"role": "group_by", "values": {name: [] for name in _GROUPS}}},
        dual_time={"parameter": "time_type", "clocks": _CLOCKS},
    ),
    _card(
        "order_list",
        {**_RANGE, **_FILTERS, "keyword": "string", "sort_by": "string", **_PAGES, "tenant": "string"},
        role="list", required=["start_time", "end_time"], history_days=1096, hidden=["tenant"],
        defaults={"time_type": 1, "page_no": 1, "page_size": 20, "tenant": "main"},
        parameters={
            **_PARAMETERS,
            "keyword": {"role": "keyword"}, "sort_by": {"role": "sort"},
            "page_no": {"role": "page"}, "page_size": {"role": "page_size"},
        },
    ),
    _card(
        "order_get", {"order_id": "string"}, role="record", required=["order_id"],
        parameters={"order_id": {"role": "id", "asks": "要查哪一张工单？请给出工单号。"}},
    ),
    _card("team_list", {"keyword": "string", **_PAGES}, role="directory", required=[],
          parameters={"keyword": {"role": "keyword"}}),
    _card("site_list", {"keyword": "string", **_PAGES}, role="directory", required=[]),
    _card("person_list", {"keyword": "string", "team_id": "string", **_PAGES}, role="directory", required=[],
          parameters={"team_id": _PARAMETERS["team_id"], "keyword": {"role": "keyword"}}),
    _card("type_dict", {}, role="codes", required=[]),
    _card("status_dict", {}, role="codes", required=[]),
    _card(
        "order_export", {"query_id": "string", "file_type": "string"}, read_only=False, role="export",
        required=["query_id"], defaults={"file_type": "csv"}, depends_on=["order_list"],
        parameters={"query_id": {"role": "id"}},
    ),
    _card(
        "order_remark", {"order_id": "string", "content": "string"}, read_only=False, role="action",
        required=["order_id", "content"], parameters={"order_id": {"role": "id"}, "content": {"role": "text"}},
    ),
    ToolCard(  # of another server, without an overlay
        tool=ServerTool(
            server="stock", name="find_parts", description="find spare parts", read_only=True,
            input_schema={
                "type": "object",
                "properties": {
                    "query": {"type": "string"},
                    "in_stock": {"type": "boolean"},
                    "max_price": {"type": "number", "minimum": 0},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "options": {"type": "object"},
                    "unit": {"type": "string", "enum": ["piece", "box"]},
                    "note": {"type": "string"},
                    "limit": {"type": "integer", "maximum": 50},
                },
                "required": ["query"],
            },
        ),
    ),
]  # fmt: skip
BY_NAME = {card.name: card for card in CARDS}


def result(
    tool: str, rows: Sequence[Mapping[str, Any]] = (), args: Mapping[str, Any] | None = None, *, call_id: str = "r1",
    error: str = "", content: str = "",
) -> ToolResult:  # fmt: skip
    """Return what a call brought."""
    return ToolResult(
        id=call_id, tool=tool, args=dict(args or {}), repairs=[], clock="", rows=[dict(row) for row in rows],
        n_rows=len(rows), content=content or str(list(rows)), truncated=False, error=error,
        error_kind="tool_error" if error else None,
    )  # fmt: skip


class TableDirectories:
    """Directories from tables; no other tool may be called."""

    def cards(self) -> Sequence[ToolCard]:
        return CARDS

    def notices(self) -> Sequence[str]:
        return []

    def call(self, call: CheckedCall) -> ToolResult:
        raise AssertionError(f"a check made the call {call}")

    def directory(self, tool: str, args: Mapping[str, Any]) -> ToolResult:
        return result(tool, TABLES[tool])

    def close(self) -> None:
        """Nothing was opened."""


def context(question: str, **fields: Any) -> ValidationContext:
    """Return what calls for `question` are checked against."""
    return ValidationContext(
        question=question, cards=BY_NAME, access=TableDirectories(), today=TODAY, **fields
    )
