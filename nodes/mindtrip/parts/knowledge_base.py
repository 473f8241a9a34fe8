"""A knowledge base on disk, opened for retrieval.

Layout of its folder: `manifest.json` names the current generation, `generation-N/` holds passages, vectors and
the lexical index, `writer.lock` keeps writers apart. A generation never changes once the manifest names it, so a
reader sees one whole state and a crash leaves the old one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindatlas.nodes.embeddings import Embedding, open_embedding
from mindatlas.nodes.errors import SetupError, StoreError, UsageError
from mindatlas.nodes.mindtrip.parts.constraints import ConstraintReader
from mindatlas.nodes.mindtrip.parts.dense import DenseIndex
from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.fields import Field, FieldTable, Role, items
from mindatlas.nodes.mindtrip.parts.lexical import LexicalIndex, LexicalKind, load_lexical, tokenize
from mindatlas.nodes.mindtrip.parts.passages import Passage, names_of
from mindatlas.nodes.storage import home, read_versioned
from mindatlas.nodes.text import Segmenter, fold

FORMAT = 1
MANIFEST = "manifest.json"
BUNDLED = "hainan"


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What `manifest.json` says; `roots` maps each ingested path to the digest of each of its documents."""

    format: int = FORMAT
    generation: int = 0
    embedding: str = ""
    lexical: LexicalKind = "rank-bm25"
    passages: int = 0
    fitted_on: int = 0
    fields: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Return the manifest of the knowledge base in `folder`.

        Raises:
            StoreError: it is damaged, or newer than this version.
        """
        try:
            return cls(**read_versioned(folder / MANIFEST, newest=FORMAT))
        except TypeError as error:
            raise StoreError(f"{str(folder / MANIFEST)!r} is damaged: {error}") from error

    def to_json(self) -> str:
        """Return the manifest as JSON text."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True)


def locate(name: str) -> Path:
    """Return the folder of the knowledge base `name`: a path when it looks like one or exists, else under home."""
    path = Path(name).expanduser()
    looks_like_path = path.is_absolute() or len(path.parts) > 1 or name.startswith(".")
    return path if looks_like_path or (path / MANIFEST).exists() else home() / "kb" / name


def generation_folder(folder: Path, generation: int) -> Path:
    """Return where generation `generation` of the knowledge base in `folder` lies."""
    return folder / f"generation-{generation}"


