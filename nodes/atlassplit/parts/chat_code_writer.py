"""Writing code with a chat model: one prompt a task, the tables fenced as data."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import pandas as pd
from langchain_core.language_models import BaseChatModel

from mindatlas.nodes.atlassplit.parts.code_reply import read_code
from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft, CodeRequest
from mindatlas.nodes.atlassplit.parts.lint import ALLOWED_MODULES
from mindatlas.nodes.atlassplit.parts.planner.plan import Refusal
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from mindatlas.nodes.models import ask
from mindatlas.prompts import render

_ABOUT_MODEL = "the model says that the workbook does not hold what the request needs"


class ChatCodeWriter:
    """Asks a chat model for a program, with the schema card, the findings and the history in the prompt."""

    def __init__(self, model: BaseChatModel) -> None:
        self._model = model

    def write(self, request: CodeRequest) -> CodeDraft:
        """Return the model's program, unchecked, or the refusal that it states as `CANNOT: reason`.

        Raises:
            ModelReplyError: The reply is empty, cut off or cannot be read.
            ModelTransportError: No reply came.
        """
        prompt = prompt_of(request)
        sha256 = hashlib.sha256(prompt.encode()).hexdigest()
        reply = read_code(ask(self._model, prompt))
        if reply.refused:
            refusal = Refusal(
                kind="outside", about=reply.refused, candidates=(), message=f"{_ABOUT_MODEL}: {reply.refused}"
            )
            return CodeDraft(refusal=refusal, prompt_sha256=sha256)
        return CodeDraft(code=reply.code, prompt_sha256=sha256)


def prompt_of(request: CodeRequest) -> str:
    """Return the prompt for a request: the one named after its task, filled in."""
    variables = {
        "pandas_version": pd.__version__,
        "active": repr(request.books.card.active),
        "allowed_imports": ", ".join(sorted(ALLOWED_MODULES)),
        "must_hold": _listed(request.must_hold),
        "tables": tables_text(request.books, private=request.private)
        if request.card
        else _table_names(request),
        "request": fenced(request.request, "request"),
        "code": fenced(request.code, "program"),
        "feedback": fenced(request.feedback, "findings") or "-",
        "failed_approaches": _listed(request.failed_approaches),
    }
    return render(f"atlassplit/{request.task}", **variables)


def tables_text(books: Books, *, private: bool) -> str:
    """Return the schema card for a prompt; nothing in it can close the fence around it."""
    return fenced(books.card.to_text(private=private), "tables")


def _table_names(request: CodeRequest) -> str:
    return fenced("\n".join(repr(table.key) for table in request.books.card.tables), "tables")


def fenced(text: str, fence: str) -> str:
    """Return `text` for a place between `<fence>` and `</fence>`, with every such mark in it broken up."""
    return text.replace(f"</{fence}", f"< /{fence}").replace(f"<{fence}", f"< {fence}")


def _listed(lines: Sequence[Any]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "-"
