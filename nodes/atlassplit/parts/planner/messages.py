"""What the planner tells the user, in the language of the request, from messages.yaml."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

import yaml

from mindatlas.nodes.atlassplit.parts.planner.plan import Language, Refusal, RefusalKind


class Refused(Exception):
    """Ends the reading of a request; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def refusal(
    kind: RefusalKind,
    code: str,
    language: Language,
    *,
    about: str = "",
    candidates: tuple[str, ...] = (),
    **details: str,
) -> Refusal:
    """Return a refusal with its message: the reason `code`, the candidates, and what the planner can do."""
    parts = [_fill(_messages()["refusals"][code][language], about=about, **details)]
    if candidates:
        listed = ("、" if language == "zh" else ", ").join(candidates)
        parts.append(f"可选：{listed}。" if language == "zh" else f"Candidates: {listed}.")
    parts.append(_messages()["ability"][language])
    joint = "" if language == "zh" else " "
    return Refusal(kind=kind, about=about, candidates=candidates, message=joint.join(parts))


def notice(code: str, language: Language, **details: str) -> str:
    """Return the text of a decision that the planner made."""
    return _fill(_messages()["notices"][code][language], **details)


def step(code: str, language: Language, **details: str) -> str:
    """Return the comment on a step of a generated program."""
    return _fill(_messages()["steps"][code][language], **details)


def _fill(template: str, **details: str) -> str:
    return Template(template).substitute(details)


@cache
def _messages() -> dict[str, Any]:
    text = (
        files("mindatlas.nodes.atlassplit.parts.planner")
        .joinpath("messages.yaml")
        .read_text(encoding="utf-8")
    )
    data: dict[str, Any] = yaml.safe_load(text)
    return data
