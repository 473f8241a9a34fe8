"""What the repairs do: faults that a simulated model makes are caught, and a right model is left alone.

fault_caught: of the runs of a simulated model, 1 when a repair of the fault's kinds stands in the run (an invented
    number: when a notice names it), 0 when none does and the run is not right (`right_figures`, and asked and refused
    rightly), or the invented number stands in the answer. Undefined where no fault was made on purpose, and, where none
    of its repairs stands, when the run is right (the fault found no place in it, or did no harm) or was refused (no
    call was planned that could be spoilt). Range {0, 1}, higher
    is better.
false_alarms: the number of corrections in a run that no simulated fault warrants: every repair but those that take a
    step the planner leaves to them (a default, a name looked up, a question to the user, the other clock). Range
    [0, ∞), lower is better. Always defined.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value
from mindatlas.evals.measures.workdesk_figures import right_figures
from mindatlas.evals.measures.workdesk_outcome import asking_correctness, refusal_correctness
from mindatlas.nodes.workdesk.parts.calls import RepairKind
from mindatlas.nodes.workdesk.parts.faults import FAULTS, Fault

WARRANTED: Mapping[Fault, frozenset[RepairKind]] = {
    "pseudo_call": frozenset({"retry_pseudo_call"}),
    "pseudo_json": frozenset({"retry_pseudo_call"}),
    "pseudo_tag": frozenset({"retry_pseudo_call"}),
    "pseudo_fenced": frozenset({"retry_pseudo_call"}),
    "pseudo_action": frozenset({"retry_pseudo_call"}),
    "claim_without_call": frozenset({"retry_pseudo_call"}),
    "invented_filter": frozenset({"strip_unsupported"}),
    "null_argument": frozenset({"strip_empty_argument", "strip_placeholder"}),
    "placeholder": frozenset({"strip_placeholder"}),
    "double_encoded": frozenset({"decode_arguments"}),
    "two_objects": frozenset({"split_arguments", "decode_arguments"}),
    "wrong_name": frozenset({"cut_tool_name", "retry_malformed_call"}),
    "missing_range": frozenset({"fill_time_range"}),
    "functions_prefix": frozenset({"cut_tool_name"}),
    "control_suffix": frozenset({"cut_tool_name"}),
    "truncated_arguments": frozenset({"retry_malformed_call"}),
    "text_number": frozenset({"coerce_argument"}),
    "no_id": frozenset({"unique_call_id"}),
    "false_negative": frozenset({"retry_false_negative"}),
    "empty_reply": frozenset({"retry_empty_reply"}),
    "uneven_chart": frozenset({"align_chart"}),
    "null_in_chart": frozenset({"align_chart"}),
    "cut_chart": frozenset({"repair_chart_tail", "align_chart"}),
    "invented_number": frozenset(),
}
"""Fault -> the repairs that mend it."""
STEPS: frozenset[RepairKind] = frozenset({"fill_default", "resolve_name", "ask_user", "rerun_dual_time"})
NO_CALL = "the question was refused before a call that could be spoilt"
_FAULT = re.compile(r"the fault “(\w+)” is made on purpose")
_INVENTED = "987654"


def fault_of(output: Output) -> Fault | None:
    """Return the fault that a simulated model made on purpose in this run, None for any other model."""
    for notice in output["notices"]:
        if found := _FAULT.search(notice):
            return next((fault for fault in FAULTS if fault == found[1]), None)
    return None


def fault_caught(case: Case, output: Output) -> Scored:
    """Return 1 when the fault of a simulated model was mended or told."""
    if (fault := fault_of(output)) is None:
        return undefined("no fault was made on purpose")
    if fault == "invented_number" and _INVENTED in str(output["answer"]):
        return value(any(_INVENTED in notice for notice in output["notices"]))
    if WARRANTED[fault] & {repair["kind"] for repair in output["repairs"]}:
        return value(1)
    if output["stop_reason"] == "refused":
        return undefined(NO_CALL)
    scores = [score(case, output).value for score in (right_figures, asking_correctness, refusal_correctness)]
    right = all(score in (1, None) for score in scores)
    return undefined("the fault found no place, or did no harm") if right else value(0)


def false_alarms(case: Case, output: Output) -> Scored:  # noqa: ARG001 every measure takes both
    """Return how many corrections no fault warrants."""
    fault = fault_of(output)
    allowed = STEPS | (WARRANTED[fault] if fault else frozenset())
    return value(sum(repair["kind"] not in allowed for repair in output["repairs"]))


FAULT_CAUGHT = Measure(name="fault_caught", version=1, direction="higher", score=fault_caught)
FALSE_ALARMS = Measure(name="false_alarms", version=1, direction="lower", score=false_alarms)
