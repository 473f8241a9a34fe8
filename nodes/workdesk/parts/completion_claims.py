"""Claims that something was done or looked up, where no tool was called at all."""

from __future__ import annotations

import re

from mindatlas.nodes.text import sentences
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText

_VERB = (
    "查询|查到|查阅|查|检索|搜索|搜|统计|汇总|计算|导出|添加|增加|新增|加上|加到|加好|备注|创建|新建|更新|修改|调整|删除|关闭|取消|提交|发送|发到|发给|分配|指派|转派|派发|派给|派单|派"
    "|生成|保存|执行|调用|运行|处理|完成|办理|安排|写入|录入|上传|下载|设置|标记|重开|撤销|获取|读取|核实|核对|催办|通知|预订|预约|退款|下单|支付|同步"
)
_ACT = "操作|任务|查询|统计|检索|导出|添加|备注|执行|调用|提交|更新|修改|调整|删除|创建|处理|派单|转派|指派|催办|退款|预订|预约|下单|支付|同步|上传|录入|发送|关闭|取消"
_CLAUSE_REST = r"[^，。！？；\n]"
_DONE_ZH = re.compile(
    rf"(?<![是为和或、“\"‘'「])已经?(?:成功|全部|顺利|都|立即|及时)?(?:地)?(?:(?:按|把|将|对|在|从|向|用|给|为|替|帮|通过|根据){_CLAUSE_REST}{{1,40}}?)?(?:成功)?(?:{_VERB})(?!的|和|、|或|与|之|状态|时|率|数|量|单数)"
    rf"|已经?[\u4e00-\u9fff]{{1,6}}(?:完成|完毕|成功|好了)(?=[，。！；\s]|$)|成功(?:地)?(?:{_VERB})了"
    rf"|(?:{_ACT})(?:已经?)?(?:成功|完成|完毕|结束)(?:了|啦)?(?=[，。！、：:\s]|$)"
    rf"|(?:帮|为|给|替)[您你]{_CLAUSE_REST}{{0,16}}?(?:(?:好|完|成|上|出)了|查到了?|找到了)|(?:已经?|都|全)(?:搞定|办好|弄好|处理好|加好|导好|查好|做好)|搞定了|办妥了"
    r"|(?:经|通过)(?:系统|后台)?(?:查询|查证|核实|检索|统计)[，,得后发]|(?:根据|从)(?:系统|后台)?(?:的)?(?:查询|检索|统计|返回|工具)(?:的|到的|返回的)?(?:结果|数据)|(?:查询|检索|统计|工具(?:调用)?|返回)(?:的)?结果(?:显示|如下|为|是|表明|[:：])"
    rf"|(?:我|系统|后台|这边)(?:刚刚|刚才|刚|这边|也|又|帮您|为您|给您|替您)*(?:查询|查|检索|搜索|搜|统计|导出|添加|提交)(?:到|了|过|完)(?:一下|一遍)?(?!吗)|我{_CLAUSE_REST}{{0,10}}(?:调用|执行|运行)(?:了|过|完)",
    re.MULTILINE,
)
_PARTICIPLE = (
    r"(?:added|appended|exported|created|updated|modified|adjusted|closed|cancell?ed|deleted|removed|queried|checked|retrieved|fetched|looked|searched|sent|submitted|assigned|reassigned|transferred|generated|saved|executed|called|run|ran|processed"
    r"|completed|found|pulled|counted|calculated|reviewed|recorded|logged|posted|scheduled|rescheduled|notified|marked|set|reopened|obtained|gathered|compiled|verified|downloaded|uploaded|written|finished|done|made|placed|booked|refunded|issued|dispatched"
    r"|escalated|emailed|e-mailed|confirmed|approved|archived|shipped|paid|charged|queued|filed|attached)"
)
_PAST = r"(?:added|exported|created|updated|modified|adjusted|closed|cancell?ed|deleted|queried|checked|retrieved|fetched|looked|searched|sent|submitted|assigned|ran|executed|called|found|pulled|booked|refunded|issued|generated|counted|saved|posted|notified|went ahead and \w+)"
_DONE_EN = re.compile(
    rf"\b(?:i|we)(?:['’]ve| have| just| already)(?: now| just| also| already| successfully| gone ahead and)*\s+{_PARTICIPLE}\b|\b(?:i|we) (?:successfully |now |also )?{_PAST}\b"
    rf"|\b(?:has|have) (?:now |just |already |all )?been (?:successfully )?{_PARTICIPLE}\b|\b(?:was|were) (?:successfully {_PARTICIPLE}|{_PARTICIPLE} successfully)|\bsuccessfully {_PARTICIPLE}\b|\b{_PARTICIPLE} successfully\b"
    r"|^(?:all )?(?:done|completed|finished|all set)\b\s*(?:[.!,:;—–-]|$)|\b(?:export|query|search|task|operation|request|update|action|note|remark|refund|booking|cancellation)(?: is| was)? (?:now )?(?:complete|completed|done|successful|finished)\b"
    r"|\b(?:according to|based on) (?:the )?(?:query|search|tool|system|returned|retrieved)(?:['’]s)? (?:results?|data|output|records)|\bthe (?:query|search|tool|system) (?:returned|shows|showed|found|reports)\b|\bmy (?:query|search|lookup) (?:returned|shows|showed|found)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_NOW = re.compile(
    r"如果|假如|若|一旦|等{_}后|(?:完成|成功|结束|关闭|导出|提交)[之以]?后|之后|以后|是否|有没有|吗[？?。]?$|[？?]|还?没有?|未|尚|不会|无法|不能|不|别|请(?!查)|可以|才能|表示|是指|例如|比如|即可|时(?:会|将)|之前|上次|上一|前面|区别|流程|收到|了解|明白|理解|您已|你已|自动"
    r"|\b(?:if|once|when|after|before|until|unless|whether|not|n['’]t|never|cannot|please|can|could|will|would|should|must|earlier|previous(?:ly)?|above|last time|means|e\.g\.|for example)\b|n['’]t\b".replace(
        "{_}", "[^，。]{0,12}"
    ),
    re.IGNORECASE,
)
_HARMLESS_NO = re.compile(r"不过|不仅|不但|不止|不错|不客气")
_CONDITION = re.compile(r"如果|假如|若|一旦|\b(?:if|once|when|after|unless)\b", re.IGNORECASE)
_LOOKS = "查|统计|调用|导出|检索|获取|处理|汇总|添加"
_WAITING = re.compile(
    rf"(?:正在|我(?:将|来|会|这就|马上|先)|让我|这就|马上|即将)[^。！？?\n]{{0,40}}(?:{_LOOKS})[^。！？?\n]{{0,60}}(?:请?稍[候等]|请等待|等一下|等我)"
    rf"|(?:稍[等候]|等一下|请等待)[^。！？?\n]{{0,10}}[，,。！]?[^？?\n]{{0,10}}(?:正在|我(?:将|来|会|这就|马上)|让我|马上)[^。！？?\n]{{0,30}}(?:{_LOOKS})"
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
        if not _NOT_NOW.search(_HARMLESS_NO.sub("", _clause(sentence, match))):
            return True
    return False


def _clause(sentence: str, match: re.Match[str]) -> str:
    """Return the clause that the match stands in, with a condition that comes right before it."""
    before = sentence[: match.start()]
    cut = max((found.end() for found in _CLAUSE.finditer(before)), default=0)
    if _CONDITION.search(before):
        cut = 0
    after = _CLAUSE.split(sentence[match.end() :], maxsplit=1)[0]
    ending = sentence.rstrip()[-1:]
    return before[cut:] + match[0] + after + (ending if ending in "?？" else "")
