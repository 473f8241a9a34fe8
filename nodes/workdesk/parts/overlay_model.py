"""The form of an overlay file: what a tool's own schema does not say, side by side with it.

An overlay never replaces the server's fields: it adds to them, so that a new version of the server still works
where the two agree. Roles tell the builtin planner what a tool or a parameter is for.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

ToolRole = Literal["statistics", "list", "record", "directory", "codes", "export", "action"]
ParameterRole = Literal[
    "group_by",
    "clock",
    "range_start",
    "range_end",
    "filter",
    "id",
    "page",
    "page_size",
    "sort",
    "keyword",
    "text",
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Registration(_Strict):
    """What is needed to choose a tool among many: what for, when, when not. Short."""

    purpose: str
    use_when: tuple[str, ...] = ()
    avoid_when: tuple[str, ...] = ()


class NamesFrom(_Strict):
    """Where the identifiers of a parameter stand beside their names: a directory tool and two of its columns."""

    tool: str
    id: str
    name: str


class ParameterOverlay(_Strict):
    """What is known of one parameter.

    Attributes:
        values: internal code -> the words users say for it, first the one to show.
        names_from: the directory that turns names into this parameter's identifiers.
        asks: a question to the user when it is needed and missing.
    """

    description: str = ""
    type: str | None = None
    role: ParameterRole | None = None
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    names_from: NamesFrom | None = None
    asks: str = ""


class DualTime(_Strict):
    """When a question that names no clock is answered by both.

    Attributes:
        parameter: the parameter that chooses the clock.
        clocks: value -> label and the words that name it in a question, by language-free list.
        max_rows: at most so many aggregated rows may have come back; 0 where a call is never made by another clock,
            as for a list, and the clocks only tell which one counts.
    """

    parameter: str
    clocks: dict[str, Clock]
    max_rows: int = 10


class Clock(_Strict):
    """One clock of a tool: its label for the user, and the words of a question that mean it.

    Attributes:
        words: those that mean it wherever they stand.
        words_after_time: those that mean it right behind a time, and something else elsewhere (昨天新建的; 新建 alone
            is a status).
    """

    label: str
    label_en: str = ""
    words: tuple[str, ...] = ()
    words_after_time: tuple[str, ...] = ()


class Output(_Strict):
    """Where the data lies in a reply.

    Attributes:
        rows: dotted path to the list of records, such as `data.list`; empty when the reply is the list.
        total: dotted path to the count of all records.
        error: dotted path to a code that is `ok` when the call went well.
        columns: column -> what it holds.
    """

    rows: str = ""
    total: str = ""
    error: str = ""
    ok: Any = 0
    message: str = ""
    columns: dict[str, str] = Field(default_factory=dict)


class ToolOverlay(_Strict):
    """What is known of one tool.

    Attributes:
        schema_sha256: hash of the input schema that the overlay was written for.
        written_for: parameter -> its type in that schema, `*` behind it when required, allowed values in
            brackets: `integer`, `string*`, `string[day|week]`. It tells what has changed when the hash differs.
        required: parameters that are really required; every other may be left out, whatever the schema says.
        required_any: filters of which one must be there, so that no call reads the whole table by accident.
        hidden: parameters that the model never sees; their defaults are filled in.
        depends_on: tools whose result a call needs first.
        exclude_when: words of a question that rule the tool out before tools are chosen.
        history_days: how many days back from today the data reach; None when that is not known.
        read_only: whether calls may be repeated; None leaves it to the server's annotation.
        rules: sentences for the model about this tool.
    """

    schema_sha256: str = ""
    written_for: dict[str, str] = Field(default_factory=dict)
    role: ToolRole | None = None
    registration: Registration | None = None
    description: str = ""
    required: tuple[str, ...] | None = None
    required_any: tuple[str, ...] = ()
    defaults: dict[str, Any] = Field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    parameters: dict[str, ParameterOverlay] = Field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    exclude_when: tuple[str, ...] = ()
    history_days: int | None = None
    read_only: bool | None = None
    dual_time: DualTime | None = None
    output: Output | None = None
    rules: tuple[str, ...] = ()


class ServerOverlay(_Strict):
    """One overlay file: all that is known of one server's tools."""

    format: Literal[1] = 1
    server: str
    tools: dict[str, ToolOverlay] = Field(default_factory=dict)
