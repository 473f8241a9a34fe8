"""Which days a question asks for, and whether the days of a call are those."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from mindatlas.nodes.date_ranges import add_months
from mindatlas.nodes.dates import TimeMention, find_dates
from mindatlas.nodes.text import fold, is_cjk
from mindatlas.nodes.workdesk.parts.calls import Choice
from mindatlas.nodes.workdesk.parts.evidence import Evidence
from mindatlas.nodes.workdesk.parts.validation import ValidationContext

Days = tuple[date, date]

_COMPARE = re.compile(
    r"同比|环比|同期|对比|比较|相比|比起|与.{0,12}比|变化|增长|增加|减少|下降|上升|趋势|走势|涨|跌"
    r"|\bvs\b|versus|compar|change|trend|growth|increase|decrease|year[- ]over[- ]year|month[- ]over|than|previous|\byoy\b|\bmom\b"
)
_BOUND = re.compile(r"之前|以前|之后|以后|[前后](?!\s*(?:[天年]|[\d一二两三四五六七八九十几]))|为止|起")
_BOUND_BEFORE = re.compile(
    r"(?:截[至止]到?|早于|晚于|不晚于|不早于|before|until|till|by|prior to|up to|as of|after|later than|earlier than)"
    r"\s*(?:the\s*)?$"
)
_GROUPING = re.compile(
    r"[每按逐](?:个?月|周|天|日|年|季度?|星期)|\b(?:by|per|each|every)\s+(?:day|week|month|year|quarter)s?\b|\b(?:dai|week|month|year|quarter)ly\b"
)
_PART = re.compile(
    r"的?(?:头|前|最?后|最初|末|首|第)\s*(?:几|[\d一二两三四五六七八九十]+)?\s*个?(?:天|日|周|星期|礼拜|旬)|的?[上下前后]半"
)
_PART_BEFORE = re.compile(
    r"(?:(?:days?|weeks?|start|beginning|end|middle|half|part)\s+of|early|late|mid)[\s-]*(?:in\s+)?(?:the\s*)?$"
)
_VAGUE = re.compile(
    r"最近|近期|[昨今明前]儿|[头前后]\s*(?:几|[\d一二两三四五六七八九十]+)\s*[天日周]|近来|近日|这[一几]?(?:天|周|段|阵)|前几天|前一?阵|前段|近几|那(?:段|几?天|年|月)|当[天日月年时]|期间|同[年月]|春节|过年|除夕|元宵|清明|端午"
    r"|中秋|假期|假日|节[前后日]|[春夏秋冬][天季]|旺季|淡季|周末|白天|夜[里间晚]|凌晨|[早晚]上|[上下]午"
    r"|[\d一二两三四五六七八九十几半该](?:个)?(?:年|月|周|天|日|季度?|旬|星期|小时|分钟|点钟?|号(?![楼线门院馆桌房室店机]))"
    r"|recent|lately|these days|past few|last few|few (?:days|weeks|months)|season|holiday|\b(?:spring|summer|autumn|winter)\b"
    r"|easter|christmas|weekend|\bhours?\b|\bminutes?\b|morning|evening|\bnight|\bq[1-4]\b|\bh[12]\b|\bfy|\b(?:day|week|month|year|quarter)s?\b"
    r"|\d{1,4}[/.]\d{1,2}(?:[/.]\d{1,4})?"
)
"""Times that are not resolved: an expression that hangs on the context, the lunar calendar, or anyone's guess."""
_WHOLE = re.compile(
    r"全部时间|所有时间|有史以来|历史上?|历来|从来|至今|迄今|累计|一直|不限时间|任[何意]时间|全量|开库|建库|现在|目前|当前|现有|还有|仍|尚|还没|未|积压|遗留"
    r"|all[- ]time|\bever\b|in total|overall|to date|since the beginning|whole history|entire|historical|current"
    r"|\bnow\b|\bstill\b|\bopen\b|outstanding|backlog"
)
"""Wordings of all time, or of now, which a tool that counts by a range can but be given a wide one for."""
_FOLLOW_UP = re.compile(
    r"^(?:那|再|也|还有|另外|其中|换成|改成|如果|and\b|what about|how about|also|then|now )|呢[?？]?$|^(?:只|就)?(?:看|要)|^按|这些|它们|其中|同样"
    r"|^by |those|these|them\b|same (?:period|time|range|month|week)|instead"
)


_SUGGESTED = {
    "本月": "this month",
    "上个月": "last month",
    "最近30天": "the last 30 days",
    "今年": "this year",
}


@dataclass(frozen=True, kw_only=True)
class AskedTime:
    """One stretch of time that was asked for, in the words that asked for it."""

    days: Days
    surface: str
    grain: str
    open: bool = False
    part: bool = False

    def written(self, to: str = "to") -> str:
        """Return the days, joined by the word `to`, and the words where they are not the days themselves."""
        start, end = self.days
        days = f"{start} {to} {end}"
        days = str(start) if start == end else days
        return days if re.fullmatch(r"[\d\s./:~至到-]+", self.surface) else f"{days}（{self.surface}）"


@lru_cache(maxsize=256)
def asked_times(text: str, today: date) -> tuple[AskedTime, ...]:
    """Return the times in a text, in its order, each stretch of days once.

    `open` ones are but one end of what is meant (3月之前, before March), and of `part` ones a part is meant that
    is not resolved (上个月头十天, early May).
    """
    asked: dict[Days, AskedTime] = {}
    for mention in find_dates(text, today):
        days = (mention.range.start, mention.range.end)
        one = AskedTime(
            days=days,
            surface=mention.surface,
            grain=mention.range.grain,
            open=_open(text, mention),
            part=_part(text, mention),
        )
        asked.setdefault(days, one)
    return tuple(asked.values())


