"""Writes a file and loads it, for the tests of the document readers."""

from __future__ import annotations

from pathlib import Path

from mindatlas.nodes.mindtrip.parts.documents import Document, load_documents


def load(folder: Path, name: str, content: str | bytes) -> list[Document]:
    """Return the documents of a file `name` with `content`, written into `folder`."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load_documents(path)
