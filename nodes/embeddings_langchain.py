"""Embeddings of any provider that LangChain's `init_embeddings` takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray
from pydantic import ValidationError

from mindatlas.nodes.embeddings_rows import normalised, normalised_row
from mindatlas.nodes.errors import SetupError, UsageError
from mindatlas.nodes.models_errors import provider_errors
from mindatlas.nodes.models_settings import missing_key, provider_of


class LangChainEmbedding:
    """Vectors of a LangChain `Embeddings`, L2-normalised.

    Calls may raise ModelTransportError, ModelReplyError and SetupError, as those of a chat model.
    """

    def __init__(self, name: str, embeddings: Embeddings) -> None:
        self.name = name
        self._embeddings = embeddings
        self._dimension: int | None = None

    @property
    def dimension(self) -> int:
        """The length of each vector; costs one call when it is asked for first."""
        if self._dimension is None:
            self._dimension = len(self.query("dimension"))
        return self._dimension

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, shape `(len(texts), dimension)`, each L2-normalised or all zero."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with provider_errors(self._embeddings):
            return normalised(self._embeddings.embed_documents(list(texts)))

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question, shape `(dimension,)`, L2-normalised or all zero."""
        with provider_errors(self._embeddings):
            return normalised_row(self._embeddings.embed_query(text))


def open_langchain(name: str) -> LangChainEmbedding:
    """Return the embedding `"provider:model"`; nothing is sent yet.

    The address and key come from the provider's environment variables, such as OPENAI_BASE_URL.

    Raises:
        UsageError: the provider is unknown to LangChain.
        SetupError: the provider's package or key is missing.
    """
    if (variable := missing_key(name)) is not None:
        raise SetupError(f"The embedding {name!r} needs an API key: set the environment variable {variable}")
    from langchain.embeddings import init_embeddings

    try:
        embeddings = init_embeddings(name, **_arguments(name))
    except ImportError as error:
        raise SetupError(f"The embedding {name!r} needs a package: {error}") from error
    except ValidationError as error:
        # The values are left out, and the error is not chained: one of them may be a key.
        reasons = "; ".join(item["msg"] for item in error.errors(include_input=False))
        raise SetupError(f"The embedding {name!r} cannot be set up: {reasons}") from None
    except ValueError as error:
        raise UsageError(
            f"The embedding {name!r} cannot be opened: {' '.join(str(error).split())}"
        ) from error
    return LangChainEmbedding(f"langchain:{name}", embeddings)


def _arguments(name: str) -> dict[str, Any]:
    """Return what the provider needs beside the name.

    OpenAI's class counts tokens first, which downloads a vocabulary and sends numbers that other servers
    behind the same protocol cannot read. Passages are far below its limit, so it may send the text.
    """
    return {"check_embedding_ctx_length": False} if provider_of(name) in {"openai", "azure_openai"} else {}
