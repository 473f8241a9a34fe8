"""Claims that something was done or looked up, where no tool was called at all."""

from __future__ import annotations

import re

from mindatlas.nodes.text import sentences
from mindatlas.nodes.workdesk.parts.check_patterns import any_of
from mindatlas.nodes.workdesk.parts.reply_text import ReplyText

_DONE_ZH = any_of("done_zh", re.IGNORECASE | re.MULTILINE)
_DONE_EN = any_of("done_en", re.IGNORECASE | re.MULTILINE)
_NOT_NOW = any_of("not_done")
_HARMLESS_NO = re.compile(r"不过|不仅|不但|不止|不错|不客气")
_CONDITION = re.compile(r"如果|假如|若|一旦|\b(?:if|once|when|after|unless)\b", re.IGNORECASE)
_WAITING = any_of("waiting")
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
