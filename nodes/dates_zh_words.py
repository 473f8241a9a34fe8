"""Pieces of the Chinese time expressions: regular expressions in plain text (see `dates`), and word tables.

Look-arounds keep out the words that hold a time word by chance: 如今天气, 发明天才, 日本周边, 登上月球,
去年轻人多的店, 上周日均销量.
"""

from __future__ import annotations

import re

from mindatlas.nodes.date_patterns import Pattern, Resolve, group, number
from mindatlas.nodes.date_ranges import Clock, DateRange, Unit, current

SPACE = r"[ \t]{0,2}"
TO = rf"{SPACE}(?:--?|~|到|至){SPACE}"

NUMBER = r"(?:[0-9]{1,2}|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
NUMBER_START = r"(?<![0-9.一二两三四五六七八九十百千万几第每])(?<![0-9][-/])"

_RELATIVE = (
    r"(?:(?<![日基成根版])本|这一?个?|上上一?个?|(?<![上以海岸路早晚网楼身山马])上一?个?"
    r"|下下一?个?|(?<![下以楼脚山身])下一?个?)"
)
_OFFSETS = {
    **{"今": 0, "本": 0, "这": 0, "去": -1, "上": -1, "上上": -2, "前": -2, "大前": -3},
    **{"明": 1, "下": 1, "下下": 2, "后": 2},
}

YEAR_DIGITS = r"(?:1[0-9]|20)[0-9]{2}"
YEAR = (
    rf"(?:(?<![0-9])(?P<year>{YEAR_DIGITS}|(?:一九|二[〇零])[〇零一二三四五六七八九]{{2}})[ \t]?年"
    r"|(?P<relative_year>(?<!如)今|(?<!过)去|大前|(?<![大目之以当])前|(?<![发聪文说证表光])明|(?<![以之今然最])后"
    r"|(?<![日成版])本|(?<![以海马早晚])上一?|(?<![以楼])下一?)年(?![轻糕龄货味夜迈限纪]))(?!代|的?历史)(?:度|全年)?"
)
YEAR_IF_ANY = rf"(?:{YEAR}[的,]?{SPACE}|(?<!年)(?<!年[的 ]))"
"""A year or none; not a year that only the context tells: 同年3月, 民国三年三月."""

MONTH = rf"{NUMBER_START}(?P<month>{NUMBER}){SPACE}月份?"
MONTH_WORD = rf"(?P<relative_month>{_RELATIVE})月(?![球亮饼台色光刊经])份?"
QUARTER_WORD = rf"(?P<relative_quarter>{_RELATIVE})季度"
WEEK_WORD = rf"(?P<relative_week>{_RELATIVE})(?:周|星期|礼拜)"

WEEKDAY = r"(?P<weekday>一(?![直般定边更些样共])|[二三四五六天]|日(?![本常均元]))(?![次回趟遍圈])"
_WEEKDAYS = {char: index for index, char in enumerate("一二三四五六日")} | {"天": 6}

DAY_NUMBER = r"(?![楼线门院馆厅口站航塔厂台机床桌房室店码仓车位座铺摊柜岛路公桥井坑洞球文案令])"
"""What may follow 5号: not the things that it counts (5号楼, 2号线)."""
DAY_COUNT = r"(?![游内前后间均线营票期语报志常程历久夜用谈行以之])"
"""What may follow 5日: nothing that makes it five days (5日游, 3日内)."""

DAY_WORDS = {
    **{
        "今天": 0,
        "今日": 0,
        "今早": 0,
        "今晚": 0,
        "昨天": -1,
        "昨日": -1,
        "昨晚": -1,
        "前天": -2,
        "大前天": -3,
    },
    **{"明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3},
}
DAY_WORD = (
    r"(?P<word>(?<![如当现])今[天日](?!头条)|[今昨明]晚(?![期报会])|(?<![发聪文说证表透光黎不])明(?:天(?!皇)|日(?![后本])|早)|今早|昨[天日]"
    r"|大前天|(?<![大目之以眼当日])前天|大后天|(?<![大以之今然最先随午雨前])后天(?!性))"
)

UNITS: dict[str, Unit] = {
    **{"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week"},
    **{"月": "month", "季度": "quarter", "年": "year"},
}

FEASTS = {
    **{
        "元旦": (1, 1),
        "情人节": (2, 14),
        "妇女节": (3, 8),
        "五一": (5, 1),
        "劳动节": (5, 1),
        "儿童节": (6, 1),
    },
    **{"教师节": (9, 10), "国庆": (10, 1), "双十一": (11, 11), "双11": (11, 11), "圣诞": (12, 25)},
}
FEAST = (
    r"(?:(?P<feast>元旦|情人节|妇女节|劳动节|儿童节(?!目)|教师节|双十一|双11(?![0-9])|圣诞(?![老树帽歌岛])"
    r"|(?<![0-9一二三四五六七八九十周期拜])五一(?![路街广村大镇公小中桥站口商起])"
    r"|(?<![李王张刘陈杨赵黄吴徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾])国庆(?![路街村]))节?)"
)
MOVING_FEAST = (
    r"(?:春节|除夕|元宵|清明|端午|中秋|重阳|七夕|腊八|正月|腊月|年初[一二三四五六七八九十]|[春夏秋冬][天季])"
)
LUNAR_DAY = (
    rf"{NUMBER_START}(?:(?:三月三|五月五|七月七|九月九|八月十五)(?![日号十一二三四五六七八九个])"
    r"|[一二三四五六七八九十]{1,2}月初[一二三四五六七八九十])"
)


def chinese(
    name: str, regex: str, resolve: Resolve, *, floating: bool = False, spans: bool = False
) -> Pattern:
    """Return the compiled pattern."""
    return Pattern(name=name, regex=re.compile(regex), resolve=resolve, floating=floating, spans=spans)


def year_of(match: re.Match[str], clock: Clock) -> int | None:
    """Return the year that the match names, None when it names none."""
    if written := group(match, "year"):
        return number(written)
    relative = group(match, "relative_year")
    return clock.today.year + _offset(relative) if relative else None


def unit_of(match: re.Match[str], unit: Unit, clock: Clock) -> DateRange:
    """Return the week, month or quarter that a word like 本周 or 上个月 in the match stands for."""
    return current(unit, _offset(match[f"relative_{unit}"]), clock.today)


def weekday_of(match: re.Match[str]) -> int:
    """Return the weekday in the match, 0 for Monday."""
    return _WEEKDAYS[match["weekday"]]


def _offset(words: str) -> int:
    return _OFFSETS[words.replace("一", "").replace("个", "")]