def _open(text: str, mention: TimeMention) -> bool:
    before, after = fold(text[: mention.start]), text[mention.end :].lstrip()
    return bool(
        _BOUND.match(after) or _BOUND_BEFORE.search(before[-24:] + (" " if before[-1:].isascii() else ""))
    )


def _part(text: str, mention: TimeMention) -> bool:
    before = fold(text[: mention.start])
    return bool(
        _PART.match(text, mention.end)
        or _PART_BEFORE.search(before[-24:] + (" " if text[mention.start - 1 : mention.start] == " " else ""))
    )


def fits(
    days: Days, asked: Sequence[AskedTime], question: str, today: date, *, several: bool
) -> AskedTime | None:
    """Return the asked time that the days of a call stand for, None when they stand for none.

    Where usage differs, each usage fits: the last 30 days with or without today, the last 3 months as whole
    months, a month that still runs up to its end or up to today, English weeks from Sunday. With several calls,
    each may be a part of what is asked.
    """
    start, end = days
    for one in asked:
        if (
            one.open
            or _same(days, one, today)
            or ((several or one.part) and one.days[0] <= start <= end <= one.days[1])
        ):
            return one
    if len(asked) > 1 and days == (min(one.days[0] for one in asked), max(one.days[1] for one in asked)):
        return asked[0]
    if len(asked) == 1 and _COMPARE.search(fold(question)):
        return next((one for one in asked for other in _compared(one) if _near(days, other, today)), None)
    return None


def _same(days: Days, one: AskedTime, today: date) -> bool:
    if _near(days, one.days, today):
        return True
    lengths = {(day[1] - day[0]).days for day in (days, one.days)}
    rolling = re.search(
        r"(?:最近|近|过去|last|past|previous)\s*(?:的)?\s*(?:[0-9一二两三四五六七八九十百半]|\w+\s+\w+s\b)",
        fold(one.surface),
    )
    if rolling and one.days[1] == today:
        return _rolling(days, one, today)
    weekly = one.grain == "week" and not is_cjk(one.surface) and lengths == {6}
    return weekly and abs((days[0] - one.days[0]).days) <= 1


def _near(days: Days, asked: Days, today: date) -> bool:
    """Return whether two stretches are the same as far as today: what comes later has not happened."""
    return days[0] == asked[0] and (
        days[1] == asked[1] or min(days[1], asked[1]) >= today >= days[0] or days[1] == today < asked[1]
    )


def _rolling(days: Days, one: AskedTime, today: date) -> bool:
    slack = 1 if one.grain in {"day", "week"} else 31
    start_near = abs((days[0] - one.days[0]).days) <= slack
    if one.grain == "day":
        return start_near and today - timedelta(days=1) <= days[1] <= today
    return start_near and today - timedelta(days=31) <= days[1] <= add_months(today, 1)


def _compared(one: AskedTime) -> list[Days]:
    """Return the stretches that one is usually compared with: the one before it, and the same a year before."""
    start, end = one.days
    whole_months = start.day == 1 and (end + timedelta(days=1)).day == 1
    months = (end.year - start.year) * 12 + end.month - start.month + 1
    before = (
        add_months(start, -months) if whole_months else start - (end - start) - timedelta(days=1),
        start - timedelta(days=1),
    )
    year = (add_months(start, -12), _month_end(end, -12) if whole_months else add_months(end, -12))
    return [before, year]


def _month_end(day: date, months: int) -> date:
    return add_months((day + timedelta(days=1)), months) - timedelta(days=1)


def same_but_year(days: Days, other: Days) -> bool:
    """Return whether two stretches begin and end on the same days of whatever years."""
    return all(
        (day.month, day.day) == (asked.month, asked.day) for day, asked in zip(days, other, strict=True)
    )


def vague(question: str) -> bool:
    """Return whether a question speaks of a time in words that are not resolved: 最近, 春节, this summer."""
    folded = _GROUPING.sub(" ", fold(question))
    return bool(_VAGUE.search(folded) or _WHOLE.search(folded))


def suggested_times(context: ValidationContext) -> list[Choice]:
    """Return stretches of time that users often mean, as the choices of a question; values are `start/end`."""
    suggested = []
    for zh, en in _SUGGESTED.items():
        start, end = asked_times(zh, context.today)[0].days
        suggested.append(Choice(value=f"{start}/{end}", label=context.say(zh, en)))
    return suggested


def earlier_times(context: ValidationContext) -> list[AskedTime]:
    """Return the times that the conversation spoke of, the latest message first."""
    texts = [str(turn.get("content", "")) for turn in reversed(context.history)]
    return [one for text in texts for one in asked_times(text, context.today)]


def continued_time(context: ValidationContext, evidence: Evidence) -> AskedTime | None:
    """Return the one time of the user's last question when this question goes on from it (那各站点呢？)."""
    if not _FOLLOW_UP.search(evidence.question):
        return None
    for turn in reversed(context.history):
        if turn.get("role") == "user" and (asked := asked_times(str(turn.get("content", "")), context.today)):
            return asked[0] if len(asked) == 1 and not asked[0].open else None
    return None
