"""Reads growth over an earlier period and shares of a total."""

from __future__ import annotations

from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import GrowthAsk, RelationBoundAsk, ShareAsk
from mindatlas.nodes.atlassplit.parts.planner.condition_numbers import read_bounds
from mindatlas.nodes.atlassplit.parts.planner.counts import is_record_noun, rows_measure
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.groupings import read_key
from mindatlas.nodes.atlassplit.parts.planner.measures import read_measure
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Unit

_UNITS: dict[str, Unit] = {
    "previous_day": "day",
    "previous_week": "week",
    "previous_month": "month",
    "previous_quarter": "quarter",
}
_WHOLE = ("占全部", "占总体", "占整体", "占全体", "占所有", "占全部的", "占总体的", "占整体的", "占总")


@attempt
def read_growth(cursor: Cursor, draft: Draft) -> GrowthAsk | None:
    """Return the growth of a phrase such as 环比增长率, 同比, month-over-month growth.

    Raises:
        Refused: Growth is named without saying over what, or in a way that may be a rate or an amount.
    """
    start = cursor.at
    cursor.skip("filler")
    if cursor.token.folded == "with" and cursor.peek(1).classes.keys() & {"growth", "growth_form"}:
        cursor.next()
    form = cursor.take("growth_form")
    cursor.skip("filler")
    kind = cursor.take("growth")
    if kind is None:
        if form is not None and not cursor.tokens[cursor.at - 1].fields:
            draft.refuse("ambiguous", "which_growth", cursor.written(start), _choices(draft))
        return None
    cursor.skip("filler")
    form = form or cursor.take("growth_form")
    if cursor.token.folded in ("变化", "变动", "变化情况", "change", "changes"):
        draft.refuse("ambiguous", "which_growth", cursor.written(start) + cursor.token.text, _forms(draft))
    over: Literal["previous", "year"] = "year" if kind == "year" else "previous"
    return GrowthAsk(text=cursor.written(start), over=over, unit=_UNITS.get(kind), as_rate=form != "amount")


@attempt
def read_share(cursor: Cursor, draft: Draft) -> ShareAsk | None:
    """Return the share of a phrase such as 占比, 占总销售额的比例, 订单占比, share of total sales."""
    start = cursor.at
    cursor.skip("filler")
    if counted := _record_share(cursor, draft):
        return counted
    if cursor.take("share"):
        of_whole = cursor.token.folded.startswith("total") or "total" in cursor.tokens[cursor.at - 1].folded
        cursor.skip("filler")
        measure = read_measure(cursor, draft) if of_whole else None
        return ShareAsk(text=cursor.written(start), measure=measure, of_whole=of_whole)
    opener = cursor.token.folded
    if cursor.take("share_of") is None:
        return None
    of_whole = opener in _WHOLE or "total" in opener
    cursor.skip("filler", "whole")
    measure = read_measure(cursor, draft)
    of_whole = of_whole or (measure is not None and measure.function == "sum")
    cursor.skip("filler")
    noun = cursor.take("share_noun", "share")
    if noun is None and not opener.isascii():
        return None
    return ShareAsk(text=cursor.written(start), measure=measure, of_whole=of_whole)


@attempt
def read_relation_bound(cursor: Cursor, draft: Draft) -> RelationBoundAsk | None:
    """Return the bound behind a share or growth, with the groups named behind it: 占比超过10%的门店."""
    start = cursor.at
    bounds = read_bounds(cursor, draft)
    if bounds is None or len(bounds) != 1:
        return None
    cursor.skip("filler")
    entity = read_key(cursor, draft) if cursor.token.fields or cursor.sees("unit") else None
    return RelationBoundAsk(text=cursor.written(start), bound=bounds[0], entity=entity)


def _record_share(cursor: Cursor, draft: Draft) -> ShareAsk | None:
    """Read 订单占比: the share of the number of rows."""
    start = cursor.at
    opened = (
        cursor.token.folded in ("percentage of", "share of", "proportion of") and cursor.next() is not None
    )
    noun = cursor.take("noun")
    shared = noun is not None and (opened or cursor.sees("share")) and is_record_noun(noun, draft)
    if shared and (opened or cursor.next()):
        return ShareAsk(text=cursor.written(start), measure=rows_measure(draft, "", ""), of_whole=False)
    cursor.at = start
    return None


def _choices(draft: Draft) -> tuple[str, ...]:
    return ("环比增长率", "同比增长率") if draft.language == "zh" else ("month over month", "year over year")


def _forms(draft: Draft) -> tuple[str, ...]:
    return ("增长率", "增长额") if draft.language == "zh" else ("growth rate", "difference")
