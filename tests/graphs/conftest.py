from __future__ import annotations

from pathlib import Path

import pytest

from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase


@pytest.fixture
def kb(home: Path, places: KnowledgeBase) -> Path:
    """The knowledge base of `tests.knowledge.PLACES`, with a home of its own for threads and runs."""
    return places.folder
