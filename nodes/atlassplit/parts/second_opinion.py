"""Two writers as a check: where rules understand a request in full, their result stands beside the model's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.assertions import Assertion, Checked, check_agreement
from mindatlas.nodes.atlassplit.parts.book_reader import inputs_of
from mindatlas.nodes.atlassplit.parts.code_writer import CodeRequest
from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.atlassplit.parts.result_store import StoredResult
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts

WRITERS_AGREE = Assertion(
    kind="writers_agree", source="writer", description="the builtin writer comes to the same result"
)


class SecondOpinion(TypedDict):
    """What the second writer came to; `result` is None where it does not understand the request."""

    result: StoredResult | None


def second_opinion(state: Mapping[str, Any], parts: AtlasSplitParts) -> SecondOpinion | None:
    """Return the second writer's result, from the state when it was asked before; None without such a writer."""
    if parts.second_writer is None or state["second"] is not None:
        known: SecondOpinion | None = state["second"]
        return known
    books = parts.reader.recall(state["files"], state["request"])
    draft = parts.second_writer.write(CodeRequest(request=state["request"], books=books))
    if draft.refusal is not None:
        return SecondOpinion(result=None)
    done = parts.sandbox.run(draft.code, inputs_of(books))
    return SecondOpinion(result=parts.results.save(done.result) if done.error is None else None)


def compare(result: Result, second: SecondOpinion | None, parts: AtlasSplitParts) -> list[Checked]:
    """Return the assertion that both results agree; none where there is no second result."""
    if second is None or second["result"] is None:
        return []
    return [check_agreement(WRITERS_AGREE, result=result, other=parts.results.load(second["result"]))]
