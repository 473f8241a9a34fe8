"""What a check of a program's text finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.atlassplit.parts.error_types import ErrorType

Severity = Literal["error", "warning"]


@dataclass(frozen=True, kw_only=True)
class LintFinding:
    """One finding; `error_type` is the failure it would lead to, None where it leads to none by itself."""

    code: str
    line: int
    message: str
    severity: Severity
    error_type: ErrorType | None = None
