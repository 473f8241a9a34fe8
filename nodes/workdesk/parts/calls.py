"""Tool calls on their way: as a model wrote them, as they were checked, and what came back.

Every change that the code makes to what a model wrote is a `Repair` with a stable code, so that it can be
counted, switched off by that code, and measured.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

RepairKind = Literal[
    "cut_tool_name",
    "unique_call_id",
    "decode_arguments",
    "split_arguments",
    "coerce_argument",
    "strip_empty_argument",
    "strip_placeholder",
    "strip_unsupported",
    "fill_default",
    "fill_time_range",
    "correct_time_range",
    "correct_clock",
    "resolve_name",
    "ask_user",
    "retry_malformed_call",
    "retry_pseudo_call",
    "retry_false_negative",
    "retry_empty_reply",
    "rerun_dual_time",
    "align_chart",
    "repair_chart_tail",
]

ErrorKind = Literal["tool_error", "timeout", "server_gone", "unknown_tool", "oversized", "declined"]


class Repair(TypedDict):
    """One change of what a model wrote, or one extra step: what it was, what it became, and why.

    `tool` names the tool where the repair concerns a call.
    """

    kind: RepairKind
    before: Any
    after: Any
    reason: str
    tool: NotRequired[str]


class RawCall(TypedDict):
    """A call as the model wrote it: `args` is text where that is how it came, and may be anything."""

    id: str | None
    tool: str
    args: Any


class CallFault(TypedDict):
    """Why a call cannot be made; `message` is told to the model."""

    tool: str
    kind: Literal[
        "truncated", "not_json", "not_object", "unknown_tool", "unknown_argument", "missing_argument", "wrong_type",
        "not_allowed", "time_range", "unbounded", "unknown_name", "placeholder",
    ]  # fmt: skip
    message: str


class CheckedCall(TypedDict):
    """A call that may be made. `clock` labels the time field that it counts by, where the tool has several."""

    id: str
    tool: str
    args: dict[str, Any]
    repairs: list[Repair]
    clock: str


class ToolResult(TypedDict):
    """What a call brought.

    `rows` are the records of the reply (at most the settings' cap), `n_rows` how many there are in all as far as
    the server says, `content` the reply as text (capped; `truncated` says so), `error` why there is none.
    """

    id: str
    tool: str
    args: dict[str, Any]
    repairs: list[Repair]
    clock: str
    rows: list[dict[str, Any]]
    n_rows: int
    content: str
    truncated: bool
    error: str
    error_kind: ErrorKind | None


class Choice(TypedDict):
    """One way to answer a clarification."""

    value: str
    label: str


class Clarification(TypedDict):
    """What the user is asked. `action_requests` and `review_configs` are LangChain's HITLRequest, for its pages.

    `key` is what the answer is remembered under in the thread.
    """

    kind: Literal["which_name", "time_range", "missing_argument", "approve_call"]
    key: str
    message: str
    choices: list[Choice]
    action_requests: list[dict[str, Any]]
    review_configs: list[dict[str, Any]]
