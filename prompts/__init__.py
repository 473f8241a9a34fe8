"""Prompt templates: one Markdown file a prompt, filled by `render` and versioned by content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from string import Template

from mindatlas.nodes.errors import UsageError

__all__ = ["render", "rendered_versions", "replaced", "source", "unfenced", "variables", "version"]

_FENCE = re.compile(r"<(?=\s*/?\s*(?:passage|question|cell|table|tool|data)\b)", re.I)

_rendered: ContextVar[dict[str, str] | None] = ContextVar("rendered", default=None)
_replacements: ContextVar[Mapping[str, str]] = ContextVar("_replacements", default={})  # noqa: B039  never changed


@contextmanager
def replaced(sources: Mapping[str, str]) -> Iterator[None]:
    """Use `sources`, prompt name to text, instead of the files inside the block, and in the graph runs begun there.

    Raises:
        UsageError: there is no prompt of that name, or a text has a variable that the prompt is not given.
    """
    for name, text in sources.items():
        if unknown := sorted(variables(text) - variables(_file(name))):
            raise UsageError(
                f"The text for the prompt {name!r} has the variable {unknown[0]!r}, which is not given"
            )
    token = _replacements.set(dict(sources))
    try:
        yield
    finally:
        _replacements.reset(token)


def source(name: str) -> str:
    """Return the text of the prompt `name` as it is used now, variables not filled in.

    Raises:
        UsageError: there is no such prompt.
    """
    found = _replacements.get().get(name)
    return _file(name) if found is None else found


def variables(text: str) -> set[str]:
    """Return the names of the variables in the text of a prompt."""
    return set(Template(text).get_identifiers())


@cache
def _file(name: str) -> str:
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
    text = Template(source(name)).substitute(variables)
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
    return hashlib.sha256(source(name).encode()).hexdigest()[:12]
