"""Sentences that say there is nothing, and whether they say it of everything or of a part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindatlas.nodes.text import fold, sentences


class Negation(NamedTuple):
    """A “none”: the sentence, folded, and what it names besides data and time; empty when it names nothing."""

    sentence: str
    about: str


_HINTS = (
    *"没沒无無未空零不",
    "no",
    "No",
    "NO",
    "n't",
    "n’t",
    "N'T",
    "cannot",
    "Cannot",
    "nable",
    "ail",
    "mpty",
    "ero",
    "ound",
)
_LONE_ZERO = re.compile(r"0(?<![\d.]0)(?![\d.])")
"""What every sentence that says none holds; most sentences need no closer look."""

_NOUN_ZH = "数据|工单|单子|订单|记录|结果|信息|内容|条目|明细|情况|资料|任务|匹配项|匹配|班组|团队|人员|员工|站点|类型|状态|条|单|项|个|匹配的|统计值|数值|返回值|行"
_FIND = "查询|查找|查阅|查|找|检索|搜索|搜|发现|获取|获得|匹配|看|返回|收|读取|得|拿|统计|列出|显示"
_NOT = "没有?能?够?|未能?|无法|没法|不能|并未|并没有|暂未|未曾|尚未|均未|都没有?"
_OBJECT = r"(?P<object>[^，,。；;！!?？\n]*)"
_FINDS_NONE_ZH = re.compile(
    rf"(?:{_NOT})(?:成功)?(?:为您|帮您|给您)?(?:[从在][^，,。；;\n]{{0,16}}?)?(?:{_FIND})(?:不)?(?:到|见|出|得)?{_OBJECT}"
)
_CANNOT_FIND_ZH = re.compile(rf"(?:{_FIND})不(?:到|出|着){_OBJECT}")
_NO_NOUN_ZH = re.compile(
    rf"(?:暂时没有|暂没有|没有|暂无|并无|查无|均无|尚无|未有|不存在|无|没|缺乏|缺少)(?P<object>[^，,。；;！!?？\n]{{0,30}}?(?:{_NOUN_ZH})(?:可[^，,。；;\n]{{0,6}}|存在|返回|产生|生成|发生|出现|了|哦|呢|呀|啊|信息|记录|数据)?)(?=[，,。；;！!?？\n）)~]|$)"
)
_BARE_ZH = re.compile(
    r"^(?:抱歉|很抱歉|非常抱歉|对不起|不好意思|您好|经查询|查询后)?[，,：: ]*(?:都|全部|目前|暂时)?(?P<object>)(?:没有|无|暂无|没找到|没查到|查无此单|空的?)(?:了|哦|呢)?[。！! ]*$"
    r"|(?:一[个条单件张][^，。]{0,6}|什么|任何[^，。]{0,6})(?:也|都)?没(?:有|找到|查到)(?:查到|找到)?|(?:结果|列表|数据|返回|记录|内容)(?:集)?(?:均|都|全)?(?:为|是)空|空(?:的)?(?:结果|列表|数据集)|返回(?:了)?空"
    rf"|(?:{_NOUN_ZH})(?:并|均|都)?(?:不存在|没有(?=[，,。！!]|$))"
)
_ZERO_ZH = re.compile(
    r"(?:共|总共|一共|总计|合计|数量|总数|总量|数|结果|有|为|是|到|了)[^，,。0-9]{0,6}(?<![\d.])(?:0|零)\s*(?:条|个|单|件|张|笔|项|份|起)?(?![\d.%:：-])(?P<object>[^，,。；;\n]*)"
)
_QUALIFIED_ZH = re.compile(
    "其他|其它|其余|另外|另有|别的|更多|额外|新(?!增)|剩余|剩下|进一步|逾期|超期|超时|紧急|加急|高优|优先|未完成|完成|取消|关闭|处理中|进行中|待处理|待派|未派|未分配|重开|转派|退回|异常|失败|重复"
    "|超过|大于|小于|低于|高于|以上|以下|少于|多于|同时|除|以外|之外|只有|仅|部分|个别|有些|某些|并非|不是|可能|也许|或许|似乎|应该|详细|具体|原因|备注|字段|电话|地址|负责|权限|明确|直接|足够|变化|差异|问题|风险|影响"
    "|必要|关系|区别|评价|附件|照片|历史|下一页|后续|随后|再|满意|投诉|第[一二三四五六七八九十0-9]|晚于|早于|之前|之后|以前|以后|夜间|周末|凌晨|连续|环比|同比|最"
)
_POSITIVE_ZH = re.compile(
    r"(?<!没)(?<!没有)(?<!未)(?<!未能)(?<!无法)(?<!没能)(?:查询到|查到了?|找到了?)(?!任何|相关|符合)[^，。]{0,4}(?:以下|如下|这些|几|多|部分|\d|[一二三四五六七八九十])|如下|以下[是为]|分别|其中|有的|也有|主要是|包括|集中在|只有|仅有"
)
_UNSURE_ZH = re.compile(
    r"如果|假如|若|一旦|是否|可能|也许|或许|时[，,]?(?:会|将|则|就)|则|[?？]|吗$|为什么|例如|比如|的话|表示|代表|意味|才"
)
_NEUTRAL_ZH = re.compile(
    r"抱歉|很遗憾|遗憾|不好意思|对不起|非常|您好|你好|经过|经|根据|按照|您|你|我们|我|所|想|要|需要|提供|给出|给定|指定|输入|请求|系统|数据库|中|里|内|目前|当前|现在|暂时|确实|这边|这里|该|此|这个?|那个?|本"
    r"|任何|相关|有关|对应|相应|相匹配|匹配|符合|满足|条件|要求|筛选|范围|时间段?|时间|期间|时段|日期|查询|检索|搜索|查找|查|到|的|了|与|和|关于|在|于|是|有|可用|有效|可|展示|显示|统计|存在|返回|具体时间|一[条个单]"
    r"|上个?月|本月|这个?月|下个?月|上周|本周|这周|今天|昨天|前天|今日|昨日|今年|去年|前年|本年|季度|[一二三四]季|上半年|下半年|最近|近|过去|以来|至今|截至|截止|到|从|至|起|止|之间|之?间|全天|当[天日月周年]|整[个月年]|月份?"
    rf"|{_NOUN_ZH}|[0-9０-９年月日号天周时分秒点:：~\-—/.%]+|[\s“”\"'‘’（）()《》【】,，。、：:!！*_`#|~]+|创建|新增|时|都|均|也|并|呢|哦|内|上|下|个"
)
_NOUN_EN = r"(?:data|orders?|work ?orders?|tickets?|records?|results?|information|info|entries|entry|items?|rows?|match(?:es|ing)?|tasks?|teams?|people|staff|sites?|anything|any|one|such|cases?|figures?|counts?|output|content|reservations?|flights?|history)"
_NONE_EN = re.compile(
    rf"\b(?:could not|couldn['’]t|cannot|can['’]t|can not|unable to|not able to|did not|didn['’]t|do not|don['’]t|does not|doesn['’]t|haven['’]t|have not|failed to|wasn['’]t able to|was not able to)\s+(?:\w+ly )?"
    rf"(?:find|found|locate|see|retrieve|identify|get|have|detect|return|show|obtain|pull up|come across|contain|include|yield)\b(?P<a>[^.!?\n]*)"
    rf"|\bthere(?:['’]s| is| are| was| were| exists?| appears? to be| seem to be)? (?:currently |actually |simply )?(?:no|not any|n['’]t any)\b(?P<b>[^.!?\n]*)|\bthere (?:aren['’]t|isn['’]t|weren['’]t|wasn['’]t) (?:any|a)\b(?P<c>[^.!?\n]*)"
    rf"|\bno (?:\w+[ -]){{0,5}}?{_NOUN_EN}\b(?P<d>[^.!?\n]*)|\bno (?:\w+[ -]){{1,5}}?(?:(?:was|were|is|are|has been|have been|could be) (?:\w+ )?(?:found|available|returned|recorded|located)|found|exists?)\b(?P<m>[^.!?\n]*)|\b(?:returned|yielded|produced|gave|found|shows?|showed|got|contains?|came back with) (?:no|zero|0|nothing|an empty|none)\b(?P<e>[^.!?\n]*)"
    rf"|\bnothing (?:was |has been |came |turned |is |matches|matched)?(?:found|up|returned|matching|available|there)?\b(?P<f>[^.!?\n]*)|\bcame (?:up|back) empty(?P<g>[^.!?\n]*)|\bnone (?:was |were |have been |could be )?(?:found|available|exist\w*|match\w*|returned)?(?P<h>[^.!?\n]*)"
    rf"|\b(?:results?|list|data ?set|response|data|output|record|report|table|query|search|set)s? (?:is|are|was|were|came back|seems?|appears? to be) empty(?P<i>[^.!?\n]*)|\bempty (?:results?|list|response|set)(?P<j>[^.!?\n]*)|\b(?:zero|0) {_NOUN_EN}(?P<k>[^.!?\n]*)|\b(?:not found|does(?:n['’]t| not) exist|do(?:n['’]t| not) exist)(?P<l>[^.!?\n]*)",
    re.IGNORECASE,
)
_QUALIFIED_EN = re.compile(
    r"\b(?:others?|another|more|additional|further|else|overdue|late|urgent|open|closed|finished|completed|cancell?ed|pending|unassigned|remaining|newer|new|both|within|under|below|above|over|less than|at least|except|besides|apart from"
    r"|other than|beyond|only|some|few|most|not all|might|may|perhaps|possibly|seems?|that (?:route|site|team|one|type|person|status|engineer)|those|details?|reasons?|issues?|problems?|errors?|changes?|access|permission|need|doubt|priority|assigned"
    r"|duplicates?|transfers?|reopen\w*|remarks?|comments?|cheaper|direct|longer|same|with the (?:status|type)|of (?:that|this) (?:type|kind)|exact|next page|breakdown|specific|phone|reply|worries|idea|longer than|earlier|later|weekend|night)\b",
    re.IGNORECASE,
)
_POSITIVE_EN = re.compile(
    r"\b(?:here (?:is|are)|as follows|the following|including|of which|namely|respectively|i (?:did )?found (?!no\b|nothing|none|zero|any)|however,? there (?:is|are) (?!no))\b",
    re.IGNORECASE,
)
_UNSURE_EN = re.compile(
    r"\b(?:if|unless|when|whether|in case|once|would|may|might|perhaps|possibly|means|should)\b|\?",
    re.IGNORECASE,
)
_ABOUT_EN = re.compile(
    r"\b(?:for|from|to|at|by|of|on|in|named|called|about|regarding|with|belonging to|under)\s+(?P<what>[^,;]+)",
    re.IGNORECASE,
)
_NEUTRAL_EN = re.compile(
    r"\b(?:for|from|to|at|by|of|on|in|with|and|or|the|a|an|your|our|my|this|that|these|given|specified|selected|requested|provided|chosen|query|search|request|question|criteria|conditions?|filters?|parameters?|period|time|range|dates?|month|week|year|quarter"
    r"|day|last|past|previous|current|today|yesterday|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|q[1-4]|system|database|records?|results?|tool|it|all|any|each|you|asked"
    r"|match\w*|found|available|between|since|until|during|about|frame|window|moment|response|data|orders?|work|tickets?|created|that|which|i|could|was|were|be|is|are|result|unfortunately|sorry|right|now|days?|months?|weeks?|years?|interval|returned|here|there|share|show)\b|[\d\W_]+",
    re.IGNORECASE,
)


def find_negations(text: str) -> Iterator[Negation]:
    """Yield the sentences of `text` that say, of all data, that there are none.

    Not among them: what is hedged, conditional or asked, what names an attribute (没有逾期的工单, “no other
    orders”), and the finding that something bad is absent (未发现异常). A text that also presents findings says
    none of a part only.
    """
    if not _hints_at_none(text):
        return
    found = [negation for sentence in sentences(text) if (negation := _negation(sentence))]
    if found and not (_POSITIVE_EN.search(text) or _POSITIVE_ZH.search(fold(text))):
        yield from found


def _hints_at_none(text: str) -> bool:
    return any(hint in text for hint in _HINTS) or bool(_LONE_ZERO.search(text))


def _negation(sentence: str) -> Negation | None:
    if not _hints_at_none(sentence):
        return None
    folded = fold(sentence)
    about = _about_zh(folded)
    about = _about_en(folded) if about is None else about
    return None if about is None else Negation(folded, about)


def _about_zh(folded: str) -> str | None:
    if _UNSURE_ZH.search(folded) or _QUALIFIED_ZH.search(folded):
        return None
    for pattern in (_FINDS_NONE_ZH, _CANNOT_FIND_ZH, _NO_NOUN_ZH, _ZERO_ZH, _BARE_ZH):
        match = pattern.search(folded)
        if match and (
            pattern is not _NO_NOUN_ZH or not folded[max(0, match.start() - 1) :].startswith(("是无", "有无"))
        ):
            named = match.groupdict().get("object") or ""
            return _NEUTRAL_ZH.sub("", folded[: match.start()]) + _NEUTRAL_ZH.sub("", named)
    return None


def _about_en(folded: str) -> str | None:
    match = _NONE_EN.search(folded)
    if not match or _UNSURE_EN.search(folded) or _QUALIFIED_EN.search(folded):
        return None
    rest = next((part for part in match.groups() if part is not None), "")
    if not re.search(
        rf"{_NOUN_EN}|nothing|empty|none|found|available|exist|returned", match[0]
    ) and re.search(r"\w", rest):
        return None
    named = _ABOUT_EN.search(rest)
    return _NEUTRAL_EN.sub("", named["what"]) if named else ""
