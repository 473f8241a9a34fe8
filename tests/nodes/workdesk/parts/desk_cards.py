"""The order server's tools as cards, without a server: schemas as bad as the real ones, an overlay beside them."""

from __future__ import annotations

from typing import Any

from mindatlas.nodes.workdesk.parts.calls import ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import ToolOverlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard

_RANGE = {"start_time": {"role": "range_start"}, "end_time": {"role": "range_end"}}
_FILTERS: dict[str, Any] = {
    "team_id": {"role": "filter", "names_from": {"tool": "team_list", "id": "team_id", "name": "team_name"}},
    "site_id": {"role": "filter", "names_from": {"tool": "site_list", "id": "site_id", "name": "site_name"}},
    "person_id": {"role": "filter", "names_from": {"tool": "person_list", "id": "person_id", "name": "person_name"}},
    "type_code": {"role": "filter", "names_from": {"tool": "type_dict", "id": "type_code", "name": "type_name"}},
    "status": {
        "role": "filter",
        "values": {
            "0": ["新建", "待派单", "new"], "1": ["已派单", "已指派", "assigned"], "2": ["处理中", "进行中", "in progress"],
            "3": ["已完成", "finished"], "4": ["已关闭", "关闭", "closed"], "5": ["已取消", "取消", "cancelled", "canceled"],
        },
    },
    "priority": {"role": "filter", "values": {"1": ["紧急", "urgent"], "2": ["高优先级", "high"], "3": ["普通", "normal"]}},
    "overdue": {"role": "filter", "values": {"1": ["超期", "逾期", "overdue"], "0": ["未超期", "按期", "on time"]}},
}  # fmt: skip
_CLOCK: dict[str, Any] = {"role": "clock", "values": {"1": ["创建"], "2": ["完成"], "3": ["派单"]}}
_DUAL: dict[str, Any] = {
    "parameter": "time_type",
    "clocks": {
        "1": {"label": "创建时间", "label_en": "creation time", "words": ["创建", "新增", "新建了", "created", "opened"],
              "words_after_time": ["新建"]},
        "2": {"label": "完成时间", "label_en": "finish time", "words": ["完成", "办结", "完工", "finished", "completed", "finish", "complete"]},
    },
}  # fmt: skip
_PAGES: dict[str, Any] = {"page_no": {"role": "page"}, "page_size": {"role": "page_size"}}

_OVERLAYS: dict[str, dict[str, Any]] = {
    "order_stat": {
        "role": "statistics", "read_only": True, "required": ["start_time", "end_time"],
        "defaults": {"time_type": 1, "group_by": "none"}, "dual_time": _DUAL,
        "parameters": {
            **_RANGE, **_FILTERS, "time_type": _CLOCK,
            "group_by": {
                "role": "group_by",
                "values": {
                    "team": ["班组"], "site": ["站点"], "person": ["处理人"], "type": ["类型"], "status": ["状态"],
                    "priority": ["优先级"], "day": ["天"], "week": ["周"], "month": ["月"], "none": ["总数"],
                },
            },
        },
        "output": {"rows": "data.list", "columns": {"key": "code", "name": "name", "cnt": "number of orders"}},
    },
    "order_list": {
        "role": "list", "read_only": True, "required": ["start_time", "end_time"],
        "parameters": {
            **_RANGE, **_FILTERS, **_PAGES, "time_type": _CLOCK, "keyword": {"role": "keyword"},
            "sort_by": {
                "role": "sort",
                "values": {
                    "created": ["创建时间"], "-created": ["创建时间倒序"], "finished": ["完成时间"], "-finished": ["完成时间倒序"],
                    "due": ["到期时间"], "-due": ["到期时间倒序"], "priority": ["优先级"], "-priority": ["优先级倒序"],
                },
            },
        },
    },
    "order_get": {"role": "record", "read_only": True, "parameters": {"order_id": {"role": "id"}}},
    "team_list": {"role": "directory", "read_only": True, "required": [], "parameters": {"keyword": {"role": "keyword"}, **_PAGES}},
    "site_list": {"role": "directory", "read_only": True, "required": [], "parameters": {"keyword": {"role": "keyword"}, **_PAGES}},
    "person_list": {
        "role": "directory", "read_only": True, "required": [],
        "parameters": {"keyword": {"role": "keyword"}, "team_id": _FILTERS["team_id"], **_PAGES},
    },
    "type_dict": {"role": "codes", "read_only": True},
    "status_dict": {"role": "codes", "read_only": True},
    "order_export": {
        "role": "export", "read_only": False, "depends_on": ["order_list"], "required": ["query_id"],
        "defaults": {"file_type": "xlsx"}, "parameters": {"query_id": {"role": "id"}, "file_type": {"values": {"xlsx": ["excel"], "csv": ["csv"]}}},
    },
    "order_remark": {
        "role": "action", "read_only": False, "required": ["order_id", "content"],
        "description": "给工单加备注 (add a remark to an order)",
        "parameters": {"order_id": {"role": "id"}, "content": {"role": "text"}},
    },
}  # fmt: skip
_TYPES: dict[str, str] = dict.fromkeys(
    ("time_type", "status", "priority", "overdue", "page_no", "page_size"), "integer"
)
_FILTER_NAMES = ("team_id", "site_id", "person_id", "type_code", "status", "priority", "overdue")
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "order_stat": ("group_by", "time_type", "start_time", "end_time", *_FILTER_NAMES),
    "order_list": ("time_type", "start_time", "end_time", *_FILTER_NAMES, "keyword", "sort_by", "page_no", "page_size"),
    "order_get": ("order_id",),
    "team_list": ("keyword", "page_no", "page_size"),
    "site_list": ("keyword", "page_no", "page_size"),
    "person_list": ("keyword", "team_id", "page_no", "page_size"),
    "type_dict": (),
    "status_dict": (),
    "order_export": ("query_id", "file_type"),
    "order_remark": ("order_id", "content"),
}  # fmt: skip


def desk_cards() -> list[ToolCard]:
    """Return the ten tools of the order server."""
    return [_card(name, parameters) for name, parameters in _PARAMETERS.items()]


def _card(name: str, parameters: tuple[str, ...]) -> ToolCard:
    schema = {
        "type": "object",
        "properties": {one: {"type": _TYPES.get(one, "string"), "description": one} for one in parameters},
        "required": list(parameters),
    }
    tool = ServerTool(server="orders", name=name, description=name, input_schema=schema)
    return ToolCard(tool=tool, overlay=ToolOverlay.model_validate(_OVERLAYS[name]))


def brought(tool: str, rows: list[dict[str, Any]], **fields: Any) -> ToolResult:
    """Return the result of a call that went well, unless `error` says otherwise."""
    result = ToolResult(
        id="call_1", tool=tool, args={}, repairs=[], clock="", rows=rows, n_rows=len(rows), content="",
        truncated=False, error="", error_kind=None,
    )  # fmt: skip
    result.update(fields)  # type: ignore[typeddict-item]
    return result
