"""The claims of an answer: its lines that cite a passage. Notes around them claim nothing about the subject."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CITED = re.compile(r"^(?:\d+\.\s+)?(?P<text>.+?)\s*\[(?P<id>[^\[\]]+)\]\s*$")
_NOTE = re.compile(r"^\s*[（(].*[）)]\s*$")


@dataclass(frozen=True, kw_only=True)
class WrittenClaim:
    """One line of an answer and the id it cites; None where it cites none."""

    text: str
    passage_id: str | None


def claims_of(answer: str) -> list[WrittenClaim]:
    """Return the claims written in `answer`, in order: every line that is neither empty nor a note in brackets."""
    claims = []
    for line in filter(str.strip, answer.splitlines()):
        if match := _CITED.match(line):
            claims.append(WrittenClaim(text=match["text"], passage_id=match["id"]))
        elif not _NOTE.match(line):
            claims.append(WrittenClaim(text=line.strip(), passage_id=None))
    return claims


def is_refusal(stop_reason: str) -> bool:
    """Return whether a run ended without an answer."""
    return stop_reason not in {"answered", "answered_extractively"}
