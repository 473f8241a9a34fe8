"""What the kinds of failure and the paths between them are, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, str]] = {
    "E0": "the program does not parse, or fails in no known way",
    "E1": "a column that is not there",
    "E2": "a value of the wrong type",
    "E3": "a result that breaks an assertion",
    "E4": "a row label, index or shape that does not fit",
    "E5": "no result, or a part of it missing",
    "E6": "a module or call that is not allowed",
    "E7": "a limit of time or memory",
}
# Paths with a known mechanism; the others are described by their two ends.
_MECHANISMS: Final[Mapping[tuple[str, str], str]] = {
    (
        "E1",
        "E2",
    ): "the column is found now, and its values are not of the type that the program computes with",
    ("E1", "E3"): "a column of another meaning was taken: the program runs, the figures do not agree",
    ("E1", "E4"): "the right column, then rows, labels or lengths that do not fit",
    ("E2", "E1"): "the conversion renamed, dropped or misspelt a column",
    ("E2", "E3"): "values were converted so that some are lost or changed",
    ("E3", "E1"): "the new approach uses a column that does not exist",
    ("E3", "E2"): "the new approach computes with values that were not converted",
    ("E4", "E1"): "the index was reset or set, and a column went with it",
    ("E4", "E2"): "the shape fits now, the type of the values does not",
    ("E4", "E3"): "rows were aligned or dropped so that it runs, and the figures do not agree",
    ("E5", "E3"): "there is a result now, and it breaks an assertion",
    ("E7", "E3"): "a faster program that computes something else",
}


def describe_path(before: str, after: str) -> str:
    """Return how a failure of one kind turns into one of another, in a sentence without its full stop.

    Example:
        >>> describe_path("E6", "E0")
        'from a module or call that is not allowed to: the program does not parse, or fails in no known way'
    """
    return _MECHANISMS.get((before, after), f"from {WORDS[before]} to: {WORDS[after]}")
