"""Pseudo calls: replies that print a tool call, or claim one, instead of making it.

The named rule is precise but rarely fires on long replies (on recorded BFCL replies of function-calling models
it found 13 of 930 printed calls), so separate detectors stand beside it. Each is counted, and can be switched
off, by its own name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Literal, NamedTuple

from mindatlas.nodes.workdesk.parts.completion_claims import completion_claim
from mindatlas.nodes.workdesk.parts.pseudo_actions import action_lines
from mindatlas.nodes.workdesk.parts.pseudo_blocks import fenced_call, listed_calls
from mindatlas.nodes.workdesk.parts.pseudo_call_rule import COVERAGE, LENGTH, short_call
from mindatlas.nodes.workdesk.parts.pseudo_objects import call_object
from mindatlas.nodes.workdesk.parts.pseudo_tags import call_tag
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText

PseudoCallDetector = Literal[
    "short_call", "call_tag", "call_object", "fenced_call", "action_lines", "listed_calls", "completion_claim"
]


class PseudoCall(NamedTuple):
    """What a detector found, and the text that it found."""

    detector: PseudoCallDetector
    text: str


_DETECTORS: Mapping[PseudoCallDetector, Callable[[ReplyText], str | None]] = {
    "call_tag": call_tag,
    "call_object": call_object,
    "fenced_call": fenced_call,
    "action_lines": action_lines,
    "listed_calls": listed_calls,
    "completion_claim": completion_claim,
}


def find_pseudo_calls(
    reply: ReplyText,
    *,
    length: int = LENGTH,
    coverage: float = COVERAGE,
    disabled: Collection[str] = (),
) -> list[PseudoCall]:
    """Return what each detector finds in `reply`, the named rule first; empty when it holds no pseudo call."""
    found: list[PseudoCall] = []
    if "short_call" not in disabled and (text := short_call(reply, length=length, coverage=coverage)):
        found.append(PseudoCall("short_call", text))
    for name, detect in _DETECTORS.items():
        if name not in disabled and (text := detect(reply)):
            found.append(PseudoCall(name, text))
    return found
