"""Thresholds of the named pseudo call rule, proposed from labelled replies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.pseudo_call_rule import COVERAGE, LENGTH, call_share, short_call
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText, read_reply
from mindatlas.nodes.workdesk.parts.verify_reply_lines import read_line

LABELS = ("pseudo_call", "false_negative", "ok")
QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.99, 1.0)
WRONGLY_ACCUSED = 0.01
"""Share of the other replies that the proposed rule may accuse."""

_FLOOR = 0.05  # below this share a call is a passing mention, whatever the labels suggest


class _Labelled(NamedTuple):
    reply: ReplyText
    pseudo: bool


def calibrate(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the length and coverage that labelled replies suggest, with what they and today's would do.

    Each pair of quantiles of the printed calls' lengths (from above) and shares (from below) is tried; the pair
    that catches most pseudo calls while accusing at most 1 % of the other replies wins, ties go to the shorter
    length, then to the higher share. Replies that print no call of a registered tool, or that come after a tool
    result, are outside the rule: they are counted and cannot move it.

    Returns:
        `length`, `coverage`, and for both the proposal and the defaults the numbers `caught` and
        `wrongly_accused`, with `pseudo_calls`, `others` and `outside_the_rule` to read them by.

    Raises:
        UsageError: a line is damaged or has no known label, or no line shows a printed pseudo call.
    """
    labelled = [_read(line) for line in lines]
    printed = [
        item.reply for item in labelled if item.pseudo and not item.reply.called and call_share(item.reply)
    ]
    if not printed:
        raise UsageError(
            "No line labelled 'pseudo_call' prints a call of its tools without a tool result; the rule needs some"
        )
    lengths = _quantiles([len(reply.text) for reply in printed], upper=True)
    shares = _quantiles([call_share(reply) for reply in printed], upper=False)
    tried = [
        _Try(*_count(labelled, length, share), length, share) for length, share in product(lengths, shares)
    ]
    others = sum(not item.pseudo for item in labelled)
    allowed = [attempt for attempt in tried if attempt.wrong <= WRONGLY_ACCUSED * others]
    today = _Try(*_count(labelled, LENGTH, COVERAGE), LENGTH, COVERAGE)
    best = max([*allowed, today], key=lambda item: (item.caught, -item.wrong, -item.length, item.coverage))
    return {
        "length": best.length,
        "coverage": best.coverage,
        "caught": best.caught,
        "wrongly_accused": best.wrong,
        "caught_by_defaults": today.caught,
        "wrongly_accused_by_defaults": today.wrong,
        "pseudo_calls": len(labelled) - others,
        "outside_the_rule": len(labelled) - others - len(printed),
        "others": others,
    }


class _Try(NamedTuple):
    caught: int
    wrong: int
    length: int
    coverage: float


def _read(line: Mapping[str, Any]) -> _Labelled:
    if "error" in line:
        raise UsageError(f"Line {line['id']!r} cannot be read: {line['error']['message']}")
    if line.get("label") not in LABELS:
        raise UsageError(
            f"Line {line.get('id')!r} has the label {line.get('label')!r}; expected one of {', '.join(LABELS)}"
        )
    read = read_line(line)
    reply = read_reply(read.reply, read.tools, called=bool(read.tool_results))
    return _Labelled(reply, line["label"] == "pseudo_call")


def _quantiles(values: Sequence[float], *, upper: bool) -> list[Any]:
    """Return thresholds at the quantiles: lengths rounded up to tens, shares rounded down to hundredths."""
    ordered = sorted(values, reverse=not upper)
    picked = [ordered[math.ceil(share * len(ordered)) - 1] for share in QUANTILES]
    if upper:
        return sorted({int(math.ceil(value / 10) * 10) for value in picked})
    return sorted({max(_FLOOR, math.floor(value * 100) / 100) for value in picked})


def _count(labelled: Sequence[_Labelled], length: int, coverage: float) -> tuple[int, int]:
    accused = [item.pseudo for item in labelled if short_call(item.reply, length=length, coverage=coverage)]
    return sum(accused), len(accused) - sum(accused)
