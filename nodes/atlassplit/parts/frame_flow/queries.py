"""The columns that `query` and `eval` texts refer to, as pandas resolves them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import add
from mindatlas.nodes.atlassplit.parts.frame_flow.values import Ref, Series, Table, Value

_BACKTICKED = re.compile(r"`((?:[^`]|``)*)`")  # a doubled back-tick is one inside the name
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_LOCAL = re.compile(r"@(?=\w)")
# Names that pandas resolves without a column of that name.
_RESERVED = re.compile(
    r"index|columns|ilevel_\d+|True|False|None|inf|Inf|Timestamp|datetime|list|tuple|nan|NaN"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryNames:
    """The columns that a text reads and those it makes."""

    read: tuple[str, ...]
    made: tuple[str, ...]


def parse_query(text: str) -> tuple[ast.Module, dict[str, str]] | None:
    """Return the tree of a `query` or `eval` text, and the real name of each placeholder for a back-ticked one.

    None when the text cannot be parsed. A local variable `@x` is the attribute `x` of `_local_`.
    """
    quoted: dict[str, str] = {}

    def unquote(match: re.Match[str]) -> str:
        placeholder = f"_backtick_{len(quoted)}_"
        quoted[placeholder] = match[1].replace("``", "`")
        return placeholder

    source = _LOCAL.sub("_local_.", _outside_strings(text, unquote))
    try:
        tree = ast.parse("\n".join(line.strip() for line in source.strip().splitlines()))
    except (SyntaxError, ValueError, RecursionError):
        return None
    return tree, quoted


def query_names(text: str) -> QueryNames | None:
    """Return the names in a `query` or `eval` text; None when it cannot be parsed."""
    parsed = parse_query(text)
    if parsed is None:
        return None
    tree, quoted = parsed
    made: list[str] = []
    read: list[str] = []
    for statement in tree.body:
        names = [quoted.get(name, name) for name in _read_names(statement)]
        read.extend(name for name in names if name not in made)
        made.extend(quoted.get(name, name) for name in _made_names(statement))
    return QueryNames(read=tuple(dict.fromkeys(read)), made=tuple(made))


def _outside_strings(text: str, unquote: Callable[[re.Match[str]], str]) -> str:
    """Return the text with its back-ticked names replaced, those inside quoted strings left alone."""
    parts: list[str] = []
    end = 0
    for match in _QUOTED.finditer(text):
        if text.count("`", end, match.start()) % 2:
            continue  # the quote is inside a back-ticked name
        parts.append(_BACKTICKED.sub(unquote, text[end : match.start()]))
        parts.append(match[0])
        end = match.end()
    parts.append(_BACKTICKED.sub(unquote, text[end:]))
    return "".join(parts)


def _read_names(statement: ast.stmt) -> Iterator[str]:
    called = {id(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)}
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    for node in names:
        is_read = isinstance(node.ctx, ast.Load) and id(node) not in called
        if is_read and node.id != "_local_" and not _RESERVED.fullmatch(node.id):
            yield node.id


def _made_names(statement: ast.stmt) -> Iterator[str]:
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        if isinstance(target, ast.Name):
            yield target.id


def _names(call: Call) -> QueryNames | None:
    text = call.constant(0, "expr", None)
    names = query_names(text) if isinstance(text, str) else None
    if names is None:
        call.flow.log.refer_unread(call.table, call.node)
        return None
    _log(call, names, call.table)
    return names


def _log(call: Call, names: QueryNames, table: Table) -> None:
    """Log what is read; inside a query a column called 2024 answers to its text."""
    call.flow.log.mentioned.update(names.made)
    for name in names.read:
        if name not in {str(label) for label in table.columns if not isinstance(label, str)}:
            call.flow.log.refer(name, table, call.owner, levels=True)


def _query(call: Call) -> Value:
    _names(call)
    return call.finish(call.table)


def _evaluate(call: Call) -> Value:
    names = _names(call)
    if names is None:
        if isinstance(call.base, Ref) and call.flag(None, "inplace") is not False:
            call.flow.expose([call.base])
        return call.give(replace(call.table, open=True, exact=False))
    if not names.made:
        return Series(None, call.table.index)
    return call.finish(add(call.table, Labels(names.made)))


QUERY_METHODS: Mapping[str, Method] = {"eval": _evaluate, "query": _query}
