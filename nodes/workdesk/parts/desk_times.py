"""The days of a question, and what is set against what."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from mindatlas.nodes.date_ranges import DateRange, add_months
from mindatlas.nodes.dates import find_dates
from mindatlas.nodes.workdesk.parts.desk_request import Period, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_text import TAKEN, QuestionText
from mindatlas.nodes.workdesk.parts.desk_vocabulary import cue

MOST_PERIODS = 4  # more are a grouping by day, week or month
_ASIDE = re.compile(r"[\s,，、的]*")
_AROUND = re.compile(r"期间|[小长]*假期?|前后")  # more days than the one that the calendar knows
_JOINT = re.compile(
    r"[\s,，]*(?:的?(?:工单|单子|单量|工单数量?|orders|tickets|count|numbers?))?[\s,，]*"
    r"(?:和|与|跟|同|、|,|及|以及|还有|相?比|对比|比起|比较|vs\.?|versus|and|to|with|against|than|compared (?:to|with))"
    r"[\s,，]*(?:the |in |of )*",
)


def read_periods(text: QuestionText, today: date) -> tuple[Period, ...]:
    """Return the time ranges, taken out of `text`, in the order of the words.

    Raises:
        UnreadableRequest: `two_periods` where two stand beside each other that no word joins: one narrows the
            other, or they belong to two clocks.
    """
    periods: list[Period] = []
    spans: list[tuple[int, int]] = []
    for mention in find_dates(text.written, today):
        start, end = text.folded_span(mention.start, mention.end)
        end += len(owner[0]) if (owner := re.match(r"['’]s(?=\s)", text.folded[end:])) else 0
        if TAKEN in text.left[start:end]:  # digits of an identifier
            continue
        if mention.range.grain == "day" and (around := _AROUND.match(text.folded, end)):
            raise UnreadableRequest("unknown_words", text.as_written(start, around.end()))
        periods.append(Period(text=mention.surface.strip(), days=mention.range))
        spans.append((start, end))
    _check_joints(text, spans)
    for start, end in spans:
        text.take(start, end)
    if len(periods) > MOST_PERIODS:
        raise UnreadableRequest("many_periods")
    return tuple(periods)


def _check_joints(text: QuestionText, spans: Sequence[tuple[int, int]]) -> None:
    loose = [
        between
        for (_, end), (start, _) in pairwise(spans)
        if not _JOINT.fullmatch(between := text.folded[end:start])
    ]
    if loose and not (
        len(spans) == 2 and cue("compare").search(text.folded) and not _ASIDE.fullmatch(loose[0])
    ):
        raise UnreadableRequest("two_periods", text.as_written(spans[0][0], spans[-1][1]))


def shifted(period: Period, *, year: bool) -> Period:
    """Return the period just before `period`, or with `year` the same one a year earlier.

    Whole months move by months, so that the month before March is February; other days by their number.

    Raises:
        UnreadableRequest: `no_year_before` for weeks, which do not repeat by the year.
    """
    days = period.days
    if year and days.grain == "week":
        raise UnreadableRequest("no_year_before", period.text)
    if _whole_months(days):
        count = 12 if year else (days.end.year - days.start.year) * 12 + days.end.month - days.start.month + 1
        start, end = add_months(days.start, -count), add_months(days.end.replace(day=1), -count)
        end = end.replace(day=monthrange(end.year, end.month)[1])
    elif year:
        start, end = add_months(days.start, -12), add_months(days.end, -12)
    else:
        length = (days.end - days.start).days + 1
        start, end = days.start - timedelta(days=length), days.start - timedelta(days=1)
    return Period(text="", days=DateRange(start=start, end=end, grain=days.grain))


def _whole_months(days: DateRange) -> bool:
    return days.start.day == 1 and days.end.day == monthrange(days.end.year, days.end.month)[1]
