"""The knowledge base that ships with the package: travel in Hainan."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from mindatlas.nodes.mindtrip.parts.knowledge_base import MANIFEST

_STAMP = "bundled.sha256"


def ensure_bundled(folder: Path) -> None:
    """Make or update the Hainan knowledge base in `folder` when its data is not what the package ships."""
    stamp = folder / _STAMP
    if (folder / MANIFEST).exists() and stamp.exists() and stamp.read_text() == _digest():
        return
    from mindatlas.nodes.mindtrip.parts.ingest import (
        ingest,
    )  # loads parsers that a finished index does not need

    with as_file(files("mindatlas.nodes.mindtrip.parts").joinpath("hainan")) as source:
        ingest(folder, [source], embedding="builtin", rebuild=(folder / MANIFEST).exists())
    stamp.write_text(_digest())


@cache
def _digest() -> str:
    entries = files("mindatlas.nodes.mindtrip.parts").joinpath("hainan").iterdir()
    digest = hashlib.sha256()
    for entry in sorted(entries, key=lambda entry: entry.name):
        digest.update(entry.name.encode() + entry.read_bytes())
    return digest.hexdigest()
