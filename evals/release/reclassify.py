"""The product's classifier over a released record: the kind of failure must be told by what is released."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Mapping
from typing import Any, Final

from mindatlas.evals.release.messages import assertions_of
from mindatlas.evals.release.tokens import NUM
from mindatlas.nodes.atlassplit.parts.error_classes import classify
from mindatlas.nodes.atlassplit.parts.execution import ExecutionError

DESCRIPTION: Final = re.compile(
    r"(?P<kind>\w+)(?: on line (?P<line>[0-9]+)(?: called from line [0-9, ]+)?)?: (?P<message>.*)", re.DOTALL
)
_ANY_NUMBER: Final = "0"


def type_of_record(record: Mapping[str, Any]) -> str:
    """Return the kind of failure that AtlasSplit's classifier sees in a record; NUM counts as a number."""
    frames = {frame: list(columns) for frame, columns in record["metadata"]["dtypes"].items()}
    code, description = with_numbers(record["code_snippet"]), record["error_description"]
    kinds = assertions_of(description)
    if kinds is not None:
        return classify(None, code=code, frames=frames, failed_assertions=kinds).error_type
    match = DESCRIPTION.fullmatch(description)
    if match is None:
        return "E0"
    line = int(match["line"]) if match["line"] else None
    error = ExecutionError(kind=match["kind"], message=_original(match["message"]), line=line)
    return classify(error, code=code, frames=frames).error_type


def with_numbers(code: str) -> str:
    """Return a released program with a number for each NUM; one that cannot be tokenised as it is."""
    try:
        found = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return code
    lines = code.splitlines(keepends=True)
    for token in reversed(found):
        if token.type == tokenize.NAME and token.string == NUM:
            row, text = token.start[0] - 1, lines[token.start[0] - 1]
            lines[row] = text[: token.start[1]] + _ANY_NUMBER + text[token.end[1] :]
    return "".join(lines)


def _original(message: str) -> str:
    """Return a sentence as the classifier knows it: released ones hold no figure."""
    told = message.replace("the signal of a limit", "signal 9")
    return re.sub(rf"\b{NUM}\b", _ANY_NUMBER, told)
