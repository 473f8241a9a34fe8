"""The commands `ingest` and `kb`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mindatlas.graphs.console import print_json, print_text, say
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts import ingest as ingesting
from mindatlas.nodes.mindtrip.parts.knowledge_base import (
    MANIFEST,
    Library,
    list_knowledge_bases,
    locate,
    require_name,
)
from mindatlas.nodes.mindtrip.parts.lexical import LexicalKind


def ingest(
    paths: Sequence[Path],
    kb: str,
    embedding: str,
    lexical: LexicalKind | None,
    *,
    rebuild: bool,
    as_json: bool,
) -> int:
    """Ingest `paths` and print what changed."""
    report = ingesting.ingest(
        locate(require_name(kb)),
        paths,
        embedding=embedding,
        lexical=lexical,
        rebuild=rebuild,
        progress=say,
    )
    _show(asdict(report), as_json=as_json)
    return 0


def show_list(*, as_json: bool) -> None:
    """Print the names of the knowledge bases."""
    names = list_knowledge_bases()
    if as_json:
        print_json({"knowledge_bases": names})
    else:
        print_text(
            "\n".join(names)
            if names
            else "No knowledge base yet; make one with: mindatlas ingest PATH --kb NAME"
        )


def show_info(kb: str, *, as_json: bool) -> None:
    """Print what a knowledge base holds."""
    base = Library().get(require_name(kb))
    manifest = asdict(base.manifest)
    fields = {field["name"]: field["kind"] for field in manifest.pop("fields")}
    documents = len({passage.document_id for passage in base.passages})
    _show({"folder": str(base.folder), "documents": documents, **manifest, "fields": fields}, as_json=as_json)


def delete(kb: str, documents: Sequence[str], *, confirmed: bool, as_json: bool) -> int:
    """Delete documents, or the whole knowledge base when none is named.

    Raises:
        UsageError: there is no such knowledge base, or deleting all of it was not confirmed.
    """
    folder = locate(require_name(kb))
    if not (folder / MANIFEST).exists():
        raise UsageError(f"There is no knowledge base in {str(folder)!r}")
    if documents:
        _show(asdict(ingesting.delete(folder, documents)), as_json=as_json)
        return 0
    if not confirmed:
        raise UsageError(f"This would delete the whole knowledge base {kb!r}; say --yes to do it")
    shutil.rmtree(folder)
    _show({"deleted": str(folder)}, as_json=as_json)
    return 0


def _show(data: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(data)
    else:
        for name, value in data.items():
            print_text(
                f"{name}: {value if isinstance(value, str | int) else json.dumps(value, ensure_ascii=False)}"
            )
