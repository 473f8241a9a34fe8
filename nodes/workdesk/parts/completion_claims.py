"""Claims that something was done or looked up, where no tool was called at all."""

from __future__ import annotations

import re

from mindatlas.nodes.text import sentences
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText

_VERB = (
    "查询|查到|查阅|查|检索|搜索|搜|统计|汇总|计算|导出|添加|增加|新增|加上|备注|创建|新建|更新|修改|删除|关闭|取消|提交|发送|分配|指派|转派|派发|派"
    "|生成|保存|执行|调用|运行|处理|完成|办理|安排|登记|记录|写入|上传|下载|设置|标记|重开|撤销|获取|读取|核实|核对|确认|检查|催办|通知"
)
_DONE_ZH = re.compile(
    rf"已经?(?:为|帮|给|替)(?:您|你|用户)?(?:成功|顺利)?[^，。！？\n]{{0,20}}?(?:{_VERB})|(?:我|系统|工具)(?:这边)?(?:刚刚|刚才|刚)?已经?(?:成功)?(?:把|将|对|在|为|通过|使用|用|从|向|按)?[^，。！？\n]{{0,20}}?(?:{_VERB})"
    rf"|已(?:经)?成功(?:地)?(?:[将把][^，。！？\n]{{1,40}}|[^，。！？\n]{{0,8}})?(?:{_VERB})|已(?:经)?[\u4e00-\u9fff]{{1,6}}(?:完成|完毕|成功|好了)(?=[，。！；\s]|$)|成功(?:地)?(?:{_VERB})了|已(?:经)?(?:把|将)[^，。！？\n]{{1,40}}(?:{_VERB})"
    rf"|(?:备注|导出|文件|报表|表格|添加|操作|任务|查询|统计|检索|调用|请求|执行|提交|更新|修改|删除|创建)(?:内容)?(?:都|均)?(?:已经?|全部)(?:成功)?(?:为您)?(?:{_VERB})"
    r"|(?:操作|任务|查询|统计|检索|导出|添加|备注|执行|调用|提交|更新|修改|删除|创建|处理)(?:已经?)?(?:成功|完成|完毕|结束)(?:了|啦)?(?=[，。！、：:\s]|$)"
    r"|(?:帮|为|给|替)[您你][^，。！？\n]{0,16}?(?:好|完|到|成|上|出)了|(?:已经?|都)(?:搞定|办好|弄好|处理好|加好|导好|查好|做好)|搞定了|办妥了"
    r"|(?:经|通过)(?:系统)?(?:查询|查证|核实|检索|统计)[，,得后发]|(?:根据|从)(?:系统)?(?:的)?(?:查询|检索|统计|返回|工具)(?:的|到的|返回的)?(?:结果|数据)|(?:查询|检索|统计|工具(?:调用)?|返回)(?:的)?结果(?:显示|如下|为|是|表明|[:：])"
    r"|(?:我|系统)(?:刚刚|刚才|这边)?(?:查询|查|检索|搜索|统计)(?:到|了|过|完)(?!吗)|^(?:好的?[，,！!。]?)?(?:任务|操作|全部|均)?已(?:经)?(?:全部)?(?:完成|搞定|处理)(?:了|完毕)?[。！!]?$"
    r"|(?:我|系统)[^，。！？\n]{0,10}(?:调用|执行|运行)(?:了|过|完)|^已(?:查询|查到|导出|添加|备注|创建|更新|修改|删除|关闭|取消|提交|发送|分配|转派|派发|生成|保存|执行|调用|登记|记录|统计|汇总|通知|催办)(?!的)",
    re.MULTILINE,
)
_PARTICIPLE = (
    r"(?:added|appended|exported|created|updated|modified|closed|cancell?ed|deleted|removed|queried|checked|retrieved|fetched|looked|searched|sent|submitted|assigned"
    r"|reassigned|transferred|generated|saved|executed|called|run|ran|processed|completed|found|pulled|counted|calculated|reviewed|recorded|logged|posted|scheduled|notified|marked|set|reopened|gone ahead|obtained|gathered|compiled|verified|downloaded|uploaded|written|finished|done|made|placed|left)"
)
_DONE_EN = re.compile(
    rf"\b(?:i|we)(?:['’]ve| have| just| already)(?: now| just| also| already| successfully)*\s+{_PARTICIPLE}\b"
    rf"|\bi (?:successfully )?(?:added|exported|created|updated|modified|closed|deleted|queried|checked|retrieved|fetched|looked (?:up|into)|searched|sent|submitted|assigned|ran|executed|called|found|pulled)\b"
    rf"|\b(?:has|have) (?:now |just |already )?been (?:successfully )?{_PARTICIPLE}\b|\b(?:was|were) (?:successfully {_PARTICIPLE}|{_PARTICIPLE} successfully)"
    rf"|\bsuccessfully {_PARTICIPLE}\b|\b{_PARTICIPLE} successfully\b"
    r"|^(?:all )?(?:done|completed|finished|all set)\b\s*(?:[.!,:;—–-]|$)|\b(?:export|query|search|task|operation|request|update|action|note|remark)(?: is| was)? (?:complete|completed|done|successful|finished)\b"
    r"|\b(?:according to|based on) (?:the )?(?:query|search|tool|system|returned|retrieved)(?:['’]s)? (?:results?|data|output|records)|\bthe (?:query|search|tool|system) (?:returned|shows|showed|found|reports)\b|\bmy (?:query|search|lookup) (?:returned|shows|showed|found)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_NOW = re.compile(
    r"如果|假如|若|一旦|等[^，。]{0,12}(?:后|再)|后[，,]?我?(?:会|将|再|即)|之后|以后|是否|有没有|吗[？?。]?$|[？?]|还?没有?|未|尚|不会|无法|不能|不|别|请|需要|可以|才能|表示|是指|例如|比如|即可|时(?:会|将)|刚才(?:的|查)|之前|上次|上一|前面"
    r"|\b(?:if|once|when|after|before|until|unless|whether|not|n['’]t|never|cannot|please|can|could|will|would|should|must|earlier|previous(?:ly)?|above|last time|means|e\.g\.|for example)\b",
    re.IGNORECASE,
)
_NOT_BEFORE = re.compile(r"不过|不仅|不但|不止|不错|不客气")
_WAITING = re.compile(
    r"(?:正在|我(?:将|来|会|这就|马上|先)|让我|这就|马上|即将)[^。！？?\n]{0,40}(?:查|统计|调用|导出|检索|获取|处理|汇总|添加)[^。！？?\n]{0,60}(?:请?稍[候等]|请等待|等一下|等我)"
    r"|(?:稍[等候]|等一下|请等待)[^。！？?\n]{0,10}[，,。！][^？?\n]{0,10}(?:正在|我(?:将|来|会|这就|马上)|让我|马上)[^。！？?\n]{0,30}(?:查|统计|调用|导出|检索|获取|处理|汇总|添加)"
    r"|\b(?:let me|i['’]ll|i will|i['’]m|i am|now)\b[^.!?\n]{0,80}\b(?:check|query|look|fetch|retriev|pull|count|search|export|call|run)\w*[^!?\n]{0,80}\b(?:one moment|please wait|hold on|just a (?:moment|second|sec)|bear with me|give me a (?:moment|second))\b"
    r"|\b(?:one moment|please wait|hold on|just a (?:moment|second|sec))\b[^!?\n]{0,40}\b(?:let me|i['’]ll|i will|while i|i['’]m|i am)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[，,；;]")


