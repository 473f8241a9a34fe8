"""What must hold of a result, and what came of looking: the records of assertions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias, get_args

from mindatlas.nodes.atlassplit.parts.value_patterns import pattern_of

AssertionKind = Literal[
    "total_sum_match",
    "group_sums_match_total",
    "min_ratio_satisfied",
    "growth_rate_check",
    "row_count",
    "unique_key",
    "no_nulls",
    "non_negative",
    "columns_present",
    "sheet_set",
    "value_in_range",
    "monotonic",
    "input_intact",
    "changed_something",
    "writers_agree",
]
KINDS: Final[tuple[AssertionKind, ...]] = get_args(AssertionKind)
Source = Literal["user", "writer", "conservation"]
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

# What these kinds expect and find are counts, names of columns and yes or no: nothing that stands in a cell.
_SAY_NO_VALUE: Final[frozenset[AssertionKind]] = frozenset(
    {
        "row_count",
        "unique_key",
        "no_nulls",
        "columns_present",
        "monotonic",
        "input_intact",
        "changed_something",
    }
)


@dataclass(frozen=True, kw_only=True)
class Tolerance:
    """How far a number may be from the expected one: at most max(absolute, relative * |expected|)."""

    absolute: float = 0.01
    relative: float = 0.0

    def allowed(self, expected: Decimal) -> Decimal:
        """Return the largest difference that passes."""
        relative = Decimal(repr(self.relative)) * abs(expected)
        return max(Decimal(repr(self.absolute)), relative)

    def accepts(self, difference: Decimal, expected: Decimal) -> bool:
        """Return whether a difference, of either sign, is small enough; one that is no number is not."""
        return difference.is_finite() and abs(difference) <= self.allowed(expected)


@dataclass(frozen=True, kw_only=True)
class Assertion:
    """One thing that must hold of a result; the functions named after the kinds say what each means.

    Attributes:
        kind: Which check.
        source: Who asks for it: the user, the writer from the request, or the operation itself.
        columns: Columns of the result, as written; looked up exactly, then folded.
        by: Columns that make the groups.
        expected: What must be found; None where it follows from the input.
        tolerance: For the kinds that compare numbers.
        table: Which table of a result with several; None is all of them together.
        description: What the user reads.
        input_columns: What `columns` are called in the input, in the same order; empty when the same.
        lag: Rows between the compared ones, for growth: 12 compares monthly rows with the year before.
    """

    kind: AssertionKind
    source: Source = "user"
    columns: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    expected: Json = None
    tolerance: Tolerance = field(default_factory=Tolerance)
    table: str | None = None
    description: str = ""
    input_columns: tuple[str, ...] = ()
    lag: int = 1


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What came of one assertion.

    Attributes:
        difference: actual − expected, signed; None where they are no numbers.
        reason: What else is to be known; empty when expected and actual say it all.
        quoted: The cell values that `reason` quotes, to be masked in private runs.
    """

    kind: AssertionKind
    source: Source
    description: str
    expected: Json
    actual: Json
    difference: float | None
    tolerance: Tolerance
    passed: bool
    reason: str = ""
    quoted: tuple[str, ...] = ()

    def private(self) -> Checked:
        """Return the record with patterns instead of cell values, totals of cells included.

        `difference` becomes None where it would tell a value; its sign stays readable in `reason`.
        """
        reason = self.reason
        for text in sorted({*self.quoted}, key=lambda text: (-len(text), text)):
            reason = reason.replace(text, pattern_of(text)) if text else reason
        if self.kind in _SAY_NO_VALUE:
            return replace(self, reason=reason, quoted=())
        if self.difference:
            side = "more" if self.difference > 0 else "less"
            reason = "; ".join(filter(None, [f"actual is {side} than expected", reason]))
        masked = {"expected": _masked(self.expected), "actual": _masked(self.actual)}
        return replace(self, **masked, difference=None, reason=reason, quoted=())  # type: ignore[arg-type]

    def to_json(self, *, private: bool = False) -> dict[str, Any]:
        """Return plain JSON values in the order of the fields, without `quoted`."""
        checked = self.private() if private else self
        return {
            "kind": checked.kind,
            "source": checked.source,
            "description": checked.description,
            "expected": checked.expected,
            "actual": checked.actual,
            "difference": checked.difference,
            "tolerance": {"absolute": checked.tolerance.absolute, "relative": checked.tolerance.relative},
            "passed": checked.passed,
            "reason": checked.reason,
        }


def _masked(value: Json) -> Json:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Mapping):
        return {pattern_of(key): _masked(entry) for key, entry in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_masked(entry) for entry in value]
    return pattern_of(str(value))
