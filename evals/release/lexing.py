"""Programs that do not parse, rewritten token by token: what is no known token is no text that could pass."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from mindatlas.evals.release import vocabulary
from mindatlas.evals.release.tokens import NUM, STR, Tokens

_TOKEN: Final = re.compile(
    r"""(?P<comment>\#[^\r\n]*)
    |(?P<string>[rRbBuUfFtT]{0,3}(?:
        \"{3}(?:\\.|[^\\])*?(?:\"{3}|\Z) | '{3}(?:\\.|[^\\])*?(?:'{3}|\Z)
        |"(?:\\.|[^"\\\r\n])*(?:"|\\?$|\\?\Z) | '(?:\\.|[^'\\\r\n])*(?:'|\\?$|\\?\Z)))
    |(?P<number>\.?\d(?:[eE][+-]|[\w.])*)
    |(?P<name>\w+)
    |(?P<newline>\r\n|\r|\n)
    |(?P<space>[ \t\f]+)
    |(?P<operator>[-+*/%@&|^~<>=!()\[\]{},:.;])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_DEEPEST_INDENT: Final = 60


def lex(code: str, tokens: Tokens) -> tuple[str, list[int]]:
    """Return the program rewritten, and for each line of the original, from 1, its new line.

    Comments go; an unclosed text reaches to the end of its line, or of the program. Characters that Python
    does not use become `?`.
    """
    pieces: list[str] = []
    lines = [1]
    new_line = 1
    for kind, text, before, after in _with_context(code):
        pieces.append(_written(kind, text, before, after, tokens))
        ends = len(re.findall(r"\r\n|\r|\n", text))
        new_line += kind == "newline"
        lines += [new_line] * ends
    text = "".join(pieces)
    return "\n".join(line.rstrip() for line in text.split("\n")), lines


def _with_context(code: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield each token with its kind, and the ones before and after it that are no space."""
    found = [(str(match.lastgroup), match[0]) for match in _TOKEN.finditer(code)]
    solid = [at for at, (kind, _) in enumerate(found) if kind not in {"space", "comment"}]
    following = dict(pairwise(solid))
    before = "\n"
    for at, (kind, text) in enumerate(found):
        after = found[following[at]][1] if at in following else ""
        yield kind, text, before, after
        if kind not in {"space", "comment"}:
            before = text


def _written(kind: str, text: str, before: str, after: str, tokens: Tokens) -> str:
    match kind:
        case "comment":
            return ""
        case "string":
            return _string(text, tokens)
        case "number":
            return NUM
        case "name":
            return _name(text, before, after, tokens)
        case "newline":
            return "\n"
        case "space":
            at_start = before.endswith(("\n", "\r"))
            return " " * min(len(text.expandtabs(4)), _DEEPEST_INDENT) if at_start else " "
        case "operator":
            return text
    return "?"


def _string(text: str, tokens: Tokens) -> str:
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError):
        return repr(STR)
    return repr(tokens.text(value)) if isinstance(value, str) else repr(STR)


def _name(name: str, before: str, after: str, tokens: Tokens) -> str:
    if name in vocabulary.KEYWORDS or (name in vocabulary.modules() and before in {"import", "from"}):
        return name
    if before == ".":
        return tokens.attribute(name)
    if after == "=" and before in {"(", ","}:
        return tokens.keyword(name)
    return tokens.variable(name)
