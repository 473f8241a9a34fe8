from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_bge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tiny random models `reranker` and `embedder`; skipped where the bge extra is missing."""
    pytest.importorskip("FlagEmbedding", reason="the bge extra is not installed")
    from tests import tiny_bge

    folder = tmp_path_factory.mktemp("bge")
    tiny_bge.build(folder)
    return folder
