"""Right clock: whether orders were counted by the times that the question means.

1 where the clocks of the calls that succeeded are exactly those of the case (both, where the question says none),
else 0; a run that made no such call counts 0.

Range {0, 1}, higher is better. Undefined where the case expects no clock: one order, a question, a refusal.
"""

from __future__ import annotations

from collections.abc import Mapping

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value

CLOCKS: Mapping[str, frozenset[str]] = {
    "created": frozenset({"创建时间", "creation time"}),
    "finished": frozenset({"完成时间", "finish time"}),
}
"""The clocks of cases -> their labels in the order server's overlay, by language."""


def right_clock(case: Case, output: Output) -> Scored:
    """Return 1 when the calls counted by the right times and no other."""
    if not (clocks := case.expected.get("clocks")):
        return undefined("the case expects no clock")
    used = {call["clock"] for call in output["tool_calls"] if call["clock"] and not call["error"]}
    named = {clock for clock, labels in CLOCKS.items() if labels & used}
    return value(named == set(clocks) and used <= frozenset().union(*CLOCKS.values()))


RIGHT_CLOCK = Measure(name="right_clock", version=1, direction="higher", score=right_clock)
