"""The sentences that MindTrip adds around an answer, in the language of the question."""

from __future__ import annotations

from collections.abc import Sequence


def answer_notes(language: str, excluded: Sequence[str], *, volatile: bool) -> list[str]:
    """Return the notes below an answer: how the exclusion was read, and that prices and hours change."""
    notes = []
    if excluded:
        names = "、".join(excluded) if language == "zh" else ", ".join(excluded)
        notes.append(
            f"（已按您的要求排除：{names}）" if language == "zh" else f"(Left out, as you asked: {names})"
        )
    if volatile:
        notes.append(
            "（价格和时间可能有变，出发前请再核实）"
            if language == "zh"
            else "(Prices and hours change: check before you go)"
        )
    return notes


def no_sentence(language: str) -> str:
    """Return what is said when no sentence may be quoted."""
    return (
        "资料里没有可以直接引用的句子。"
        if language == "zh"
        else "No sentence of the passages can be quoted for this."
    )


def refusal(language: str, reason: str, aside: Sequence[str]) -> str:
    """Return the refusal for `exclusion_left_nothing` (naming what was set aside) or `nothing_supported`."""
    if reason == "exclusion_left_nothing":
        if language == "zh":
            names = "、".join(aside)
            return (
                f"排除{names}之后，资料里没有其他符合的内容。如果可以不排除，请说“也包括{aside[0]}”再问一次。"
            )
        names = ", ".join(aside)
        return f"Nothing else fits once {names} is left out. To lift that, ask again and say “also include {aside[0]}”."
    if language == "zh":
        return "资料里没有能支持回答的内容。可以换个说法、放宽条件，或用 mindatlas ingest 加入相关资料。"
    return "Nothing in the knowledge base supports an answer. Rephrase, relax a condition, or add material with mindatlas ingest."
