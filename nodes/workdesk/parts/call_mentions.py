"""What the words around a call say: that it is meant, that it is explained, or that it is done."""

from __future__ import annotations

import re

_ANNOUNCES = re.compile(
    r"我(?:将|来|会|先|这就|马上|需要|要|现在|正在|打算|准备)|让我|正在|马上|接下来|首先|(?:开始|立即|现在)(?:调用|查询|执行|统计)"
    r"|(?:调用|执行)(?:工具|函数|以下|如下|如下工具|以下工具)?[:：]|工具调用|查询中|稍[等候]|(?:帮|为|给)[您你](?:查|统计|导出|获取|调用)"
    r"|\b(?:let me|let's|i['’]ll|i will|i['’]m going to|i am going to|i need to|i should|i have to|i want to|calling|executing|invoking"
    r"|running|one moment|please wait|tool call|function call|to (?:answer|get|find|retrieve|check|look) (?:this|that|the|your|up)"
    r"|first,? (?:i|we)|we need to|we will|we['’]ll|here(?: i|['’])s the (?:tool |function )?call)\b",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"用于|用来|可用于|可以[^，。\n]{0,6}(?:通过|使用|调用|用|写|试)|能够|[的之](?:格式|用法|语法|参数|签名|写法|作用|含义|意思|形式|样子)|格式[是为如]|格式[:：]"
    r"|用法|语法|示例|例如|比如|例子|譬如|举例|样例|表示|会返回|返回(?:各|每|该|指定|所有|单个|一[个条])|支持|如果|假如|若要|需要时|建议"
    r"|[您你](?:可以|可|也可|刚才|上次|之前|提到|写的|贴)|工具(?:有|包括|列表|清单)|可用的?工具|以下(?:几个)?工具|是指|的?意思是|含义|文档|签名|如何|怎[么样]"
    r"|应(?:该|当)?(?:写|用|使用|改)|不(?:会|能|要|应|需|必|再)(?:调用|使用|执行|用)?|无需|不用|没有?(?:调用|执行|必要)|并未|未调用|说明|解释|相当于|等价于|类似于"
    r"|其中|参考|教程|这个(?:工具|函数|字段|参数)|该(?:工具|函数|接口)|这[行条段句](?:代码|调用|语句)?|你指的|您指的|上(?:一)?次|之前的"
    r"|\b(?:used (?:to|for|when)|is an? (?:\w+ )?(?:tool|function|call)|you (?:can|could|may|might|would|should)|can be (?:used|called|written)|for example|for instance|e\.g\.|such as"
    r"|usage|syntax|format|signature|example|returns\b|takes\b|accepts\b|supports?\b|expects\b|if you|if you['’]d|when you|how to|documentation|docs|means?\b|refers? to|stands for"
    r"|instead of|don['’]t|do not|did not|didn['’]t|not (?:call|need|use)|available tools|tools (?:are|include)|which (?:tool|field|parameter)|looks like|equivalent|explain\w*|describes?"
    r"|would (?:call|be|look|use)|counts\b|lists\b|this (?:tool|function|call|line|field|parameter))",
    re.IGNORECASE,
)
_STRONG_EXPLAINS = re.compile(
    r"示例|例如|比如|举例|样例|用法|语法|的?格式(?:是|为|如|[:：])|含义|意思是|用于|用来|逐[项个]|解释|说明|[您你]可以|上次|之前的|等价于|相当于|没有调用|并未调用|未调用"
    r"|\b(?:for example|for instance|e\.g\.|usage|syntax|example|you (?:can|could|may)|means\b|explain\w*|is used to|used for|looks like|equivalent)",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"已|完成|成功|结果|返回|显示|共|得到|失败|\b(?:done|completed?|success\w*|returned|results?|shows?|found|failed|total|executed|called|used)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|吗[。！]?\s*$|请(?:确认|告知|提供|选择)|\b(?:do you mean|did you mean|should i|shall i|would you like|please (?:confirm|tell|provide))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")


def announces(words: str) -> bool:
    """Return whether `words` say that a call is about to be made."""
    return bool(_ANNOUNCES.search(words))


def asks(words: str) -> bool:
    """Return whether `words` ask the user something."""
    return bool(_ASKS.search(words))


def explains(words: str) -> bool:
    """Return whether `words` explain or mention a call, or ask about it, rather than make it.

    Words that announce a call outweigh weak signs of explaining, not strong ones such as 例如 or “you can”.
    """
    if _STRONG_EXPLAINS.search(words):
        return True
    if announces(words):
        return asks(words)
    return bool(_EXPLAINS.search(words)) or asks(words)


def is_meant(words: str, *, called: bool) -> bool:
    """Return whether a call with `words` around it stands for a call that should be made.

    After a tool result a reply may repeat the call that brought it: only one with nothing else to say, or one
    that announces the call, is meant then.
    """
    if explains(words):
        return False
    if not called:
        return True
    return not _REPORTS.search(words) and (announces(words) or not bare_words(words))


def bare_words(words: str) -> str:
    """Return the letters and digits of `words`, without marks and space."""
    return "".join(_WORD.findall(words))
