"""Assertions that a user writes down, in a YAML file."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.assertion_dicts import from_dicts
from mindatlas.nodes.errors import UsageError

_LARGEST_FILE: Final = 1 << 20


def read_assertion_file(path: Path) -> list[Assertion]:
    """Return the assertions of a YAML file: a list of {kind, column(s), by, expected, tolerance, …}.

    assertion_schema.json says what each may hold. Dates that YAML reads as such are taken as ISO 8601 text.

    Example:
        - {kind: total_sum_match, column: 销售额}
        - {kind: value_in_range, column: 占比, expected: [0, 1], tolerance: 0}

    Raises:
        UsageError: The file is missing or no such list; the message names the file, the item's number from 1,
            and what is wrong with it.
    """
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise UsageError(
                f"{str(path)!r} is larger than {_LARGEST_FILE >> 20} MiB; it is no assertion file"
            )
        items = _plain(yaml.safe_load(path.read_bytes()))
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be opened: {error.strerror}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UsageError(f"{str(path)!r} is no valid YAML: {_first_lines(error)}") from error
    if not isinstance(items, list):
        raise UsageError(
            f"{str(path)!r} holds a {type(items).__name__}; write a list of assertions, each with 'kind'"
        )
    try:
        return from_dicts(items, "user")
    except UsageError as error:
        raise UsageError(f"{str(path)!r}: {error}") from error


def _plain(value: Any) -> Any:
    """Return YAML data as JSON data.

    Raises:
        ValueError: It holds a number that JSON has not, or a mapping with other keys than text.
    """
    if isinstance(value, Mapping):
        if any(not isinstance(key, str) for key in value):
            value = {str(key): entry for key, entry in value.items()}
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | set | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, dt.date):
        at_midnight = not isinstance(value, dt.datetime) or value.time() == dt.time()
        return value.isoformat()[:10] if at_midnight else value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number to compare with")
    return value


def _first_lines(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
