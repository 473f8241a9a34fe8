"""Values that say nothing: words for none, and the placeholders of a model that had nothing to fill in."""

from __future__ import annotations

import re
from typing import Any

NONE_WORDS = frozenset(
    {"", "null", "none", "nil", "undefined", "n/a", "nan", "(none)", "(null)", "not specified", "not provided",
     "unspecified", "未指定", "未提供", "未填"}
)  # fmt: skip
ALL_WORDS = frozenset({"all", "any", "*", "全部", "所有", "不限", "任意"})
"""Said for “no filter” where a code or an identifier is expected."""

_WHOLE = re.compile(
    r"<[^<>]{1,60}>|\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{[a-z_][\w ]*\}|\[[a-z_][a-z_ ]*\]|%[sd]|%\(\w+\)s"
    r"|(?:your|my|the|some|example|sample|dummy|placeholder|insert|enter|actual)(?:[_\- ][a-z]+)*[_\- ](?:id|ids|name"
    r"|code|value|key|token|here|number|no|date|time|team|site|order|person|user|type)"
    r"|(?:insert|replace|fill|enter)[_\- ]\w*|placeholder|todo|tbd|to be determined|changeme|foo|bar|foobar|string"
    r"|x{2,}|\?{2,}|\.{3}|…+|_{2,}|-{3,}|[a-z]{1,4}-?x{2,}(?:-x+)*"
    r"|[yｙ]{4}[-/年]?m{2}[-/月]?d{2}日?(?:[ t]h{2}:m{2}(?::s{2})?)?"
    r"|某某.{0,4}|.{0,4}(?:某某|××|xx).{0,3}|(?:待|请)(?:定|补充|填写?|确认|输入|提供|替换).{0,12}|(?:此处|这里)填.{0,8}"
    r"|[^\W\d_]*\s?(?:id|编号|名称)(?:\s?here|占位符?)",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"\{\{[^{}]*\}\}|\$\{[a-z_][\w.]*\}|<[a-z]+(?:_[a-z]+)+>|<(?:id|name|date|time)>", re.IGNORECASE
)


def is_empty(value: Any) -> bool:
    """Return whether a value says “none”: null, an empty list or object, or a word for it. 0 and false do not."""
    if isinstance(value, str):
        return value.strip().casefold() in NONE_WORDS
    return value is None or (isinstance(value, list | dict) and not value)


def is_placeholder(value: Any) -> bool:
    """Return whether a text stands for a value that its writer did not have."""
    return isinstance(value, str) and bool(_WHOLE.fullmatch(value.strip()))


def placeholder_inside(value: Any) -> str:
    """Return a placeholder that stands inside a longer text, empty when there is none."""
    found = _INSIDE.search(value) if isinstance(value, str) else None
    return found[0] if found else ""
