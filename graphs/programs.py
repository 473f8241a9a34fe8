"""Programs that a user has in a file."""

from __future__ import annotations

from pathlib import Path

from mindatlas.nodes.errors import FileReadError


def read_program(path: Path) -> str:
    """Return the text of a program.

    Raises:
        FileReadError: There is no such file, or it is no UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FileReadError(f"Cannot read the program {str(path)!r}: {error}") from error
