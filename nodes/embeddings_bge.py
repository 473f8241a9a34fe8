"""The `bge:MODEL` embedding: BGE models through FlagEmbedding, from a folder or the hub's cache."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindatlas.nodes.embeddings_rows import normalised, normalised_row
from mindatlas.nodes.flag_embedding import load, require_extra, weights_folder

_BATCH = 16
# What the v1 and v1.5 models were trained to see before a question (their model cards); bge-m3 takes nothing.
_INSTRUCTIONS = {
    "zh": "为这个句子生成表示以用于检索相关文章：",
    "en": "Represent this sentence for searching relevant passages: ",
}
_MONOLINGUAL = re.compile(r"bge-(?:small|base|large)-(zh|en)\b", re.IGNORECASE)


class BgeEmbedding:
    """The dense vectors of a BGE model: that of the first token, L2-normalised.

    Weights are looked for when the embedding is opened and loaded at the first call, which takes seconds.

    Raises:
        SetupError: FlagEmbedding or the weights are missing.
    """

    def __init__(self, model: str, *, allow_download: bool = False) -> None:
        require_extra(f"The embedding 'bge:{model}'")
        self.name = f"bge:{model}"
        self._folder = weights_folder(model, allow_download=allow_download)
        self._instruction = _instruction(model)

    @property
    def dimension(self) -> int:
        """The length of each vector."""
        return int(self._model.model.config.hidden_size)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, shape `(len(texts), dimension)`, L2-normalised.

        What goes beyond 512 tokens of a text is not read.
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return normalised(self._model.encode_corpus(list(texts), batch_size=_BATCH))

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question, shape `(dimension,)`, L2-normalised."""
        return normalised_row(self._model.encode_queries([text], batch_size=1)[0])

    @cached_property
    def _model(self) -> Any:
        return load("FlagModel", self._folder, query_instruction_for_retrieval=self._instruction)


def _instruction(model: str) -> str | None:
    match = _MONOLINGUAL.search(model)
    return _INSTRUCTIONS[match[1].lower()] if match else None
