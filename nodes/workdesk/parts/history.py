"""What was said before: the turns of a conversation, as a thread or a host keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

TURNS_KEPT = (
    20  # messages; older ones rarely decide what a question means, and every model call pays for them
)


class Message(TypedDict):
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    content: str


def with_turn(turns: Sequence[Message], question: str, answer: str) -> list[Message]:
    """Return the conversation with one more question and its answer, the latest `TURNS_KEPT` messages of it."""
    added: list[Message] = [
        {"role": "user", "content": question},
        {"role": "assistant", "content": answer},
    ]
    return [*turns, *added][-TURNS_KEPT:]
