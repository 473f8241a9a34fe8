"""The schema of a record, with its closed lists filled in."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

from jsonschema import Draft202012Validator

from mindatlas.evals.release.messages import patterns
from mindatlas.evals.release.records import ENDS, STRATEGIES
from mindatlas.evals.release.workbooks import COLUMNS, MORE_COLUMNS, MORE_ROWS, ROWS
from mindatlas.nodes.atlassplit.parts.error_types import ErrorType
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnType


@cache
def record_schema() -> dict[str, Any]:
    """Return the JSON Schema of a record: every field but the program and its error is closed."""
    kinds = list(get_args(ErrorType))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One failed round of an AtlasSplit run, without names and values of its user",
        "description": "Format version 1.",
        **_object(
            {
                "task_id": _text(r"^[0-9a-f]{16}-[0-9]{1,3}$", "keyed hash of the run, and the round"),
                "error_type": {"enum": kinds},
                "error_pattern": {"enum": list(patterns())},
                "error_description": {"type": "string"},
                "code_snippet": {"type": "string"},
                "repair_path": _list({"enum": [*kinds, *STRATEGIES, *ENDS]}),
                "repair_attempts": {"type": "integer", "minimum": 0, "maximum": 100},
                "success": {"type": ["boolean", "null"], "description": "null for a run without an end"},
                "metadata": _object(_metadata()),
            }
        ),
    }


def schema_fault(record: dict[str, Any]) -> str | None:
    """Return what a record has that its schema does not allow, None when it fits."""
    fault = next(_validator().iter_errors(record), None)
    return None if fault is None else f"{fault.json_path}: {fault.message}"


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(record_schema())


def _metadata() -> dict[str, Any]:
    rows = [*(name for _, name in ROWS), MORE_ROWS, "unknown"]
    columns = [*(name for _, name in COLUMNS), MORE_COLUMNS, "unknown"]
    frame = r"^(?:df|sheets\['V[0-9]+'\]|books\['V[0-9]+'\]\['V[0-9]+'\])$"
    types = _mapping(r"^COL[0-9]+$", {"enum": list(get_args(ColumnType))})
    return {
        "df_shape": _object({"rows": {"enum": rows}, "columns": {"enum": columns}}),
        "dtypes": _mapping(frame, types),
        "pandas_version": _text(r"^(?:unknown|[0-9]{1,2}(?:\.[0-9]{1,3}){1,2})$", "where the program ran"),
        "strategy": {"enum": list(STRATEGIES), "description": "why the program was written"},
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


def _mapping(names: str, values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "patternProperties": {names: values}}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1}


def _text(pattern: str, description: str) -> dict[str, Any]:
    return {"type": "string", "pattern": pattern, "description": description}