class KnowledgeBase:
    """One generation of a knowledge base, read-only, safe to share between threads.

    Raises:
        SetupError: there is no knowledge base in `folder`.
        StoreError: it is damaged or of a newer format.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / MANIFEST).exists():
            raise SetupError(
                f"There is no knowledge base in {str(folder)!r}; make one with: mindatlas ingest PATH --kb {folder}"
            )
        self.folder = folder
        self.manifest = Manifest.read(folder)
        self._files = generation_folder(folder, self.manifest.generation)
        self.passages = read_passages(self._files)
        self.ids = [passage.id for passage in self.passages]
        self.rows = {name: row for row, name in enumerate(self.ids)}
        self.entities = EntityIndex(names_of(self.passages))
        self.table = FieldTable(
            [passage.metadata for passage in self.passages],
            [Field(**entry) for entry in self.manifest.fields],
        )
        self._rows_by_name: dict[str, list[int]] = {}
        for row, passage in enumerate(self.passages):
            for name in {fold(name) for name in passage.names}:
                self._rows_by_name.setdefault(name, []).append(row)

        self._folded: dict[int, str] = {}

    def folded(self, row: int) -> str:
        """Return the indexed text of a row, folded for matching, computed once."""
        if row not in self._folded:
            self._folded[row] = fold(self.passages[row].indexed_text)
        return self._folded[row]

    @cached_property
    def embedding(self) -> Embedding:
        """The embedding that the index was built with."""
        return open_embedding(self.manifest.embedding, idf=read_idf(self._files))

    @cached_property
    def dense(self) -> DenseIndex:
        """The vectors."""
        return DenseIndex(self._files, self.ids)

    @cached_property
    def lexical(self) -> LexicalIndex:
        """The BM25 index."""
        return load_lexical(self._files, len(self.passages))

    @cached_property
    def segmenter(self) -> Segmenter:
        """Cuts text into the words that the index knows."""
        vocabulary = json.loads((self._files / "vocabulary.json").read_text(encoding="utf-8"))
        return Segmenter(vocabulary=vocabulary)

    @cached_property
    def constraint_reader(self) -> ConstraintReader:
        """Reads conditions on the fields of this knowledge base."""
        return ConstraintReader(self.table, self.entities)

    def terms(self, text: str) -> list[str]:
        """Return the index terms of `text`."""
        return tokenize(text, self.segmenter)

    @cached_property
    def _frequencies(self) -> dict[str, int]:
        frequencies: dict[str, int] = json.loads(
            (self._files / "frequencies.json").read_text(encoding="utf-8")
        )
        return frequencies

    def document_frequency(self, term: str) -> int:
        """Return in how many passages the character bigram or word `term` stands."""
        return self._frequencies.get(f"_{term}", self._frequencies.get(term, 0))

    def rows_named(self, name: str) -> list[int]:
        """Return the rows whose subject has `name` as a whole, ascending, through entity and aliases.

        A name that stands for an entity brings every row of that entity: an English alias, its branches.
        """
        rows = set(self._rows_by_name.get(fold(name), ()))
        entity = self.entities.resolve(name)
        if entity is not None:
            rows.update(self._rows_by_name.get(fold(entity), ()))
        return sorted(rows)

    def stated(self, row: int, role: Role) -> set[str]:
        """Return the values, folded, that a row states in its fields of `role`."""
        fields = [field.name for field in self.table.with_role(role)]
        values = (self.passages[row].metadata.get(field) for field in fields)
        return {fold(str(value)) for value in values if value}

    def english_name(self, entity: str) -> str:
        """Return `entity` with its first Latin alias, `日月湾 (Riyue Bay)`, or alone where it has none."""
        aliases = (alias for row in self.rows_named(entity) for alias in self.passages[row].aliases)
        latin = next((alias for alias in aliases if alias.isascii()), None)
        return f"{entity} ({latin})" if latin and not entity.isascii() else entity

    def related(self, entity: str) -> list[int]:
        """Return the rows that `entity`'s record lists in its relation fields, and those that list it, ascending."""
        relations = [field.name for field in self.table.fields.values() if field.kind == "relation"]
        anchors = self.rows_named(entity)
        listed = [
            name
            for row in anchors
            for relation in relations
            for name in items(self.passages[row].metadata.get(relation))
        ]
        rows = {row for name in listed for row in self._rows_by_name.get(fold(name), ())}
        for relation in relations:
            rows.update(self.table.values(relation).get(fold(entity), ()))
        return sorted(rows - set(anchors))

    @property
    def has_relations(self) -> bool:
        """Whether some field lists other entities."""
        return any(field.kind == "relation" for field in self.table.fields.values())

    def mask(self, rows: Iterable[int]) -> NDArray[np.bool_]:
        """Return a mask, shape `(n_passages,)`, that is true at `rows`."""
        mask = np.zeros(len(self.passages), dtype=bool)
        mask[list(rows)] = True
        return mask


def read_passages(files: Path) -> list[Passage]:
    """Return the passages of the generation in `files`, sorted by id.

    Raises:
        StoreError: the file is missing or damaged.
    """
    path = files / "passages.jsonl"
    try:
        with path.open(encoding="utf-8") as lines:
            return [Passage.from_dict(json.loads(line)) for line in lines]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{str(path)!r} is damaged ({error}); ingest the files again with --rebuild"
        ) from error


def read_idf(files: Path) -> NDArray[np.float32] | None:
    """Return the frozen idf table of the builtin embedding, or None where another one was used."""
    path = files / "idf.npy"
    return np.load(path, allow_pickle=False) if path.exists() else None


class Library:
    """Opens knowledge bases and reopens one when a newer generation appears.

    A host keeps one `Library`; each question asks it for the current state.
    """

    def __init__(self) -> None:
        self._open: dict[Path, tuple[tuple[int, int], KnowledgeBase]] = {}

    def get(self, name: str) -> KnowledgeBase:
        """Return the current generation of the knowledge base `name`; the bundled one is made on first use."""
        folder = locate(name)
        if name == BUNDLED and folder not in self._open:
            from mindatlas.nodes.mindtrip.parts.bundled import ensure_bundled

            ensure_bundled(folder)
        written = _written(folder)
        if folder not in self._open or self._open[folder][0] != written:
            self._open[folder] = (written, KnowledgeBase(folder))
        return self._open[folder][1]


def _written(folder: Path) -> tuple[int, int]:
    """Return what tells one manifest from the next without reading it: each is a new file."""
    try:
        status = (folder / MANIFEST).stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_mtime_ns, status.st_ino


def list_knowledge_bases() -> list[str]:
    """Return the names of the knowledge bases under home, sorted."""
    folder = home() / "kb"
    return sorted(path.parent.name for path in folder.glob(f"*/{MANIFEST}")) if folder.exists() else []


def require_name(name: str) -> str:
    """Return `name` when it can name a knowledge base.

    Raises:
        UsageError: it is empty.
    """
    if not name.strip():
        raise UsageError("The knowledge base has an empty name; give a name or a folder")
    return name
