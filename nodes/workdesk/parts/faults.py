"""The named faults that the simulated model makes, and which one it makes for a question."""

from __future__ import annotations

import random
from typing import Literal, get_args

PlanFault = Literal[
    "pseudo_call", "pseudo_json", "pseudo_tag", "pseudo_fenced", "pseudo_action", "claim_without_call",
    "invented_filter", "null_argument", "placeholder", "double_encoded", "two_objects", "wrong_name", "missing_range",
    "functions_prefix", "control_suffix", "truncated_arguments", "text_number", "no_id",
]  # fmt: skip
ReplyFault = Literal[
    "false_negative", "empty_reply", "uneven_chart", "null_in_chart", "cut_chart", "invented_number"
]
Fault = PlanFault | ReplyFault

FAULTS: tuple[Fault, ...] = (*get_args(PlanFault), *get_args(ReplyFault))


def drawn_fault(seed: int, question: str) -> Fault:
    """Return the one fault that a simulated model makes for `question`: the same for the same seed and question."""
    return random.Random(f"{seed}:{question}").choice(FAULTS)
