"""What a code writer is told about the assertions of its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Checked, Json, Tolerance

_LONGEST_VALUE: Final = 300


def feedback(checked: Sequence[Checked], *, private: bool = False) -> str:
    """Return one line an assertion, failed ones first: ✗ or ✓, description, expected, actual, difference.

    `private` puts patterns in place of cell values. No assertions give empty text.

    Example:
        ✗ total_sum_match: total of '销售额' is kept: expected 1200.5, actual 1100, difference -100.5
    """
    records = [record.private() for record in checked] if private else list(checked)
    return "\n".join(map(_line, sorted(records, key=lambda record: record.passed)))


def _line(record: Checked) -> str:
    facts = []
    if record.expected is not None or record.actual is not None:
        facts += [f"expected {_shown(record.expected)}", f"actual {_shown(record.actual)}"]
    if record.difference is not None:
        facts.append(f"difference {_signed(record.difference)}{_tolerance(record)}")
    mark = "✓" if record.passed else "✗"
    line = f"{mark} {record.kind}: {record.description}"
    line += f": {', '.join(facts)}" if facts else ""
    return f"{line}. {record.reason}" if record.reason else line


def _shown(value: Json) -> str:
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def _signed(difference: float) -> str:
    text = f"{int(difference)}" if difference == int(difference) else repr(difference)
    return f"+{text}" if difference > 0 else text


def _tolerance(record: Checked) -> str:
    """Return the tolerance where it is not the usual one, which says nothing to a reader."""
    tolerance = record.tolerance
    if tolerance == Tolerance():
        return ""
    relative = f", {tolerance.relative:g} of the expected" if tolerance.relative else ""
    return f" (allowed {tolerance.absolute:g}{relative})"
