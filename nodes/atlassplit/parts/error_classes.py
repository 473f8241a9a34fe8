"""Which kind of failure a round ended with: by what ended it, its message, and what stands on the line to blame.

A KeyError alone does not make a column error: pandas raises it for row labels and index levels too, and dicts
for their keys. The message says which where it can; else the line is looked up in the data flow.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mindatlas.nodes.atlassplit.parts.error_types import ErrorType
from mindatlas.nodes.atlassplit.parts.frame_flow.attribute_names import series_attributes
from mindatlas.nodes.atlassplit.parts.key_errors import is_column_key, key_of
from mindatlas.nodes.atlassplit.parts.lint import ALLOWED_MODULES
from mindatlas.nodes.errors import UsageError

__all__ = ["Classification", "ErrorType", "ExecutionErrorLike", "classify"]


class ExecutionErrorLike(Protocol):
    """Why a run gave no result: an exception's type name or the limit that was hit, its text, its line."""

    @property
    def kind(self) -> str:
        """The exception's type name, or what ended the run."""
        ...

    @property
    def message(self) -> str:
        """The exception's text."""
        ...

    @property
    def line(self) -> int | None:
        """The line of the program, from 1."""
        ...


@dataclass(frozen=True, kw_only=True)
class Classification:
    """The kind of a failure, what speaks for it, and the column it is about if it is E1."""

    error_type: ErrorType
    evidence: str
    column: str | None = None


_BY_KIND: Mapping[str, tuple[ErrorType, str]] = {
    **dict.fromkeys(
        ("MemoryError", "TimeLimitError", "TimeoutError", "cpu", "memory", "result_too_big", "timeout", "too_many_files"),
        ("E7", "a limit was hit"),
    ),
    **dict.fromkeys(("SystemExit", "bad_result", "no_result"), ("E5", "there is no result to hand over")),
    **dict.fromkeys(
        ("BlockingIOError", "BrokenPipeError", "ChildProcessError", "ConnectionAbortedError", "ConnectionError",
         "ConnectionRefusedError", "ConnectionResetError", "FileExistsError", "FileNotFoundError", "HTTPError",
         "ImportError", "IsADirectoryError", "ModuleNotFoundError", "NotADirectoryError", "OSError", "PermissionError",
         "ProcessLookupError", "SSLError", "URLError", "UnsupportedOperation", "gaierror", "herror"),
        ("E6", "something outside the program is missing or forbidden"),
    ),
    **dict.fromkeys(("IndentationError", "SyntaxError", "TabError"), ("E0", "the program is no valid Python")),
    "AssertionError": ("E3", "the program's own assertion failed"),
    **dict.fromkeys(
        ("IndexError", "IndexingError", "InvalidIndexError", "UnsortedIndexError"), ("E4", "an index is out of range")
    ),
    **dict.fromkeys(
        ("ArrowInvalid", "ArrowNotImplementedError", "ArrowTypeError", "DTypePromotionError", "DataError",
         "DateParseError", "IncompatibleFrequency", "IntCastingNaNError", "InvalidOperation", "OutOfBoundsDatetime",
         "OutOfBoundsTimedelta", "OverflowError", "ParserError", "TypeError", "UFuncTypeError", "UnicodeDecodeError",
         "UnsupportedFunctionCall"),
        ("E2", "a value has the wrong type"),
    ),
}  # fmt: skip
# What a ValueError or MergeError says when rows, labels or shapes do not fit; any other is about a value.
_SHAPE = re.compile(
    r"length mismatch|length of values|same length|shape|broadcast|duplicate (?:entries|labels|axis|keys)|cannot reindex"
    r"|must equal the number of levels|not aligned|Must pass|columns overlap|No objects to concatenate|level name"
    r"|cannot insert|Columns must be same length|merge keys are not unique|not unique|cannot join with no overlapping"
    r"|Wrong number of items|Number of manager items|arrays must all|values to unpack|[0-9]-dimensional|incompatible index"
    r"|core dimension|array dimensions|multiple columns to the single column|number of dimensions|columns passed"
    r"|wrong length|empty sequence",
    re.IGNORECASE,
)
_NO_COLUMN = re.compile(r"No common columns to perform merge on|Usecols do not match columns")
_ATTRIBUTE = re.compile(r"'(DataFrame\w*|Resampler|Rolling)' object has no attribute '([^']+)'")
_UNDEFINED = re.compile(r"name '(.+)' is not defined", re.DOTALL)
_MISSING_OUTPUT_KINDS = frozenset({"columns_present", "sheet_set"})


