"""What the builtin planner says, in the language of the question."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

import yaml

from mindatlas.nodes.workdesk.parts.desk_request import UnreadableRequest


@cache
def _messages() -> dict[str, Any]:
    text = files(__package__ or "").joinpath("desk_messages.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def say(code: str, language: str, about: str = "") -> str:
    """Return the message `code` in `zh` or `en`, with the user's words in it."""
    return Template(_messages()[code][language]).substitute(about=about)


def explain_capabilities(language: str) -> str:
    """Return what the builtin planner can do, as Markdown."""
    return say("capabilities", language)


def refusal(error: UnreadableRequest, language: str) -> str:
    """Return why a question was not answered, and what can be."""
    return f"{say(error.code, language, error.about)}\n\n{explain_capabilities(language)}"
