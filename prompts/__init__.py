"""Prompt templates: one Markdown file a prompt, filled by `render` and versioned by content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from string import Template

from mindatlas.nodes.errors import UsageError

__all__ = ["render", "rendered_versions", "unfenced", "version"]

_FENCE = re.compile(r"<(?=\s*/?\s*(?:passage|question|cell|table|tool|data)\b)", re.I)

_rendered: ContextVar[dict[str, str] | None] = ContextVar("rendered", default=None)


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
    text = Template(_source(name)).substitute(variables)
    if (versions := _rendered.get()) is not None:
        versions[name] = version(name)
    return text


@contextmanager
def rendered_versions() -> Iterator[dict[str, str]]:
    """Yield a dict that fills with the version of each prompt that is rendered in the block, in this thread."""
    versions: dict[str, str] = {}
    token = _rendered.set(versions)
    try:
        yield versions
    finally:
        _rendered.reset(token)


def unfenced(text: str) -> str:
    """Return untrusted `text` with the tags our prompts fence data with broken up, so that it cannot close a fence."""
    return _FENCE.sub("‹", text)


def version(name: str) -> str:
    """Return the version of the prompt `name`: the first 12 hex digits of its SHA-256."""
    return hashlib.sha256(_source(name).encode()).hexdigest()[:12]
