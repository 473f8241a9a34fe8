"""Programs rewritten for release, with the way back from a line of the original to its line there."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from mindatlas.evals.release.lexing import lex
from mindatlas.evals.release.rewrite import Rewriter
from mindatlas.evals.release.tokens import Tokens
from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow
from mindatlas.nodes.atlassplit.parts.frame_flow.inlining import follow_uncalled
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE
from mindatlas.nodes.atlassplit.parts.frame_flow.values import DictObject

_Span = tuple[int, int, int]  # first and last line in the original, line in the new text


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program with placeholders.

    Attributes:
        text: The program.
        parsed: Whether it was rewritten over its tree; else token by token.
        spans: First and last line of each statement in the original, and its line in `text`.
    """

    text: str
    parsed: bool
    spans: tuple[_Span, ...]

    def line(self, original: int | None) -> int | None:
        """Return the line in `text` of a line of the original, None where nothing of it is left."""
        if original is None:
            return None
        around = [span for span in self.spans if span[0] <= original <= span[1]]
        return min(around, key=lambda span: (span[1] - span[0], -span[0]))[2] if around else None


def rewrite_program(code: str, tokens: Tokens) -> Program:
    """Return a program rewritten over its tree; one that does not parse token by token."""
    try:
        tree = ast.parse(code)
        Rewriter(tokens, tree).visit(tree)
        text = ast.unparse(ast.fix_missing_locations(tree))
        return Program(text=text, parsed=True, spans=tuple(_spans(tree, ast.parse(text))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text, lines = lex(code, tokens)
        spans = tuple((number, number, new) for number, new in enumerate(lines, 1))
        return Program(text=text, parsed=False, spans=spans)


def _spans(before: ast.Module, after: ast.Module) -> Iterator[_Span]:
    pairs = zip(_statements(before), _statements(after), strict=True)
    for old, new in pairs:
        decorators = getattr(old, "decorator_list", [])
        first = min([old.lineno, *(item.lineno for item in decorators)])
        yield first, old.end_lineno or old.lineno, new.lineno


def _statements(tree: ast.AST) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


def columns_mentioned(code: str) -> set[str]:
    """Return the texts that a program uses or makes as columns, whatever its frames have; none if it does not parse."""
    try:
        mentioned = _mentioned(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {name for name in mentioned if isinstance(name, str)}


def _mentioned(tree: ast.Module) -> set[Hashable]:
    flow = Flow()
    table = flow.allocate(OPEN_TABLE, tree, "df")
    sheets = flow.allocate(DictObject((), open=True, default=table), tree, "sheets")
    books = flow.allocate(DictObject((), open=True, default=sheets), tree, "books")
    for name, value in (("df", table), ("sheets", sheets), ("books", books)):
        flow.bind(name, value)
    flow.run(tree)
    follow_uncalled(flow, tree)
    return flow.log.mentioned
