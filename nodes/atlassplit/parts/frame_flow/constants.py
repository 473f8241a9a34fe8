"""Text methods folded on constants: how programs build and clean column names.

Only methods whose result is no longer than their arguments say are folded, so reading a program stays cheap
whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from itertools import product

from mindatlas.nodes.atlassplit.parts.frame_flow.operators import LONGEST_TEXT
from mindatlas.nodes.atlassplit.parts.frame_flow.state import MOST_CHOICES, choose_among, options
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    UNKNOWN,
    Choice,
    Const,
    Name,
    Value,
)

_TEXT_METHODS = frozenset(
    {
        "capitalize", "casefold", "endswith", "isdigit", "isnumeric", "lower", "lstrip", "removeprefix",
        "removesuffix", "replace", "rstrip", "startswith", "strip", "swapcase", "title", "upper",
    }
)  # fmt: skip
_SPLITTING = frozenset({"split", "rsplit", "partition", "rpartition"})
_PLAIN_FIELD = re.compile(r"\{[0-9]*\}|\{[A-Za-z_]\w*\}")
_SHORT_SPEC = re.compile(r"0?[0-9]?d?")


def fold_text_method(text: Name, method: str, arguments: Sequence[Hashable]) -> Hashable:
    """Return `text.method(*arguments)` (a tuple for `split`), HIDDEN where it cannot be told."""
    if not isinstance(text, str) or not all(isinstance(item, str | int | tuple) for item in arguments):
        return HIDDEN
    if method not in _TEXT_METHODS | _SPLITTING:
        return HIDDEN
    try:
        folded: str | bool | list[str] | tuple[str, ...] = getattr(text, method)(*arguments)
    except (TypeError, ValueError):
        return HIDDEN
    if isinstance(folded, str) and len(folded) > LONGEST_TEXT:
        return HIDDEN
    return tuple(folded) if isinstance(folded, list) else folded


def fold_call(base: Const | Choice, method: str, arguments: Sequence[Value]) -> Value:
    """Return `base.method(*arguments)` for constants, over all choices; unknown where it cannot be told."""
    if not all(isinstance(item, Const | Choice) for item in arguments):
        return UNKNOWN
    pools = [options(item) for item in (base, *arguments) if isinstance(item, Const | Choice)]
    combinations = [
        combination for combination, _ in zip(product(*pools), range(MOST_CHOICES + 1), strict=False)
    ]
    folded = [fold_text_method(text, method, rest) for text, *rest in combinations]
    return UNKNOWN if HIDDEN in folded else choose_among(folded)


def join_texts(separator: Name, items: Sequence[Value]) -> Value:
    """Return `separator.join(items)`; unknown unless each is one constant text."""
    texts = [item.value for item in items if isinstance(item, Const) and isinstance(item.value, str)]
    if not isinstance(separator, str) or len(texts) < len(items) or sum(map(len, texts)) > LONGEST_TEXT:
        return UNKNOWN
    return Const(separator.join(texts))


def format_text(template: Name, items: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Return `template.format(*items, **named)` where the template has plain fields only."""
    values = [*items, *named.values()]
    if not isinstance(template, str) or not all(isinstance(value, Const) for value in values):
        return UNKNOWN
    if "{" in _PLAIN_FIELD.sub("", template) or "}" in _PLAIN_FIELD.sub("", template):
        return UNKNOWN
    try:
        return Const(
            template.format(
                *(item.value for item in items if isinstance(item, Const)),
                **{name: item.value for name, item in named.items() if isinstance(item, Const)},
            )
        )
    except (IndexError, KeyError, ValueError):
        return UNKNOWN


def format_field(value: Hashable, spec: str) -> Hashable:
    """Return the text of an f-string field, HIDDEN for a format that may pad or round."""
    if not spec and isinstance(value, str | int):
        return str(value)
    return format(value, spec) if type(value) is int and _SHORT_SPEC.fullmatch(spec) else HIDDEN