def completion_claim(reply: ReplyText) -> str | None:
    """Return the sentence that claims a completed call, or a call under way, where none was made; else None.

    What a status means (状态 3 表示已完成), a condition, a question, a refusal and a plan claim nothing.
    """
    if reply.called:
        return None
    for sentence in sentences(reply.text):
        if _claims(sentence):
            return sentence
    found = _WAITING.search(reply.text)
    return found[0] if found and "?" not in reply.text and "？" not in reply.text else None


def _claims(sentence: str) -> bool:
    for match in (*_DONE_ZH.finditer(sentence), *_DONE_EN.finditer(sentence)):
        if not _NOT_NOW.search(_NOT_BEFORE.sub("", _clause(sentence, match))):
            return True
    return False


def _clause(sentence: str, match: re.Match[str]) -> str:
    """Return the clause that the match stands in, with a condition that comes right before it."""
    before = sentence[: match.start()]
    cut = max((found.end() for found in _CLAUSE.finditer(before)), default=0)
    if re.search(r"如果|假如|若|一旦|\b(?:if|once|when|after|unless)\b", before, re.IGNORECASE):
        cut = 0
    after = _CLAUSE.split(sentence[match.end() :], maxsplit=1)[0]
    ending = sentence.rstrip()[-1:]
    return before[cut:] + match[0] + after + (ending if ending in "?？" else "")
