"""Names of tables made legal and unique as names of sheets, or of files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from mindatlas.nodes.atlassplit.parts.publishing.sheet_cells import utf16_cut, utf16_length

LONGEST_SHEET_NAME: Final = 31  # UTF-16 units
LONGEST_FILE_NAME: Final = 60  # characters, so that three bytes each and a suffix fit into 255 bytes

_SHEET_ILLEGAL: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_FILE_ILLEGAL: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f\ud800-\udfff]')
_DEVICES: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.I)


def legal_sheet_names(names: Sequence[str]) -> list[str]:
    r"""Return a name for each sheet that Excel takes: 31 characters, none of []:*?/\, unique without case.

    A name that is legal already keeps its form before any other is fitted around it; a changed one has `_` for
    what is not allowed, and ` (2)`, ` (3)`, … where it would repeat another. Apostrophes at the ends go, blank
    names become `Sheet`, and `History`, which Excel keeps for itself, `History_`.
    """
    return _unique(names, _legal_sheet_name, lambda name, end: _cut(name, LONGEST_SHEET_NAME, end))


def legal_file_names(names: Sequence[str]) -> list[str]:
    """Return a file name without suffix for each table, legal on Linux, macOS and Windows, unique without case."""
    return _unique(names, _legal_file_name, lambda name, end: name[: LONGEST_FILE_NAME - len(end)] + end)


def _legal_sheet_name(name: str) -> str:
    legal = _SHEET_ILLEGAL.sub("_", name).strip("'")
    legal = _cut(legal, LONGEST_SHEET_NAME, "").strip("'")
    if not legal.strip():
        return "Sheet"
    return f"{legal}_" if legal.casefold() == "history" else legal


def _legal_file_name(name: str) -> str:
    legal = _FILE_ILLEGAL.sub("_", name).strip().rstrip(". ")[:LONGEST_FILE_NAME].rstrip(". ")
    if not legal:
        return "table"
    return f"_{legal}" if _DEVICES.fullmatch(legal) or legal.startswith(".") else legal


def _cut(name: str, longest: int, end: str) -> str:
    return utf16_cut(name, longest - utf16_length(end)) + end


def _unique(
    names: Sequence[str], make_legal: Callable[[str], str], with_end: Callable[[str, str], str]
) -> list[str]:
    legal = [make_legal(name) for name in names]
    taken: set[str] = set()
    chosen: dict[int, str] = {}
    unchanged = [at for at, name in enumerate(names) if legal[at] == name]
    for at in dict.fromkeys([*unchanged, *range(len(names))]):
        name, number = legal[at], 1
        while name.casefold() in taken:
            number += 1
            name = with_end(legal[at], f" ({number})")
        taken.add(name.casefold())
        chosen[at] = name
    return [chosen[at] for at in range(len(names))]
