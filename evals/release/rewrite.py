"""A program's syntax tree with placeholders for everything that its author chose."""

from __future__ import annotations

import ast
from typing import Any, Final

from mindatlas.evals.release import vocabulary
from mindatlas.evals.release.tokens import NUM, STR, Tokens

_MAKERS: Final = frozenset({"agg", "aggregate", "assign"})
_SHEET_HOLDERS: Final = frozenset({"sheets", "books"})


class Rewriter(ast.NodeTransformer):
    """Changes a tree in place.

    Fields that hold names are found by their type, not listed: a name in a field that a later Python adds is
    replaced too.
    """

    def __init__(self, tokens: Tokens, tree: ast.Module) -> None:
        self._tokens = tokens
        self._imported = frozenset(_known_imports(tree))
        self._own_parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        self._makes_column: set[int] = set()

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Return the node with its children and its names replaced, and no empty block."""
        super().generic_visit(node)
        for field, value in ast.iter_fields(node):
            if isinstance(value, str):
                setattr(node, field, self._name(node, field, value))
            elif isinstance(value, list) and any(isinstance(item, str) for item in value):
                setattr(node, field, [self._name(node, field, item) for item in value])
        if getattr(node, "body", None) == []:
            node.body = [ast.copy_location(ast.Pass(), node)]  # type: ignore[attr-defined]
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Return None for a text that stands alone, as docstrings do: it is dropped."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str | bytes):
            return None
        if isinstance(node.value, ast.JoinedStr):
            return None
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Return the placeholder of a value; True, False, None and ... stay."""
        if node.value is None or node.value is ... or isinstance(node.value, bool):
            return node
        if isinstance(node.value, str):
            return _text(self._tokens.text(node.value), node)
        if isinstance(node.value, bytes):
            return ast.copy_location(ast.Constant(value=STR.encode()), node)
        return ast.copy_location(ast.Name(id=NUM, ctx=ast.Load()), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Return an f-string whose own text is STR; its formats go."""
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value, part.format_spec = self.visit(part.value), None
            else:
                part.value = STR  # type: ignore[attr-defined]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Return a part that is picked; a text that picks from `sheets` or `books` names a sheet."""
        holder = node.value.value if isinstance(node.value, ast.Subscript) else node.value
        if isinstance(holder, ast.Name) and holder.id in _SHEET_HOLDERS and _is_text(node.slice):
            node.slice = _text(self._tokens.text(node.slice.value, sheet_first=True), node.slice)  # type: ignore[attr-defined]
            node.value = self.visit(node.value)
            return node
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return a call; the keywords of some methods name columns."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in _MAKERS:
            self._makes_column.update(id(argument) for argument in node.keywords)
        return self.generic_visit(node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        """Return a pattern; a number becomes a text there, since a name would bind anything."""
        node.value = self.visit(node.value)
        if not isinstance(node.value, ast.Constant | ast.Attribute):
            node.value = _text(NUM, node.value)
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        """Return a pattern of keys, numbers as texts."""
        self.generic_visit(node)
        node.keys = [
            key if isinstance(key, ast.Constant | ast.Attribute) else _text(NUM, key) for key in node.keys
        ]
        return node

    def _name(self, node: ast.AST, field: str, name: str) -> str | None:
        tokens = self._tokens
        match node, field:
            case _, "type_comment" | "kind":
                return None
            case ast.Attribute() | ast.MatchClass(), _:
                return tokens.attribute(name)
            case ast.keyword(), _:
                return self._keyword(node, name)
            case (ast.ImportFrom(), "module") | (ast.alias(), "name"):
                return self._module(name)
        return name if name in self._imported else tokens.variable(name)

    def _keyword(self, node: ast.AST, name: str) -> str:
        if name in self._own_parameters:
            return self._tokens.variable(name)
        return self._tokens.keyword(name, makes_column=id(node) in self._makes_column)

    def _module(self, name: str) -> str:
        return name if name == "*" or name in self._imported else self._tokens.module(name)


def _known_imports(tree: ast.AST) -> list[str]:
    """Return the names that imports of known modules bind unchanged, such as `timedelta`."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            roots = [alias.name.split(".")[0] for alias in node.names if alias.asname is None]
            found += [root for root in roots if root in vocabulary.modules()]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in vocabulary.modules():
            names = [alias.name for alias in node.names if alias.asname is None]
            found += [name for name in names if name in vocabulary.kept()]
    return found


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _text(value: str, place: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Constant(value=value), place)
