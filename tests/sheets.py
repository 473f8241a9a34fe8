"""What the tests of AtlasSplit share: a small workbook, and a writer that follows a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from mindatlas.nodes.atlassplit.parts.assertions import Assertion
from mindatlas.nodes.atlassplit.parts.book_reader import BookReader
from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft, CodeRequest
from mindatlas.nodes.atlassplit.parts.result_store import ResultStore
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts, AtlasSplitSettings, open_sandbox
from mindatlas.nodes.atlassplit.parts.workbook_model import Books

ROWS: Sequence[Sequence[object]] = (
    ("门店", "月份", "销售额"),
    ("朝阳店", "2024-01", 100),
    ("朝阳店", "2024-02", 50),
    ("徐汇店", "2024-01", 30),
    ("徐汇店", "2024-02", 20),
)
BY_STORE = "result = df.groupby('门店', as_index=False, dropna=False)['销售额'].sum()\n"
TOTAL_KEPT = Assertion(
    kind="total_sum_match",
    source="conservation",
    columns=("销售额",),
    description="the total of 销售额 is kept",
)


class ScriptedCodeWriter:
    """Writes each item of `script` in turn, and keeps what it was asked; a call past the end fails the test."""

    def __init__(self, *script: str | CodeDraft) -> None:
        self._script = list(script)
        self.requests: list[CodeRequest] = []

    @property
    def tasks(self) -> list[str]:
        """The task of each request."""
        return [request.task for request in self.requests]

    def write(self, request: CodeRequest) -> CodeDraft:
        assert len(self.requests) < len(self._script), f"the script has run out at: {request.feedback}"
        reply = self._script[len(self.requests)]
        self.requests.append(request)
        return CodeDraft(code=reply) if isinstance(reply, str) else reply


class FixedAsserter:
    """Proposes the same assertions for every request."""

    def __init__(self, *assertions: Assertion) -> None:
        self._assertions = assertions

    def propose(self, request: str, books: Books) -> tuple[Assertion, ...]:
        return self._assertions


def write_workbook(path: Path, rows: Sequence[Sequence[object]] = ROWS) -> Path:
    """Write one sheet of `rows` and return the path."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "销售"
    for row in rows:
        sheet.append(list(row))
    book.save(path)
    return path


def make_parts(
    folder: Path,
    writer: Any,
    *assertions: Assertion,
    settings: AtlasSplitSettings | None = None,
    **changes: Any,
) -> AtlasSplitParts:
    """Return parts with this writer; the sandbox is the one of the whole test run."""
    settings = settings or AtlasSplitSettings()
    parts = AtlasSplitParts(
        settings=settings,
        reader=BookReader(folder / "cache"),
        writer=writer,
        asserters=(FixedAsserter(*assertions),),
        sandbox=open_sandbox(settings.sandbox, settings.run_timeout_s),
        results=ResultStore(folder / "results"),
    )
    return replace(parts, **changes)


def state_of(
    parts: AtlasSplitParts, workbook: Path, request: str = "按门店汇总销售额", **changes: Any
) -> Any:
    """Return the state after the first node, with `changes`."""
    from mindatlas.nodes.atlassplit.describe_schema import describe_schema

    given: Mapping[str, Any] = {"workbooks": [str(workbook)], "request": request, **changes}
    first = describe_schema(given, parts)  # type: ignore[arg-type]
    return {
        **given,
        **first,
        "usage": {"input_tokens": 0, "output_tokens": 0, "cost": 0.0},
        "timings_ms": {},
        **changes,
    }
