"""Cues behind their names: X除外, X之外, X就算了, X就不用推荐了, X我不想去."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_before_zh import names_before
from mindatlas.nodes.mindtrip.parts.negation_clauses import Clause, QuestionView, excluding
from mindatlas.nodes.mindtrip.parts.negation_kinds_zh import CITY, HERE
from mindatlas.nodes.mindtrip.parts.negation_words import either

WHO = either(
    "我们?(?:俩|几个|全家|一家)?|咱们?|一家人|全家",
    "我?(?:家人|爸妈|父母|妈妈?|爸爸?|老婆|老公|孩子|女儿|儿子|男朋友|女朋友|爷爷|奶奶)|我家",
)
WHEN = either(
    "已经?|早就?|曾经?|刚刚?|刚才|上次|上回|上个?[周月]|之前|以前|昨[天晚]|前天|前几天|今[天早]|去年"
    "|前年|上午|早上",
    "小时候|这次|每次|经常|老是?|总",
)
ADVERBS = (
    either(
        f"[带陪跟和与]?着?{WHO}(?:一起|一块)?",
        WHEN,
        "就|也|(?<![成首新昌])都|全|先|暂时|可以|请|那就|的话|[那这][边里儿]的?",
    )
    + "{0,6}"
)
NEXT = rf"\s?(?:$|[,。!;:\n()~…—、]|\.(?=\s|$)|推荐|还|有|换|给|请|我|想|帮|都|其[他它]|别的|{CITY}|{HERE})"

_PARTICLES = "(?:的话|[了吧啦哈哦呀啊])*"
_ATTACHED = re.compile(rf"除外{_PARTICLES}(?={NEXT}|\?)|(?P<inside>[之以]外的?)")
_FINAL = re.compile(
    ADVERBS
    + either(
        "算了|免了|拉倒|pass掉?|不行|没(?:有|什么|啥)?兴趣|无感|排除(?:掉|在外)?|跳过|略过|除去|去掉"
        "|划掉|拉黑|忽略",
        "不(?:用|必|需要|(?:太|怎么)?想|打算|准备|愿意)再?(?:推荐|介绍|安排|去|考虑|列|提|说|吃|看|玩|逛"
        "|住|要|喝|爬)?",
        "(?<!要)不要|(?<!去)不去|不再?(?:吃|看|玩|逛|住|考虑|选|算|推荐|包括|包含|含|喜欢|感兴趣)|(?:先"
        "|暂且)?不[提说谈]",
        "(?:别|(?<!要)不要|请?勿)再?(?:给我)?(?:推荐|去|安排|考虑|提|列|说|放进?|算|选)(?:进去|进来)?",
        "不在(?:考虑|推荐)?(?:范围|之列|名单|清单|计划)(?:内|里|之内)?",
    )
    + rf"(?:在内)?{_PARTICLES}(?={NEXT}|\?)"
)
_ASKED = re.compile("为[什啥何]|怎么|干嘛|凭什么|是不是|要不要|能不能")


def behind(view: QuestionView) -> Iterator[Clause]:
    """Yield the cues that stand behind their names."""
    for cue in _ATTACHED.finditer(view.masked):
        yield from refused_before(view, cue, inside=bool(cue.group("inside")))
    for cue in _FINAL.finditer(view.masked):
        yield from refused_before(view, cue)


def refused_before(view: QuestionView, cue: re.Match[str], *, inside: bool = False) -> Iterator[Clause]:
    """Yield the clause of the names before `cue`, unless the part asks (为什么日月湾不推荐)."""
    if not inside and _ASKED.search(view.masked, view.part_start(cue.start()), cue.start()):
        return
    found = names_before(view, cue.start(), whole="都" in cue.group() or "全" in cue.group(), inside=inside)
    if found and (found[0].names or found[0].attributes):
        yield excluding(found[0], found[1], cue.end())