def classify(
    error: ExecutionErrorLike | None,
    *,
    code: str,
    frames: Mapping[str, Sequence[Hashable]],
    failed_assertions: Sequence[str] = (),
    missing_output: str | None = None,
) -> Classification:
    """Return the kind of a failure with its evidence.

    Args:
        error: What stopped the program; None when it ran to its end.
        code: The program.
        frames: The columns of its frames, as for `precheck`; may be empty.
        failed_assertions: The assertions that failed, each as its kind or `kind: description`.
        missing_output: What the result lacks, None when nothing is missing.

    Raises:
        UsageError: There is no error, no failed assertion and nothing missing, so there is nothing to classify.
    """
    if error is not None:
        return _classify_error(error, code, frames)
    if missing_output is not None:
        return Classification(error_type="E5", evidence=f"the result lacks {missing_output}")
    if not failed_assertions:
        raise UsageError("classify needs an error, a failed assertion or a missing output; this round passed")
    told = "; ".join(failed_assertions)
    if all(item.split(":")[0].strip() in _MISSING_OUTPUT_KINDS for item in failed_assertions):
        return Classification(error_type="E5", evidence=f"a part of the result is missing: {told}")
    return Classification(error_type="E3", evidence=f"failed assertions: {told}")


def _classify_error(
    error: ExecutionErrorLike, code: str, frames: Mapping[str, Sequence[Hashable]]
) -> Classification:
    kind = error.kind.rsplit(".", 1)[-1]
    if kind == "KeyError":
        return _key_error(error, code, frames)
    if kind == "AttributeError":
        return _attribute_error(error, code)
    if kind in {"NameError", "UndefinedVariableError", "UnboundLocalError"}:
        return _name_error(error, kind)
    if kind == "killed":
        return _killed(error)
    if kind in {"ValueError", "MergeError", "SpecificationError"}:
        return _value_error(error, kind)
    error_type, why = _BY_KIND.get(kind, ("E0", "no other class fits"))
    return Classification(error_type=error_type, evidence=_evidence(error, why))


def _evidence(error: ExecutionErrorLike, why: str) -> str:
    where = f" on line {error.line}" if error.line else ""
    message = " ".join(error.message.split())[:200]
    return f"{why}: {error.kind}{where}: {message}" if message else f"{why}: {error.kind}{where}"


def _key_error(
    error: ExecutionErrorLike, code: str, frames: Mapping[str, Sequence[Hashable]]
) -> Classification:
    key = key_of(error.message)
    if is_column_key(error.message, error.line, code, frames):
        return Classification(
            error_type="E1",
            evidence=_evidence(error, "a column is missing"),
            column=None if key is None else str(key),
        )
    return Classification(error_type="E4", evidence=_evidence(error, "a row label, level or key is missing"))


def _attribute_error(error: ExecutionErrorLike, code: str) -> Classification:
    match = _ATTRIBUTE.search(error.message)
    if error.message.startswith("module "):
        return Classification(error_type="E6", evidence=_evidence(error, "a library does not have it"))
    if match is None or match[2] in series_attributes() or _is_called(code, match[2]):
        return Classification(error_type="E2", evidence=_evidence(error, "an object does not have it"))
    return Classification(error_type="E1", evidence=_evidence(error, "a column is missing"), column=match[2])


def _is_called(code: str, name: str) -> bool:
    """Return whether the program calls `….name(…)`: then a method was meant, not a column."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return False
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(isinstance(function, ast.Attribute) and function.attr == name for function in calls)


def _name_error(error: ExecutionErrorLike, kind: str) -> Classification:
    match = _UNDEFINED.search(error.message)
    name = match[1] if match else None
    if kind == "UndefinedVariableError" and not error.message.startswith("local variable"):
        return Classification(error_type="E1", evidence=_evidence(error, "a column is missing"), column=name)
    if name in {"np", "pd"} | ALLOWED_MODULES:
        return Classification(error_type="E6", evidence=_evidence(error, "a module is not imported"))
    return Classification(error_type="E0", evidence=_evidence(error, "a name is not defined"))


def _killed(error: ExecutionErrorLike) -> Classification:
    if re.search(r"signal (?:9|14|15|24)\b", error.message):  # KILL, ALRM, TERM, XCPU
        return Classification(error_type="E7", evidence=_evidence(error, "a limit was hit"))
    return Classification(error_type="E6", evidence=_evidence(error, "the program ended its process"))


def _value_error(error: ExecutionErrorLike, kind: str) -> Classification:
    if _NO_COLUMN.search(error.message):
        return Classification(error_type="E1", evidence=_evidence(error, "a column is missing"))
    if kind == "MergeError" or _SHAPE.search(error.message):
        return Classification(error_type="E4", evidence=_evidence(error, "rows, labels or shapes do not fit"))
    return Classification(error_type="E2", evidence=_evidence(error, "a value has the wrong type"))
