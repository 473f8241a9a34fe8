from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:  # each takes a second to import, which the tests of dates or text need not wait for
    from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
    from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts

settings.register_profile(
    "repeatable", derandomize=True, deadline=None
)  # the same cases on every machine, however slow
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def tiny_bge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tiny random models `reranker` and `embedder`; skipped where the bge extra is missing."""
    pytest.importorskip("FlagEmbedding", reason="the bge extra is not installed")
    from tests import tiny_bge

    folder = tmp_path_factory.mktemp("bge")
    tiny_bge.build(folder)
    return folder


@pytest.fixture(autouse=True, scope="session")
def one_dictionary() -> None:
    """Let jieba read its dictionary once for all tokenizers: each ingest makes one, and reading takes a second."""
    import jieba

    def initialize(self: jieba.Tokenizer, dictionary: Any = None) -> None:
        if self is jieba.dt or self.initialized:
            read(self, dictionary)
            return
        read(jieba.dt)
        self.FREQ, self.total = dict(jieba.dt.FREQ), jieba.dt.total
        self.initialized = True

    read = jieba.Tokenizer.initialize
    jieba.setLogLevel("ERROR")
    jieba.Tokenizer.initialize = initialize


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that MINDATLAS_HOME points to."""
    folder = tmp_path / "home"
    monkeypatch.setenv("MINDATLAS_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def _bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from mindatlas.nodes.mindtrip.parts.bundled import ensure_bundled

    folder = tmp_path_factory.mktemp("bundled")
    ensure_bundled(folder / "kb" / "hainan")
    return folder


@pytest.fixture
def bundled_home(_bundled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """MINDATLAS_HOME with the bundled knowledge base, made once and shared: for reading only, with own thread ids."""
    monkeypatch.setenv("MINDATLAS_HOME", str(_bundled))
    return _bundled


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    """The knowledge base of `tests.knowledge.PLACES`, made once and shared: for reading only."""
    from tests.knowledge import PLACES, make_base

    return make_base(tmp_path_factory.mktemp("places") / "kb", PLACES)


@pytest.fixture(scope="session")
def parts(places: KnowledgeBase) -> MindTripParts:
    """The builtin parts over `places`."""
    from mindatlas.nodes.mindtrip.parts.toolkit import MindTripSettings, open_parts

    return open_parts(MindTripSettings(kb=str(places.folder)))
