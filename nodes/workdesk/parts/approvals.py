"""A call of a tool that writes is made once, and only after the user approved just this call."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from mindatlas.nodes.workdesk.parts.calls import Choice
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext, scope_of


def approval_key(draft: Draft, context: ValidationContext, before: int = 0) -> str:
    """Return what the approval of a call is kept under: this question, tool, arguments, and how often already.

    Args:
        draft: the call.
        context: the results in it count calls that were made.
        before: the same calls earlier in this plan.
    """
    made = sum(
        result["tool"] == draft.card.name and result["args"] == draft.args for result in context.results
    )
    content = json.dumps(draft.args, ensure_ascii=False, sort_keys=True, default=str)
    digest = hashlib.sha256(content.encode()).hexdigest()[:12]
    return f"approve_call:{scope_of(context)}:{draft.card.name}:{digest}:{made + before}"


def edited_args(key: str, context: ValidationContext) -> dict[str, Any] | None:
    """Return the arguments that the user put in place of the model's when asked, None when there are none."""
    answer = context.choices.get(key)
    args = answer.get("args") if isinstance(answer, Mapping) else None
    return dict(args) if isinstance(args, Mapping) else None


def ask_approval(draft: Draft, key: str, context: ValidationContext) -> None:
    """Ask the user whether a writing call may be made, unless that was said."""
    if key in context.approved:
        return
    args = json.dumps(draft.args, ensure_ascii=False)
    message = context.say(
        f"要执行 {draft.card.name} 吗？它会写入数据：{args}",
        f"Run {draft.card.name}? It writes data: {args}",
    )
    choices = [
        Choice(value="approve", label=context.say("执行", "Run it")),
        Choice(value="reject", label=context.say("不执行", "Do not run it")),
    ]
    draft.ask("approve_call", key, message, choices)
