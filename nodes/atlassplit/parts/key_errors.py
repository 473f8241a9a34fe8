"""Tells a KeyError about a column from one about a row label, an index level or a dict key."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Mapping, Sequence

from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import ColumnLog
from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow
from mindatlas.nodes.atlassplit.parts.frame_flow.given_frames import give_frames
from mindatlas.nodes.atlassplit.parts.frame_flow.inlining import follow_uncalled

# Sentences of pandas that say what was looked for; the group holds the name or the list of names.
_COLUMN_SENTENCES = (
    re.compile(r"None of (?:\[?Index\()?\[(.+?)\].* are in the \[?columns\]?"),
    re.compile(r"Columns? not found: (.+)"),
    re.compile(r"(?:Column|Label)\(s\) \[(.+?)\] do not exist"),
    re.compile(r"are not (?:columns of|present in) the DataFrame: \[(.+?)\]"),
    re.compile(r"mappings argument\. (.+) not found in columns"),
)
_ROW_SENTENCES = (
    re.compile(r"None of (?:\[?\w*Index\()?\[(.+?)\].* are in the \[index\]"),
    re.compile(r"Requested level \((.+)\)"),
    re.compile(r"Level (\S+) not found"),
    re.compile(r"argument could not be matched to (a location)"),
)
_EITHER_SENTENCES = (
    re.compile(r"\[(.+?)\] not (?:in index|found in axis)"),
    re.compile(r"^Index\(\[(.+?)\]"),
)
_ROW_METHODS = frozenset({"get_group", "xs", "truncate", "remove"})
_COLUMN_METHODS = frozenset(
    {
        "agg", "astype", "drop_duplicates", "dropna", "explode", "get_dummies", "groupby", "join", "melt", "merge",
        "nlargest", "nsmallest", "pivot", "pivot_table", "resample", "set_index", "sort_values",
    }
)  # fmt: skip


def key_of(message: str) -> Hashable | None:
    """Return the key that a KeyError's text names, the first of several, None when it names none.

    Example:
        >>> key_of("'Column not found: 销量'")
        '销量'
    """
    value = _literal(message.strip())
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, str):
        return value if isinstance(value, Hashable) else None
    for sentence in (*_COLUMN_SENTENCES, *_ROW_SENTENCES, *_EITHER_SENTENCES):
        match = sentence.search(value)
        if match:
            return _first_of(match[1])
    return value


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, RecursionError):
        return text


def _first_of(names: str) -> Hashable:
    """Return the first of the names in `'a', 'b'`, quoted or not."""
    values = _literal(f"[{names}]")
    first = values[0] if isinstance(values, list) and values else names
    return first if isinstance(first, Hashable) else names


def is_column_key(
    message: str, line: int | None, code: str, frames: Mapping[str, Sequence[Hashable]]
) -> bool:
    """Return whether a KeyError is about a column: by its text, else by what looks for the key on its line.

    Args:
        message: The error's text.
        line: The line of the program that raised it; None looks at all lines.
        code: The program.
        frames: The columns of its frames, as for `precheck`; may be empty.
    """
    text = str(_literal(message.strip()))
    if any(sentence.search(text) for sentence in _COLUMN_SENTENCES):
        return True
    key = key_of(message)
    if any(sentence.search(text) for sentence in _ROW_SENTENCES):
        return False
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return isinstance(key, str)
    flow = Flow()
    give_frames(flow, frames)
    flow.run(tree)
    follow_uncalled(flow, tree)
    by_flow = _by_flow(flow.log, key, line)
    return by_flow if by_flow is not None else _by_text(tree, key, line)


def _by_flow(log: ColumnLog, key: Hashable, line: int | None) -> bool | None:
    """Return what the data flow says of the key: looked for in columns, in labels, None where it is not seen."""
    refs = [ref for ref in log.refs if line is None or ref.line == line]
    if any(ref.name == key and ref.verdict != "present" for ref in refs):
        return True
    looked_up = [verdict for at, name, verdict in log.labels if name == key and (line is None or at == line)]
    if looked_up:
        return "columns" in looked_up and isinstance(key, str)
    if any(ref.verdict == "unknown" for ref in refs) and isinstance(key, str):
        return True  # a column that a variable chose
    return None


def _by_text(tree: ast.Module, key: Hashable, line: int | None) -> bool:
    """Return whether the methods called on the line take columns, for a key that the data flow did not meet."""
    called = {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (line is None or node.lineno <= line <= (node.end_lineno or node.lineno))
    }
    if called & _ROW_METHODS or not isinstance(key, str):
        return False
    return bool(called & _COLUMN_METHODS)
