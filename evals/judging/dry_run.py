"""What a judgement would take before it is paid for: pairs, arms, calls, and the cost to expect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from mindatlas.evals.judging.judge import Answer, Metric
from mindatlas.evals.judging.tiers import Pair, TierSettings
from mindatlas.nodes.models import model_kind, usage_cost

CHANGED = 0.25  # share of pairs whose change calls the accurate judge, where nothing is known of it
REPLY_TOKENS = 250  # a handful of claims as JSON
_LETTERS_A_TOKEN = 4
_CJK = re.compile(r"[⺀-鿿豈-﫿＀-￯]")


def estimate(
    pairs: Sequence[Pair],
    fast: str,
    accurate: str | None,
    settings: TierSettings,
    *,
    changed: float = CHANGED,
) -> dict[str, Any]:
    """Return calls and cost, JSON-like: least, expected, most.

    Least: only what is certain, pairs without a baseline and the audit, whose draws are known. Most: every pair.
    Expected: of the remaining pairs the share `changed`. Tokens are counted roughly, a Chinese character one, four
    other characters one; a reply is taken for 250. A cost is null where the price list has no such model.

    Args:
        pairs: what is to be judged.
        fast: the name of the fast judge's model.
        accurate: of the accurate one's; None where there is none.
        settings: the rules.
        changed: the share of the other pairs that is expected to change, in [0, 1].
    """
    certain = [pair for pair in pairs if pair.baseline is None or _audited(pair, settings)]
    others = [pair for pair in pairs if not (pair.baseline is None or _audited(pair, settings))]
    per_fast, sure, rest = _spent(pairs, fast), _spent(certain, accurate), _spent(others, accurate)
    levels = {"least": 0.0, "expected": changed, "most": 1.0}
    return {
        "pairs": len(pairs),
        "arms": sum(len(pair.arms) for pair in pairs),
        "fast": {"model": fast, **_told(per_fast, fast)},
        "accurate": {"model": accurate}
        | {name: _told(_plus(sure, rest, share), accurate) for name, share in levels.items()},
        "all_accurate": _told(_plus(sure, rest, 1.0), accurate),
        "assumed": {"changed": changed, "reply_tokens": REPLY_TOKENS},
    }


def _audited(pair: Pair, settings: TierSettings) -> bool:
    return settings.audited(pair.candidate.id, pair.metric)


def _spent(pairs: Sequence[Pair], model: str | None) -> tuple[float, float]:
    """Return (calls, input tokens); rules make no calls."""
    if model is None or model_kind(model) != "chat":
        return 0.0, 0.0
    tokens = [_tokens(pair.metric, arm) for pair in pairs for arm in pair.arms if _is_asked(pair.metric, arm)]
    return float(len(tokens)), sum(tokens)


def _is_asked(metric: Metric, answer: Answer) -> bool:
    return metric != "completeness" or bool(answer.reference)


def _tokens(metric: Metric, answer: Answer) -> float:
    from mindatlas.evals.judging.chat_judge import judge_prompt  # loads the clients of chat models

    prompt = judge_prompt(metric, answer)
    wide = len(_CJK.findall(prompt))
    return wide + (len(prompt) - wide) / _LETTERS_A_TOKEN


def _plus(sure: tuple[float, float], rest: tuple[float, float], share: float) -> tuple[float, float]:
    return sure[0] + share * rest[0], sure[1] + share * rest[1]


def _told(spent: tuple[float, float], model: str | None) -> dict[str, Any]:
    calls, tokens = round(spent[0]), round(spent[1])
    if not calls or model is None:
        return {"calls": calls, "input_tokens": tokens, "cost": 0.0}
    reply = calls * REPLY_TOKENS
    usage = {"input_tokens": tokens, "output_tokens": reply, "total_tokens": tokens + reply}
    cost = usage_cost({model.partition(":")[2]: usage})["cost"]  # type: ignore[dict-item]
    return {"calls": calls, "input_tokens": tokens, "cost": cost}
