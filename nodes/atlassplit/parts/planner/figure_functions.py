"""Decides by which function a figure is made, where the words leave it open."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk
from mindatlas.nodes.atlassplit.parts.planner.column_match import is_additive, plain_name
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.operations import (
    Function,
)


def function_of(draft: Draft, ask: MeasureAsk) -> Function:
    """Return the function of a figure; one that is only named is added up, if it is of the kind that adds up.

    Raises:
        Refused: It is not, or the function does not fit the column.
    """
    item = ask.field
    if ask.function is not None:
        if item is not None and item.is_date and ask.function not in ("max", "min", "distinct"):
            draft.refuse("outside", "not_a_number", ask.text, draft.numeric_titles())
        if ask.function == "sum" and _is_overall_rate(ask):
            draft.refuse("ambiguous", "which_function", ask.text)
        return ask.function
    if item is None or item.is_date or not is_additive(item):
        draft.refuse("ambiguous", "which_function", ask.text)
    draft.tell("summed", about=item.title)
    return "sum"


def _is_overall_rate(ask: MeasureAsk) -> bool:
    """Return whether 总 or total stands before a rate: 总不良率 is no sum of rates, but one over all rows."""
    opened = ask.text.casefold().startswith(("总", "total ")) and not ask.text.startswith(("总和", "总计"))
    item = ask.field
    if item is None or not opened:
        return False
    return "%" in item.column.patterns or plain_name(item.title).endswith(
        ("率", "比", "比例", " rate", " ratio")
    )
