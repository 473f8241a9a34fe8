"""The commands `schema` and `precheck`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mindatlas.graphs.console import print_json, print_text
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.storage import home


def schema(workbooks: Sequence[Path], *, private: bool, hidden: bool, as_json: bool) -> int:
    """Print the schema card of workbooks, and return exit code 0.

    Raises:
        FileReadError: A workbook cannot be read.
    """
    books = read_workbooks(workbooks, cache=home() / "cache" / "workbooks", include_hidden=hidden)
    if as_json:
        print_json(books.card.to_json(private=private))
    else:
        print_text(books.card.to_text(private=private))
    return 0
