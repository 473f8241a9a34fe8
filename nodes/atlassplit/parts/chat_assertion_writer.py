"""Proposing assertions with a chat model: typed ones only, whatever else it says is dropped."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, Field

from mindatlas.nodes.atlassplit.parts.assertions import Assertion, from_proposal
from mindatlas.nodes.atlassplit.parts.chat_code_writer import fenced, tables_text
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from mindatlas.nodes.models import ask_structured
from mindatlas.prompts import render

MOST_ASSERTIONS = 6
# Those that can be stated before there is a program; the rest follows from the operation, or from two results.
_OFFERED = frozenset(
    {
        "columns_present", "row_count", "unique_key", "no_nulls", "non_negative", "value_in_range", "monotonic",
        "sheet_set", "total_sum_match",
    }
)  # fmt: skip


class _Item(BaseModel):
    kind: str = Field(description="one of the kinds listed")
    columns: list[str] = Field(default_factory=list)
    input_columns: list[str] = Field(default_factory=list)
    expected: Any = Field(default=None, description="a number, an object with min and max, a word or names")
    description: str = Field(default="", description="one short sentence in the request's language")


class _Reply(BaseModel):
    """The assertions; an empty list when nothing certain can be said."""

    assertions: list[_Item]


class ChatAssertionWriter:
    """Asks a chat model what must hold of the result."""

    def __init__(self, model: BaseChatModel, *, private: bool) -> None:
        self._model = model
        self._private = private

    def propose(self, request: str, books: Books) -> tuple[Assertion, ...]:
        """Return at most six assertions of the kinds offered; malformed ones are dropped.

        Raises:
            ModelReplyError: The reply had not the form asked for, twice.
        """
        prompt = render(
            "atlassplit/propose_assertions",
            tables=tables_text(books, private=self._private),
            request=fenced(request, "request"),
        )
        reply = ask_structured(self._model, prompt, _Reply)
        items = [_stated(item) for item in reply.assertions if item.kind in _OFFERED]
        return from_proposal(items).assertions[:MOST_ASSERTIONS]


def _stated(item: _Item) -> dict[str, Any]:
    """Return what an item states, without what it leaves open."""
    stated = item.model_dump(exclude_none=True)
    return {name: value for name, value in stated.items() if value not in ([], "")}
