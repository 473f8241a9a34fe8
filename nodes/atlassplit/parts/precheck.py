"""Checks a program against the columns that its frames really have, before it costs an execution.

The program is read, never run: `frame_flow` follows which columns each frame has at each point. A column is
missing only where pandas would surely raise; what the text does not tell, and what the program guards, is
unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from mindatlas.nodes.atlassplit.parts.column_suggestions import Suggestion, suggest
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import ColumnRef
from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow
from mindatlas.nodes.atlassplit.parts.frame_flow.given_frames import give_frames
from mindatlas.nodes.atlassplit.parts.lint import lint
from mindatlas.nodes.atlassplit.parts.lint_finding import LintFinding
from mindatlas.nodes.atlassplit.parts.precheck_feedback import feedback_text

Frames = Mapping[str, Sequence[Hashable]]


@dataclass(frozen=True, kw_only=True)
class PrecheckResult:
    """What is known about a program before it runs.

    Attributes:
        ok: No column is missing and no finding is an error.
        missing: Columns that the program needs and that are not there, in the order of their first use; a
            name that is no text (2024) stands as its text.
        unknown: Columns, or expressions that choose one, of which the program text does not tell whether
            they are there, and absent ones that the program guards.
        suggestions: For each missing column the real ones that it may have meant, best first; none where
            nothing is like it.
        lint: Findings that need no frames.
        feedback: What a code writer should be told; empty when there is nothing to tell.
    """

    ok: bool
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    suggestions: dict[str, tuple[Suggestion, ...]] = field(default_factory=dict)
    lint: tuple[LintFinding, ...] = ()
    feedback: str = ""


def precheck(
    code: str,
    frames: Frames,
    *,
    aliases: Mapping[str, Sequence[str]] | None = None,
    convention: bool = False,
) -> PrecheckResult:
    """Return which columns a program refers to that its frames do not have, and what else is wrong with it.

    Args:
        code: The program. Frames that it makes itself are followed too.
        frames: For each expression by which the program reaches a frame (`df`, `sheets['订单']`), or plain
            sheet name, the columns in order. Names are compared as pandas does: exactly.
        aliases: For a column, other names that its users know it by; they only help suggestions.
        convention: Hold the program to AtlasSplit's convention as well, see `lint`.

    Raises:
        UsageError: A key of `frames` starts like an expression but is none.

    Example:
        >>> precheck("result = df['销售数量'].sum()", {"df": ["门店", "销量"]}).missing
        ('销售数量',)
    """
    findings = lint(code, convention=convention)
    if any(finding.code == "syntax-error" for finding in findings):
        return _result((), (), {}, findings, frames)
    flow = Flow()
    give_frames(flow, frames)
    flow.run(ast.parse(code))
    absent = tuple(ref for ref in flow.log.refs if ref.verdict == "absent")
    missing = tuple(dict.fromkeys(str(ref.name) for ref in absent))
    unknown = dict.fromkeys(str(ref.name) for ref in flow.log.refs if ref.verdict == "unknown")
    chained = tuple(_chained_finding(line, convention=convention) for line in sorted(flow.chained))
    found = tuple(sorted((*findings, *chained), key=lambda finding: finding.line))
    suggestions = {name: _suggest(name, absent, aliases) for name in missing}
    return _result(absent, tuple(name for name in unknown if name not in missing), suggestions, found, frames)


def _result(
    absent: Sequence[ColumnRef],
    unknown: tuple[str, ...],
    suggestions: dict[str, tuple[Suggestion, ...]],
    findings: tuple[LintFinding, ...],
    frames: Frames,
) -> PrecheckResult:
    return PrecheckResult(
        ok=not absent and all(finding.severity != "error" for finding in findings),
        missing=tuple(suggestions),
        unknown=unknown,
        suggestions=suggestions,
        lint=findings,
        feedback=feedback_text(absent, suggestions, findings, frames),
    )


def _suggest(
    name: str, absent: Sequence[ColumnRef], aliases: Mapping[str, Sequence[str]] | None
) -> tuple[Suggestion, ...]:
    """Return suggestions from the columns of every frame in which `name` was looked for."""
    refs = [ref for ref in absent if str(ref.name) == name]
    columns = tuple(dict.fromkeys(column for ref in refs for column in ref.columns))
    return tuple(suggest(refs[0].name, columns, aliases=aliases))


def _chained_finding(line: int, *, convention: bool) -> LintFinding:
    return LintFinding(
        code="chained-assignment",
        line=line,
        message="an assignment to a part of a part of a frame does nothing on pandas 3: use df.loc[rows, column] = …",
        severity="error" if convention and _copies_on_write() else "warning",
        error_type="E3",
    )


@cache
def _copies_on_write() -> bool:
    """Return whether the installed pandas is one on which a chained assignment is lost."""
    import pandas as pd

    return int(pd.__version__.split(".")[0]) >= 3
