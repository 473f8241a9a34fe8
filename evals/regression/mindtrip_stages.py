"""The stages of MindTrip: exclusion, conditions, legs, fusion, rerank, evidence, answer; the first that differs is the cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.files import digest

Trace = Mapping[str, Any]


def trace_of(case: Case, output: Mapping[str, Any]) -> dict[str, Any]:
    """Return what each stage did; the legs' ranks of expected and used passages only, answers by digest."""
    used = [passage["id"] for passage in output["passages"]]
    told = {*case.expected_context, *used}
    hits = output.get("hits") or []
    return {
        "excluded": list(output["exclude_entities"]),
        "filters": output["filters"],
        "legs": {hit["id"]: hit["ranks"] for hit in hits if hit["id"] in told},
        "candidates": list(output["candidates"]),
        "ranking": [entry["id"] for entry in output.get("ranking") or []],
        "used": used,
        "stop_reason": output["stop_reason"],
        "answer": digest(output["answer"])[:12],
    }


def cause_of(before: Trace, after: Trace) -> str:
    """Return the first stage that explains why `after` differs from `before`, in words."""
    stages: tuple[Callable[[Trace, Trace], str], ...]
    stages = (_exclusion, _conditions, _legs, _fusion, _rerank, _evidence, _answer)
    found = (stage(before, after) for stage in stages)
    return next(filter(None, found), "no stage recorded a difference: the case or a measure changed")


def _exclusion(before: Trace, after: Trace) -> str:
    if before["excluded"] == after["excluded"]:
        return ""
    return f"exclusion: read as {_names(after['excluded'])}, before as {_names(before['excluded'])}"


def _conditions(before: Trace, after: Trace) -> str:
    if before["filters"] == after["filters"]:
        return ""
    return f"conditions: {after['filters'] or 'none'}, before {before['filters'] or 'none'}"


def _legs(before: Trace, after: Trace) -> str:
    """Return the leg whose rank of a passage that is no longer used fell most, where fusion moved it too."""
    falls = [
        (_place(new) - _place(old), leg, passage, old, new)
        for passage in _lost(before, after)
        if _rank(after["candidates"], passage) != _rank(before["candidates"], passage)
        for leg, old in before["legs"].get(passage, {}).items()
        for new in (after["legs"].get(passage, {}).get(leg),)
        if passage in after["legs"]
    ]
    fall, leg, passage, old, new = max(falls, default=(0, "", "", None, None))
    return f"leg ranks: the {leg} leg moved {passage} from {old} to {new or 'none'}" if fall > 0 else ""


def _fusion(before: Trace, after: Trace) -> str:
    for passage in _lost(before, after):
        old, new = _rank(before["candidates"], passage), _rank(after["candidates"], passage)
        if old is not None and new is None:
            return f"retrieval: {passage} is no longer among the candidates, before {old}"
    return ""


def _rerank(before: Trace, after: Trace) -> str:
    moved = [(passage, *_both(before, after, passage, "ranking")) for passage in _lost(before, after)]
    down = [(new - old, passage, old, new) for passage, old, new in moved if old and new and new > old]
    if down:
        _, passage, old, new = max(down)
        return f"rerank: the reranker moved {passage} from {old} to {new}"
    return ""


def _evidence(before: Trace, after: Trace) -> str:
    lost, gained = _lost(before, after), _lost(after, before)
    parts = [f"no longer used: {', '.join(lost)}"] if lost else []
    parts += [f"now used: {', '.join(gained)}"] if gained else []
    return f"evidence: {'; '.join(parts)}" if parts else ""


def _answer(before: Trace, after: Trace) -> str:
    if before["stop_reason"] != after["stop_reason"]:
        return f"answer: ended with {after['stop_reason']}, before {before['stop_reason']}"
    if before["used"] != after["used"]:
        return f"rerank: the passages used changed places: {', '.join(after['used'])}"
    return "answer: its text changed, from the same passages" if before["answer"] != after["answer"] else ""


def _lost(before: Trace, after: Trace) -> list[str]:
    return [passage for passage in before["used"] if passage not in after["used"]]


def _both(before: Trace, after: Trace, passage: str, stage: str) -> tuple[int | None, int | None]:
    return _rank(before[stage], passage), _rank(after[stage], passage)


def _rank(ids: Sequence[str], passage: str) -> int | None:
    return ids.index(passage) + 1 if passage in ids else None


def _place(rank: int | None) -> int:
    return 1_000 if rank is None else rank


def _names(names: Sequence[str]) -> str:
    return "、".join(names) or "none"
