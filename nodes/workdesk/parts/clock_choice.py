"""The clock that a question names is the one that is counted by."""

from __future__ import annotations

from mindatlas.nodes.workdesk.parts.evidence import Evidence, occurrences
from mindatlas.nodes.workdesk.parts.named_clocks import spans_after_time
from mindatlas.nodes.workdesk.parts.support import code_words
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext


def correct_clock(draft: Draft, evidence: Evidence, context: ValidationContext) -> None:
    """Choose the clock that the question names where the call counts by another one, or by none.

    Nothing is changed when the question names several clocks, or when the word that names one is already a
    condition of the call (已完成 as a status).
    """
    dual = draft.card.overlay.dual_time
    if dual is None or dual.parameter not in draft.parameters or not context.enabled("correct_clock"):
        return
    named = {
        value: word
        for value, clock in dual.clocks.items()
        for word in clock.words
        if True in occurrences(word, evidence.question)
    }
    for value, clock in dual.clocks.items():
        for start, end in spans_after_time(evidence.question, clock, context.today):
            named[value] = evidence.question[start:end]
    given = draft.args.get(dual.parameter)
    if len(named) != 1 or str(given) in named:
        return
    value, word = named.popitem()
    if any(_conditional(word, name, draft) for name in draft.args if name != dual.parameter):
        return
    code = draft.parameters[dual.parameter].codes.get(value, value)
    wanted = (
        int(value) if "string" not in draft.parameters[dual.parameter].types and value.isdigit() else code
    )
    draft.set(
        "correct_clock", dual.parameter, wanted, f"The question says {word!r}: {dual.clocks[value].label}"
    )


def _conditional(word: str, name: str, draft: Draft) -> bool:
    parameter = draft.parameters.get(name)
    if parameter is None or not parameter.values or parameter.role != "filter":
        return False
    values = draft.args[name] if isinstance(draft.args[name], list) else [draft.args[name]]
    return any(
        word in known or known in word for value in values for known in code_words(str(value), parameter)
    )
