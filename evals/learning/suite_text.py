"""Changes to a suite's YAML that leave its comments and its order as they are."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import yaml

from mindatlas.nodes.errors import UsageError

_VERSION = re.compile(r"^(protocol_version:[ \t]*)(\d+)", re.MULTILINE)
_CASES = re.compile(
    r"^cases:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*(?:(?P<indent>[ \t]*)- [^\n]*(?:\n|\Z))+", re.MULTILINE
)


def raised(text: str, path: Path) -> str:
    """Return the text of the suite in `path` with its protocol version one higher.

    Raises:
        UsageError: the version does not stand on a line of its own.
    """
    new = _VERSION.sub(lambda match: f"{match[1]}{int(match[2]) + 1}", text, count=1)
    before, after = yaml.safe_load(text), yaml.safe_load(new)
    _require(
        after,
        {**before, "protocol_version": before["protocol_version"] + 1},
        path,
        "raise protocol_version by one",
    )
    return new


def listed_with(text: str, case_file: str, path: Path) -> str:
    """Return the text of the suite in `path` with one more case file at the end of its list.

    Raises:
        UsageError: the list is not written one file a line.
    """
    entry = _scalar(case_file)
    new = _CASES.sub(
        lambda m: f"{m[0]}{'' if m[0].endswith(chr(10)) else chr(10)}{m['indent']}- {entry}\n", text, count=1
    )
    before = yaml.safe_load(text)
    _require(
        yaml.safe_load(new),
        {**before, "cases": [*before["cases"], case_file]},
        path,
        f"add {case_file!r} to cases",
    )
    return new


def relative_to(case_file: Path, suite: Path) -> str:
    """Return how the suite names a case file: by a path relative to its own folder."""
    return Path(os.path.relpath(case_file.resolve(), suite.resolve().parent)).as_posix()


def _scalar(text: str) -> str:
    return (
        text
        if re.fullmatch(r"[\w./-]+", text)
        else yaml.safe_dump(text, allow_unicode=True, default_style='"').strip()
    )


def _require(found: Any, wanted: Any, path: Path, change: str) -> None:
    if found != wanted:
        raise UsageError(
            f"{str(path)!r} is not written so that it can be changed safely: {change} by hand, then merge again"
        )
