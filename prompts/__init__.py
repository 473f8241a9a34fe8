"""Prompt templates: one Markdown file a prompt, filled by `render` and versioned by content."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from string import Template

from mindatlas.nodes.errors import UsageError

__all__ = ["render", "unfenced", "version"]

_FENCE = re.compile(r"<(?=\s*/?\s*(?:passage|question|cell|table|tool|data)\b)", re.I)


@cache
def _source(name: str) -> str:
    path = files("mindatlas.prompts").joinpath(f"{name}.md")
    if not path.is_file():
        raise UsageError(f"No prompt named {name!r}; expected a file prompts/{name}.md")
    return path.read_text(encoding="utf-8")


def render(name: str, **variables: str) -> str:
    """Return the prompt `name` (such as `"mindtrip/answer"`) with its `$variables` filled in.

    Raises:
        KeyError: a variable of the template was not given.
        UsageError: there is no such prompt.
    """
    return Template(_source(name)).substitute(variables)


def unfenced(text: str) -> str:
    """Return untrusted `text` with the tags our prompts fence data with broken up, so that it cannot close a fence."""
    return _FENCE.sub("‹", text)


def version(name: str) -> str:
    """Return the version of the prompt `name`: the first 12 hex digits of its SHA-256."""
    return hashlib.sha256(_source(name).encode()).hexdigest()[:12]
