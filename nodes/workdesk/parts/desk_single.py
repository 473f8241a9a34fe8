"""Questions about single records: by their identifier, and the remark that may be added to one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.desk_request import DeskRequest, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText
from mindatlas.nodes.workdesk.parts.desk_vocabulary import cue, fillers, joints, records

IDENTIFIER = re.compile(r"(?<![a-z0-9])[a-z]{1,6}-?\d{6,}(?:-\d+)*(?![a-z0-9])")


def read_record(text: QuestionText, ids: Sequence[str]) -> DeskRequest:
    """Return the request for the records with these identifiers; other words may only ask about them."""
    text.take_all(records())
    text.take_all(cue("record_words"))
    text.take_all(fillers())
    nothing_left(text)
    return DeskRequest(job="record", ids=tuple(dict.fromkeys(ids)))


def read_remark(question: str) -> DeskRequest | None:
    """Return the request to add a text to one record, None when the question is none.

    Raises:
        UnreadableRequest: `remark_form` where the record or the text is missing.
    """
    folded = fold(question)
    asked = cue("remark").search(folded)
    if asked is None or re.search(r"多少|哪些|how many|which", folded[: asked.start()]):
        return None
    ids = re.findall(IDENTIFIER.pattern, question, re.IGNORECASE)
    quoted = re.search(r"[“\"「『‘'](.+)[”\"」』’']", question, re.DOTALL)
    plain = re.search(
        r"(?:备注|留言|说明|remark|note|comment)(?:一下)?(?:\s*(?:内容|为|是|说|saying|that))?\s*[:：,，]?\s*(.+)$",
        question, re.IGNORECASE | re.DOTALL,
    )  # fmt: skip
    content = (quoted or plain)[1].strip() if quoted or plain else ""  # type: ignore[index]
    content = re.sub(
        rf"^(?:to|on|给|到)?\s*(?:工单|order|ticket)?\s*{IDENTIFIER.pattern}\s*[:：,，]?\s*",
        "",
        content,
        flags=re.I,
    )
    asked_about = not quoted and re.search(r"什么|吗|有没有|[?？]$|\bwhat\b|\bwhich\b|\bany\b", content)
    if len(ids) != 1 or not content or asked_about:
        raise UnreadableRequest("remark_form")
    return DeskRequest(job="remark", ids=(ids[0],), text=content)


def nothing_left(text: QuestionText) -> None:
    """Return when all of the question was understood, words that join aside.

    Raises:
        UnreadableRequest: `unknown_words`, with the first that were not.
    """
    for start, end in text.runs():
        if joints().fullmatch(text.left[start:end].strip()):
            continue
        raise UnreadableRequest("unknown_words", text.as_written(start, end))
