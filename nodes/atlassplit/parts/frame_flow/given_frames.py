"""The frames that a program is given: which variable, sheet or workbook holds which columns."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations

from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import has_doubles
from mindatlas.nodes.atlassplit.parts.frame_flow.values import DictObject, Name, Ref, Table, Value
from mindatlas.nodes.errors import UsageError

_Path = tuple[Hashable, ...]  # a variable and the keys that lead from it to a frame


def give_frames(flow: Flow, frames: Mapping[str, Sequence[Name]]) -> None:
    """Bind each frame of `frames` for a program that is about to be followed.

    A key is an expression (`df`, `sheets['订单']`, `books['a.xlsx']['订单']`) or a plain name. Where no key
    starts with `sheets`, plain names are also taken for sheets, among others perhaps. Frames with the same
    columns may be one object under two names, as `df` and its sheet are.

    Raises:
        UsageError: A key starts like an expression but is none.
    """
    tables = {key: Table(tuple(columns), exact=not has_doubles(columns)) for key, columns in frames.items()}
    tree: dict[Hashable, object] = {}
    refs: dict[str, Ref] = {}
    for key, table in tables.items():
        refs[key] = flow.allocate(table, _PLACE, key)
        _plant(tree, _path(key), refs[key])
    plain = tuple((key, refs[key]) for key in refs if len(_path(key)) == 1)
    for name, value in tree.items():
        flow.state.names[0, str(name)] = _grown(flow, value, (name,))
    if "sheets" not in tree:
        flow.state.names[0, "sheets"] = flow.allocate(DictObject(plain, open=True), _PLACE, "sheets")
    flow.given = tuple(identity for ref in refs.values() for identity in ref.ids)
    for first, second in combinations(refs, 2):
        if tables[first] == tables[second]:
            _twin(flow, refs[first].ids[0], refs[second].ids[0])


_PLACE = ast.Pass()


def _path(key: str) -> _Path:
    """Return the variable and the constant keys of `a['b']['c']`; any other text is a plain name."""
    try:
        node: ast.expr = ast.parse(key, mode="eval").body
    except (SyntaxError, ValueError):
        if key.startswith(("sheets[", "books[")):
            raise UsageError(f"frame name {key!r} is no expression; write it like sheets['name']") from None
        return (key,)
    keys: list[Hashable] = []
    while isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        keys.insert(0, node.slice.value)
        node = node.value
    return (node.id, *keys) if isinstance(node, ast.Name) else (key,)


def _plant(tree: dict[Hashable, object], path: _Path, ref: Ref) -> None:
    for part in path[:-1]:
        branch = tree.setdefault(part, {})
        if not isinstance(branch, dict):
            return
        tree = branch
    tree.setdefault(path[-1], ref)


def _grown(flow: Flow, branch: object, path: _Path) -> Value:
    """Return a frame's reference, or the dict of what is below `path`."""
    if isinstance(branch, Ref):
        return branch
    assert isinstance(branch, dict)  # a tree holds nothing else
    items = tuple((key, _grown(flow, value, (*path, key))) for key, value in branch.items())
    return flow.allocate(DictObject(items), _PLACE, path)


def _twin(flow: Flow, first: int, second: int) -> None:
    for one, other in ((first, second), (second, first)):
        flow.twins[one] = (*flow.twins.get(one, ()), other)
