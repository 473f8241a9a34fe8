"""Ingest: documents in, a new generation of the knowledge base out.

Every change builds a whole new generation beside the current one and then swaps the manifest, so that all legs
change at once, a crash loses nothing, and readers are never disturbed. Vectors of unchanged passages are copied.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from mindatlas.nodes.embeddings import Embedding, fit_idf, open_embedding, resolve_embedding
from mindatlas.nodes.errors import StoreError, UsageError
from mindatlas.nodes.mindtrip.parts.dense import EXACT, read_vectors, write_vectors
from mindatlas.nodes.mindtrip.parts.documents import Document, load_documents
from mindatlas.nodes.mindtrip.parts.fields import Field, profile_fields
from mindatlas.nodes.mindtrip.parts.knowledge_base import (
    MANIFEST,
    Manifest,
    generation_folder,
    read_idf,
    read_passages,
)
from mindatlas.nodes.mindtrip.parts.lexical import LARGE, LexicalKind, build_lexical, tokenize
from mindatlas.nodes.mindtrip.parts.passages import Passage, make_passages, names_of
from mindatlas.nodes.storage import ensure_folder, write_atomically
from mindatlas.nodes.text import Segmenter, fold

Progress = Callable[[str], None]
_KEPT_GENERATIONS = 2  # the current one, and the one before it for readers that still hold it
LARGE_BUILTIN = "builtin:v1:dim=512"
_REFIT = 2.0  # fit the idf table anew when the collection has grown by this factor


@dataclass(frozen=True, kw_only=True)
class StoredDocument:
    """A document with the ingested path it came from."""

    root: str
    document: Document


@dataclass(frozen=True, kw_only=True)
class IngestReport:
    """What an ingest changed, counted in documents; `passages` is the new total."""

    added: int
    changed: int
    deleted: int
    unchanged: int
    passages: int
    generation: int
    embedding: str
    lexical: str


def ingest(
    folder: Path,
    paths: Sequence[Path],
    *,
    embedding: str = "auto",
    lexical: LexicalKind | None = None,
    rebuild: bool = False,
    progress: Progress = lambda _: None,
) -> IngestReport:
    """Bring the knowledge base in `folder` in line with `paths`, and return what changed.

    A document that vanished from a path ingested before is deleted. The embedding and the lexical kind are chosen
    at the first ingest (`auto`, and by size) and recorded.

    Raises:
        FileReadError: a path cannot be read; nothing was changed.
        UsageError: two paths hold documents of one id, or another embedding was asked for without `rebuild`.
        StoreError: another process is writing.
    """
    loaded = {str(path.resolve()): load_documents(path) for path in paths}
    with _writing(folder):
        stored = _read_documents(folder)
        kept = [entry for entry in stored if entry.root not in loaded]
        new = [
            StoredDocument(root=root, document=document)
            for root, found in loaded.items()
            for document in found
        ]
        return _store(folder, stored, [*kept, *new], embedding, lexical, rebuild, progress)


def delete(folder: Path, document_ids: Iterable[str], *, progress: Progress = lambda _: None) -> IngestReport:
    """Delete documents by id from the knowledge base in `folder`.

    Raises:
        UsageError: an id is unknown.
        StoreError: another process is writing.
    """
    wanted = set(document_ids)
    with _writing(folder):
        stored = _read_documents(folder)
        if unknown := wanted - {entry.document.id for entry in stored}:
            raise UsageError(f"The knowledge base has no document {sorted(unknown)[0]!r}")
        kept = [entry for entry in stored if entry.document.id not in wanted]
        return _store(folder, stored, kept, "auto", None, False, progress)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    ensure_folder(folder)
    try:
        with FileLock(folder / "writer.lock", timeout=0):
            yield
    except Timeout:
        raise StoreError(
            f"Another process is writing to the knowledge base {str(folder)!r}; try again when it has finished"
        ) from None


def _store(
    folder: Path,
    old: Sequence[StoredDocument],
    new: Sequence[StoredDocument],
    embedding: str,
    lexical: LexicalKind | None,
    rebuild: bool,
    progress: Progress,
) -> IngestReport:
    _require_unique(new)
    manifest = Manifest.read(folder) if (folder / MANIFEST).exists() else Manifest()
    chosen = _choose_embedding(folder, manifest, embedding, rebuild=rebuild, documents=len(new))
    before = {entry.document.id: entry.document for entry in old}
    after = {entry.document.id: entry.document for entry in new}
    changed = sum(name in before and before[name] != document for name, document in after.items())
    deleted, added = len(before.keys() - after.keys()), len(after.keys() - before.keys())
    roots_moved = {(e.root, e.document.id) for e in old} != {(e.root, e.document.id) for e in new}
    if changed or deleted or added or rebuild or roots_moved or not manifest.generation:
        manifest = _write_generation(folder, manifest, new, chosen, lexical, rebuild, progress)
    return IngestReport(
        added=added,
        changed=changed,
        deleted=deleted,
        unchanged=len(after) - added - changed,
        passages=manifest.passages,
        generation=manifest.generation,
        embedding=manifest.embedding,
        lexical=manifest.lexical,
    )


def _require_unique(entries: Sequence[StoredDocument]) -> None:
    roots: dict[str, str] = {}
    for entry in entries:
        other = roots.setdefault(entry.document.id, entry.root)
        if other != entry.root:
            raise UsageError(
                f"The document id {entry.document.id!r} stands in both {other!r} and {entry.root!r}; "
                "make ids unique, or ingest them into separate knowledge bases"
            )


def _choose_embedding(folder: Path, manifest: Manifest, wanted: str, *, rebuild: bool, documents: int) -> str:
    """Return the embedding's full name: the recorded one, unless this is a first ingest or a rebuild.

    `builtin` takes a smaller dimension for a large collection, as Chroma's index grows with it.
    """
    recorded = manifest.embedding
    if not recorded or (rebuild and wanted != "auto"):
        full = resolve_embedding(wanted)
        return LARGE_BUILTIN if documents > EXACT and full == resolve_embedding("builtin") else full
    same_kind = wanted == "auto" or (wanted == "builtin" and recorded.startswith("builtin:"))
    if not same_kind and resolve_embedding(wanted) != recorded:
        raise UsageError(
            f"The knowledge base was built with the embedding {recorded!r}, not {wanted!r}; "
            f"build it anew with: mindatlas ingest PATH --kb {folder} --embedding {wanted} --rebuild"
        )
    return recorded


def _write_generation(
    folder: Path,
    old: Manifest,
    entries: Sequence[StoredDocument],
    embedding_name: str,
    lexical: LexicalKind | None,
    rebuild: bool,
    progress: Progress,
) -> Manifest:
    number = old.generation + 1
    files = generation_folder(folder, number)
    shutil.rmtree(files, ignore_errors=True)  # what a crash left
    files.mkdir()
    entries = sorted(entries, key=lambda entry: entry.document.id)
    _write_lines(files / "documents.jsonl", (asdict(entry) for entry in entries))
    fields, passages = _make_passages([entry.document for entry in entries])
    (files / "passages.jsonl").write_text("".join(f"{p.to_json()}\n" for p in passages), encoding="utf-8")
    kind = _choose_lexical(folder, old, lexical, rebuild=rebuild, size=len(passages))
    progress(f"indexing {len(passages)} passages for words")
    _write_lexical(files, passages, kind)
    previous = generation_folder(folder, old.generation) if old.generation and not rebuild else None
    refit = (
        previous is None or len(passages) >= _REFIT * max(1, old.fitted_on) or embedding_name != old.embedding
    )
    progress(f"embedding passages with {embedding_name}")
    _write_dense(files, passages, embedding_name, None if refit else previous)
    manifest = replace(
        old,
        generation=number,
        embedding=embedding_name,
        lexical=kind,
        passages=len(passages),
        fitted_on=len(passages) if refit else old.fitted_on,
        fields=[asdict(entry) for entry in fields],
    )
    write_atomically(folder / MANIFEST, manifest.to_json())
    for outdated in range(1, number - _KEPT_GENERATIONS + 1):
        shutil.rmtree(generation_folder(folder, outdated), ignore_errors=True)
    return manifest


def _choose_lexical(
    folder: Path, manifest: Manifest, wanted: LexicalKind | None, *, rebuild: bool, size: int
) -> LexicalKind:
    """Return the kind of word index: the recorded one, unless this is a first ingest or a rebuild."""
    if not manifest.generation or rebuild:
        return wanted or ("bm25s" if size > LARGE else "rank-bm25")
    if wanted not in {None, manifest.lexical}:
        raise UsageError(
            f"The knowledge base was built with the word index {manifest.lexical!r}, not {wanted!r}; "
            f"build it anew with: mindatlas ingest PATH --kb {folder} --lexical {wanted} --rebuild"
        )
    return manifest.lexical


def _make_passages(documents: Sequence[Document]) -> tuple[list[Field], list[Passage]]:
    names = {
        fold(name) for document in documents for name in (document.entity, document.title, *document.aliases)
    }
    fields = profile_fields([document.metadata for document in documents], names)
    relations = {entry.name for entry in fields if entry.kind == "relation"}
    passages = [p for document in documents for p in make_passages(document, hidden_fields=relations)]
    return fields, sorted(passages, key=lambda passage: passage.id)


def _write_lexical(files: Path, passages: Sequence[Passage], kind: LexicalKind) -> None:
    names = [name for known in names_of(passages).values() for name in known]
    segmenter = Segmenter(names)
    corpus = [tokenize(passage.indexed_text, segmenter) for passage in passages]
    build_lexical(kind, corpus).save(files)
    words = (term for terms in corpus for term in terms if not term.startswith("_"))
    vocabulary = segmenter.frequencies(words)
    frequencies = Counter(term for terms in corpus for term in set(terms))
    (files / "frequencies.json").write_text(
        json.dumps(frequencies, ensure_ascii=False, sort_keys=True), encoding="utf-8"
    )
    (files / "vocabulary.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")


def _write_dense(files: Path, passages: Sequence[Passage], name: str, previous: Path | None) -> None:
    """Embed the passages, reusing the vectors and the idf table of `previous` (None: fit and embed all)."""
    idf = read_idf(previous) if previous else fit_idf(name, [passage.indexed_text for passage in passages])
    if idf is not None:
        np.save(files / "idf.npy", idf, allow_pickle=False)
    known = _unchanged(passages, previous) if previous else {}
    fresh = [passage for passage in passages if passage.id not in known]
    vectors = dict(known)
    if fresh:
        embedding: Embedding = open_embedding(name, idf=idf)
        rows = embedding.passages([passage.indexed_text for passage in fresh])
        vectors |= {passage.id: row for passage, row in zip(fresh, rows, strict=True)}
    write_vectors(files, {passage.id: vectors[passage.id] for passage in passages})


def _unchanged(passages: Sequence[Passage], previous: Path) -> dict[str, NDArray[np.float32]]:
    old = {passage.id: passage.digest() for passage in read_passages(previous)}
    same = [passage.id for passage in passages if old.get(passage.id) == passage.digest()]
    return read_vectors(previous, same)


def _read_documents(folder: Path) -> list[StoredDocument]:
    if not (folder / MANIFEST).exists():
        return []
    path = generation_folder(folder, Manifest.read(folder).generation) / "documents.jsonl"
    with path.open(encoding="utf-8") as lines:
        return [_stored_document(json.loads(line)) for line in lines]


def _stored_document(data: dict[str, Any]) -> StoredDocument:
    document = data["document"]
    return StoredDocument(
        root=data["root"], document=Document(**{**document, "aliases": tuple(document["aliases"])})
    )


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
