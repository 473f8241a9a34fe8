"""Pseudo calls as ReAct lines: `Action: tool` and `Action Input: …`, in English and Chinese."""

from __future__ import annotations

import re

from mindatlas.nodes.workdesk.parts.call_mentions import explains
from mindatlas.nodes.workdesk.parts.call_text import registered
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText

_ACTION = re.compile(
    r"^[ \t>#*\-_`]*(?P<label>Action|Tool(?: Name)?|Function|Tool Call|动作|行动|操作|工具|工具名称?|调用工具|使用工具|函数|调用函数)[ \t*_`]*[:：]"
    r"[ \t*_`\"'“]*(?:functions\.)?(?P<name>[A-Za-z_\u4e00-\u9fff][\w.:-]*)(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_INPUT = re.compile(
    r"(?:^|[,，;；\n])[ \t>#*\-_`]*(?:Action[ _]?Input|Tool Input|Input|Arguments?|Args|Parameters?|Params"
    r"|动作输入|行动输入|操作输入|输入参数|工具参数|输入|参数|调用参数)"
    r"[ \t*_`]*[:：][ \t*_`]*(?P<value>\S?)",
    re.IGNORECASE | re.MULTILINE,
)
_FINAL = re.compile(r"^[ \t*]*(?:Final Answer|最终答案|最终回答)[ \t*]*[:：]", re.IGNORECASE | re.MULTILINE)
_STRICT_LABELS = frozenset({"action", "动作", "行动"})


def action_lines(reply: ReplyText) -> str | None:
    """Return the `Action` line of a registered tool, else None.

    `Action` alone is enough; other labels (`Tool`, 工具) need a line of input below them. After a tool result a
    trace that comes to a final answer is none.
    """
    if not reply.names_a_tool:
        return None
    for match in _ACTION.finditer(reply.text):
        if registered(match["name"], reply.tools) is None:
            continue
        has_input = bool(_INPUT.search(reply.text, match.end("name")))
        bare = not re.search(r"\w", match["rest"]) or match["rest"].lstrip().startswith(("(", "[", "{", "（"))
        if not has_input and not (match["label"].lower() in _STRICT_LABELS and bare):
            continue
        if reply.called and (_FINAL.search(reply.text) or not has_input or _reports_first(reply, match)):
            continue
        if not explains(reply.text[: match.start()]):
            return match[0].strip()
    return None


def _reports_first(reply: ReplyText, match: re.Match[str]) -> bool:
    """Return whether the line repeats a call that was made: words of a result stand around it."""
    label = match["label"].lower()
    return label not in _STRICT_LABELS or bool(
        re.search(r"已|完成|成功|结果[:：]|返回", reply.text[: match.start()])
    )
