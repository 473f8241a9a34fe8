"""What a call needs: defaults and hidden parameters are filled in, the rest is asked for or named as missing."""

from __future__ import annotations

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.evidence import IDENTIFIERS
from mindatlas.nodes.workdesk.parts.parameters import RANGE_ROLES
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext, scope_of


def fill_defaults(draft: Draft, context: ValidationContext) -> None:
    """Fill in what the overlay says of parameters that were not given, and of those that the model never sees."""
    if not context.enabled("fill_default"):
        return
    missing = {
        name: value
        for name, value in draft.card.overlay.defaults.items()
        if (parameter := draft.parameters.get(name)) is not None
        and (name not in draft.args or (parameter.hidden and draft.args[name] != value))
    }
    if missing:
        before = {name: draft.args[name] for name in missing if name in draft.args}
        draft.args.update(missing)
        draft.repair("fill_default", before, missing, "The overlay's defaults")


def drop_hidden(draft: Draft) -> None:
    """Take out what a model gave for parameters that it cannot know, where the overlay has nothing for them."""
    for name, parameter in draft.parameters.items():
        if parameter.hidden and name in draft.args and name not in draft.card.overlay.defaults:
            draft.strip("strip_unsupported", name, f"{name} is not for the model to give")


def require(draft: Draft, context: ValidationContext) -> None:
    """Ask for what the call needs and does not have, or name it to the model."""
    for name, parameter in draft.parameters.items():
        if parameter.required and name not in draft.args and not ask_for(draft, name, context):
            needs = ", ".join(draft.card.overlay.depends_on)
            hint = f"; call {needs} first, it is in the result" if needs else ""
            draft.fault("missing_argument", name, f"{draft.card.name} needs {name!r}{hint}")
    any_of = draft.card.overlay.required_any
    if any_of and not any(name in draft.args for name in any_of) and draft.question is None:
        draft.fault(
            "unbounded", "", f"{draft.card.name} would read everything: give one of {', '.join(any_of)}"
        )


def missing_key(draft: Draft, name: str, context: ValidationContext) -> str:
    """Return what the user's answer for a missing argument is kept under, for this question only."""
    return f"missing_argument:{scope_of(context)}:{draft.card.name}.{name}"


def take_answers(draft: Draft, context: ValidationContext) -> None:
    """Put in what the user answered when asked for a missing argument."""
    for name in draft.parameters:
        if (answer := context.choices.get(missing_key(draft, name, context))) is not None:
            draft.args[name] = answer


def ask_for(draft: Draft, name: str, context: ValidationContext) -> bool:
    """Return whether the user is asked for an argument: the overlay has a question, and asking is switched on."""
    asks = draft.parameters[name].asks
    if draft.parameters[name].role in RANGE_ROLES:
        return draft.question is not None
    named = draft.parameters[name].role == "id" and IDENTIFIERS.search(fold(context.question))
    if not asks or named or not context.enabled("ask_user"):
        return False  # the user has named one already: the model must take it from the question
    draft.ask("missing_argument", missing_key(draft, name, context), asks)
    return True
