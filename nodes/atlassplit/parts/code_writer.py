"""Writing code and proposing assertions: what a writer is asked, what it gives, and the two protocols."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.planner.plan import Refusal
from mindatlas.nodes.atlassplit.parts.workbook_model import Books

Task = Literal["generate", "repair", "repair_columns", "change_strategy", "optimize"]


class Mismatch(TypedDict):
    """Why a program is sent back before it runs: the task that mends it, what was found, and the program."""

    task: Task
    feedback: str
    code: str


@dataclass(frozen=True, kw_only=True)
class CodeRequest:
    """What a code writer gets.

    Attributes:
        request: The user's sentence.
        books: The workbooks, as read; what may be shown of them depends on `private`.
        task: Write anew, or how to go on from `code`.
        code: The program before; empty for the first one.
        feedback: What was wrong with it: the error, the failed assertions with their differences, or what the
            precheck found. Empty for the first one.
        failed_approaches: One line for each program that failed before.
        must_hold: What will be checked, one line each.
        private: No cell value may leave the machine.
        card: Whether a model is shown the schema card; without, it is told the names of the tables alone.
    """

    request: str
    books: Books
    task: Task = "generate"
    code: str = ""
    feedback: str = ""
    failed_approaches: tuple[str, ...] = ()
    must_hold: tuple[str, ...] = ()
    private: bool = False
    card: bool = True


@dataclass(frozen=True, kw_only=True)
class CodeDraft:
    """A program, or the refusal to write one.

    Attributes:
        code: Empty when refused.
        column_map: Words of the request and the columns they were read as; empty where the writer does not say.
        notices: Decisions for the user.
        plan: The typed plan behind the program, as JSON; None where there is none.
        refusal: Why there is no program.
        prompt_sha256: Of the prompt that a model got; empty without one.
    """

    code: str = ""
    column_map: dict[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    plan: dict[str, Any] | None = None
    refusal: Refusal | None = None
    prompt_sha256: str = ""


class CodeWriter(Protocol):
    """Writes a pandas program that sees `df`, `sheets` and `books` and leaves `result`."""

    def write(self, request: CodeRequest) -> CodeDraft:
        """Return a program, or a refusal."""
        ...


class AssertionWriter(Protocol):
    """Says, before there is a program, what must hold of the result."""

    def propose(self, request: str, books: Books) -> tuple[Assertion, ...]:
        """Return the assertions that follow from the request; none when nothing does."""
        ...
