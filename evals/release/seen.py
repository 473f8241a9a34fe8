"""Names and values of a user that the audit of a run holds, so that a release can be searched for them."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any


def seen_in(run: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return texts of programs, names and values that prechecks and assertions tell, files and sheets of a run."""
    found: set[str] = set()
    for line in run:
        found.update(_code_texts(line["code"] or ""))
        found.update(_values([line["assertions"], line["precheck"], line["active"]]))
        for file in (*line["inputs"], *line["outputs"]):
            path = PurePath(file["path"])
            found.update((path.name, path.stem))
    return found - _own_words(run)


def _own_words(run: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return what AtlasSplit itself writes into assertions: kinds and sources."""
    return {
        str(record.get(name)) for line in run for record in line["assertions"] for name in ("kind", "source")
    }


def _code_texts(code: str) -> Iterator[str]:
    """Yield the texts that stand in a program as far as it can be tokenised."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.STRING:
                yield from _values([_literal(token.string)])
            elif token.type == tokenize.COMMENT:
                yield token.string.lstrip("# ")
    except (tokenize.TokenError, SyntaxError):
        return


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError):
        return text


def _values(value: Any) -> Iterator[str]:
    """Yield the texts within lists and mappings; names of fields are no values, but columns are keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _values(entry)
        yield from (key for key in value.get("suggestions", ()) if isinstance(key, str))
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _values(entry)
