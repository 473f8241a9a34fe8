"""Whether the figures that SQL over the order book gives are those that were looked up and told.

figures_in_rows: of the expected rows, the share of which one row of a call by the same clock holds every cell (name
    and count, or number of an order); a name may be the one that the call was narrowed to, and a total the number of
    rows that a call says there are. A figure that follows from several calls (a total that leaves some orders out)
    is not looked for here.
figures_in_answer: of the expected rows, the share of which one line of the answer states every cell; of one order,
    the whole answer. A count is a number of its own: no part of a date, an identifier, a decimal or a span of time.
right_figures: 1 when both are 1 where they are defined, else 0.

Range [0, 1], higher is better. Undefined where the case expects a question or a refusal; figures_in_rows also where
all figures follow from several calls. A run that asks or refuses instead of answering counts 0. What is told beyond
the expected rows is not judged here: the run's own check of figures is (`verification`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value
from mindatlas.evals.measures.workdesk_clock import CLOCKS
from mindatlas.evals.measures.workdesk_text import in_answer, in_rows

NO_FIGURES = "the case expects no figures"
ALL_DERIVED = "every figure of the case follows from several calls"


def figures_in_rows(case: Case, output: Output) -> Scored:
    """Return the share of the expected rows that the calls brought."""
    if not (queries := _queries(case)):
        return undefined(NO_FIGURES)
    found = [
        any(in_rows(row, call) for call in _calls(output, query["clock"]))
        for query in queries
        if not query["derived"]
        for row in query["rows"]
    ]
    return _share(found) if found else undefined(ALL_DERIVED)


def figures_in_answer(case: Case, output: Output) -> Scored:
    """Return the share of the expected rows that the answer states."""
    if not (queries := _queries(case)):
        return undefined(NO_FIGURES)
    answer = str(output["answer"]) if output["stop_reason"] == "answered" else ""
    return _share([in_answer(row, answer, query["scope"]) for query in queries for row in query["rows"]])


def right_figures(case: Case, output: Output) -> Scored:
    """Return 1 when every expected row was looked up and told."""
    shares = [score(case, output) for score in (figures_in_rows, figures_in_answer)]
    known = [one.value for one in shares if one.value is not None]
    return value(all(share == 1 for share in known)) if known else undefined(NO_FIGURES)


def _queries(case: Case) -> Sequence[dict[str, Any]]:
    queries: Sequence[dict[str, Any]] = case.expected.get("queries", [])
    return queries


def _calls(output: Output, clock: str) -> list[dict[str, Any]]:
    labels = CLOCKS[clock] if clock else {""}
    return [call for call in output["tool_calls"] if not call["error"] and call["clock"] in labels]


def _share(found: Sequence[bool]) -> Scored:
    return value(sum(found) / len(found))


FIGURES_IN_ROWS = Measure(name="figures_in_rows", version=1, direction="higher", score=figures_in_rows)
FIGURES_IN_ANSWER = Measure(name="figures_in_answer", version=1, direction="higher", score=figures_in_answer)
RIGHT_FIGURES = Measure(name="right_figures", version=1, direction="higher", score=right_figures)
