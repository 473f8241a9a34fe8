"""Arithmetic on rows of vectors that all embeddings share."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def normalised(rows: ArrayLike) -> NDArray[np.float32]:
    """Return `rows`, shape `(n, dimension)`, as float32 with L2 norm 1; zero rows stay zero."""
    matrix = np.asarray(rows, dtype=np.float32)
    norms: NDArray[np.float32] = np.linalg.norm(matrix, axis=1, keepdims=True)
    norms[norms == 0] = 1
    return (matrix / norms).astype(np.float32, copy=False)


def normalised_row(row: ArrayLike) -> NDArray[np.float32]:
    """Return `row`, shape `(dimension,)`, as float32 with L2 norm 1; a zero row stays zero."""
    vector: NDArray[np.float32] = normalised(np.asarray(row)[None, :])[0]
    return vector
