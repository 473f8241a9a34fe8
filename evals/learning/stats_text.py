"""The feedback's numbers as text."""

from __future__ import annotations

from collections.abc import Iterator

from mindatlas.evals.learning.funnel import Funnel


def stats_text(numbers: Funnel) -> str:
    """Return the numbers as text for a terminal."""
    return "\n".join(_lines(numbers))


def _lines(numbers: Funnel) -> Iterator[str]:
    yield f"thumbs up {numbers.up}, bad answers {numbers.down} ({numbers.pending} not drafted yet)"
    yield f"collected {numbers.down} -> drafted {numbers.drafts} -> accepted {numbers.accepted} -> merged {numbers.merged}"
    yield f"waiting {numbers.waiting}, covered by an existing case {numbers.covered}, rejected {numbers.rejected}"
    if numbers.failures:
        yield "failure types: " + ", ".join(f"{name} {count}" for name, count in numbers.failures.items())
    for month, kinds in numbers.kinds.items():
        marked = (
            f"{kind}{'*' if kind in numbers.untested_kinds else ''} {count}" for kind, count in kinds.items()
        )
        yield f"{month}: {', '.join(marked)}"
    if numbers.untested_kinds:
        yield "* no existing case was of this kind when it was first drafted"
