"""Writing code and assertions by rules: the planner behind the two protocols."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from mindatlas.nodes.atlassplit.parts.assertions import Assertion, from_dicts
from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft, CodeRequest
from mindatlas.nodes.atlassplit.parts.planner import Refusal, conservation_assertions, read_plan, write_code
from mindatlas.nodes.atlassplit.parts.workbook_model import Books


class PlannedCodeWriter:
    """Writes the program of the plan that the request is read into; the same one however often it is asked.

    Args:
        today: Gives the day that 今年 and last month are counted from.
    """

    def __init__(self, today: Callable[[], dt.date]) -> None:
        self._today = today

    def write(self, request: CodeRequest) -> CodeDraft:
        """Return the program, with the columns that the words were read as; a refusal where not all is clear."""
        plan = read_plan(request.request, request.books.card, today=self._today())
        if isinstance(plan, Refusal):
            return CodeDraft(refusal=plan)
        return CodeDraft(
            code=write_code(plan),
            column_map=dict(plan.column_map),
            notices=plan.notices,
            plan=plan.to_dict(),
        )


class PlannedAssertionWriter:
    """Proposes what follows from the operations of the plan; nothing where there is no plan.

    Args:
        today: As for `PlannedCodeWriter`.
    """

    def __init__(self, today: Callable[[], dt.date]) -> None:
        self._today = today

    def propose(self, request: str, books: Books) -> tuple[Assertion, ...]:
        """Return the conservation rules of the request's operations."""
        plan = read_plan(request, books.card, today=self._today())
        if isinstance(plan, Refusal):
            return ()
        return tuple(from_dicts(conservation_assertions(plan, books.card), "conservation"))
