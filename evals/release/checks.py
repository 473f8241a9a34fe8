"""Checks that block a release. They know nothing of how records were made: they read what would be written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

import yaml

from mindatlas.evals.files import read_text
from mindatlas.evals.release import vocabulary
from mindatlas.evals.release.messages import words
from mindatlas.evals.release.reclassify import DESCRIPTION
from mindatlas.evals.release.tokens import PLACEHOLDER

Check = Literal["schema", "business_term", "seen_in_the_run", "literal_left", "type_changed"]
_WORD: Final = re.compile(r"\w+")
_PREFIXED: Final = re.compile(r"\b[bf](?=['\"])")
_QUOTED: Final = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_PLACEHOLDERS: Final = re.compile(
    rf"(?:{PLACEHOLDER.pattern})+"
)  # texts that stand side by side are one value
_PLAIN: Final = re.compile(r"[\x20-\x7e\n]*")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a check found: in which record and field, and the text that must not be there."""

    check: Check
    task_id: str
    field: str
    text: str


def business_terms(more: Path | None = None) -> tuple[str, ...]:
    """Return the built-in terms and those of a file, one a line; blank lines and `#` lines are passed over.

    Raises:
        FileReadError: The file cannot be read.
    """
    source = files("mindatlas.evals.release").joinpath("business_terms.yaml")
    built_in = [str(term) for term in yaml.safe_load(source.read_text(encoding="utf-8"))]
    lines = [] if more is None else [line.strip() for line in read_text(more).splitlines()]
    added = [line for line in lines if line and not line.startswith("#")]
    return tuple(dict.fromkeys((*built_in, *added)))


def free_texts(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a record that its schema does not close, the line numbers of an error left out."""
    told = record["error_description"]
    description = DESCRIPTION.fullmatch(told)
    return {
        "code_snippet": record["code_snippet"],
        "error_description": f"{description['kind']}: {description['message']}" if description else told,
    }


def term_findings(record: Mapping[str, Any], terms: Iterable[str], check: Check) -> Iterator[Finding]:
    """Yield the terms that a record holds, whatever their case; those of Latin letters only as whole words."""
    for field, text in free_texts(record).items():
        folded = text.casefold()
        for term in terms:
            if _holds(folded, term.casefold()):
                yield Finding(check=check, task_id=record["task_id"], field=field, text=term)


def _holds(text: str, term: str) -> bool:
    if term not in text:
        return False
    return not term.isascii() or re.search(rf"(?<!\w){re.escape(term)}(?!\w)", text) is not None


def seen_terms(terms: Iterable[str]) -> set[str]:
    """Return the names and cells of a run that a release can be searched for.

    Left out are blanks, single signs, and those made only of words that a release may hold anyway: a column
    named `index` cannot be told from pandas' own.
    """
    stripped = {term.strip() for term in terms}
    return {term for term in stripped if len(term) > 1 and not _only_allowed(term)}


def literal_findings(record: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield each text, number, unknown word or sign that is left in a record."""
    for field, text in free_texts(record).items():
        quoted = _values_left(text) if field == "code_snippet" else iter(())
        for left in dict.fromkeys((*_left_in(text), *quoted)):
            yield Finding(check="literal_left", task_id=record["task_id"], field=field, text=left)


def _values_left(code: str) -> Iterator[str]:
    """Yield values and comments of a program, also such as are made of allowed words."""
    if "#" in code:
        yield "#"
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield from (text for text in _QUOTED.findall(code) if not PLACEHOLDER.fullmatch(text[1:-1]))
        return
    values = (node.value for node in nodes if isinstance(node, ast.Constant))
    yield from (repr(value) for value in values if not _is_placeholder(value))


def _is_placeholder(value: object) -> bool:
    if value is None or value is ... or isinstance(value, bool):
        return True
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    return isinstance(text, str) and _PLACEHOLDERS.fullmatch(text) is not None


def _left_in(text: str) -> Iterator[str]:
    if not _PLAIN.fullmatch(text):
        yield from sorted({sign for sign in text if not _PLAIN.fullmatch(sign)})
    for word in dict.fromkeys(_WORD.findall(_PREFIXED.sub("", text))):
        if not _is_allowed(word):
            yield word


@cache
def _allowed() -> frozenset[str]:
    return vocabulary.kept() | words()


def _is_allowed(word: str) -> bool:
    return word in _allowed() or PLACEHOLDER.fullmatch(word) is not None


def _only_allowed(term: str) -> bool:
    found, allowed = _WORD.findall(term), _allowed_folded()
    return all(word.casefold() in allowed or PLACEHOLDER.fullmatch(word.upper()) for word in found)


@cache
def _allowed_folded() -> frozenset[str]:
    return frozenset(word.casefold() for word in _allowed())
