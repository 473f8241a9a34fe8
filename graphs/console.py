"""What the commands print: JSON or text on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

_LINE_ENDS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}


def print_json(data: Mapping[str, Any]) -> None:
    """Print `data` as one JSON object on stdout."""
    sys.stdout.write(to_line(data))


def to_line(data: Mapping[str, Any]) -> str:
    """Return `data` as one line of JSON, whatever a reader takes for the end of a line."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    return text.translate(_LINE_ENDS) + "\n"


def print_text(text: str) -> None:
    """Print `text` on stdout."""
    sys.stdout.write(f"{text}\n")


def say(text: str) -> None:
    """Print progress or a notice on stderr."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def next_line() -> str:
    """Return the next line of a chat, typed or piped, stripped; empty when there is none."""
    try:
        return input("? " if sys.stdin.isatty() else "").strip()
    except EOFError:
        return ""


def report_error(error: Exception, *, as_json: bool) -> None:
    """Print an expected error: its message on stderr, and as JSON on stdout where JSON was asked for."""
    if as_json:
        print_json({"error": {"type": type(error).__name__, "message": str(error)}})
    say(f"mindatlas: {error}")
