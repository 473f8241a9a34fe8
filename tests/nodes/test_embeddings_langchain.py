from __future__ import annotations

import numpy as np
import pytest

from mindatlas.nodes.embeddings import open_embedding
from mindatlas.nodes.errors import ModelTransportError, SetupError, UsageError
from tests.chat_server import ChatServer, status, vectors

NAME = "openai:text-embedding-3-small"


def test_texts_go_over_the_wire_and_rows_are_normalised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with ChatServer([vectors([[3.0, 4.0], [0.0, 0.0]]), vectors([[0.0, 2.0]])]) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        embedding = open_embedding(NAME)
        assert embedding.name == f"langchain:{NAME}"
        np.testing.assert_allclose(embedding.passages(["三亚", "海口"]), [[0.6, 0.8], [0.0, 0.0]], atol=1e-6)
        question = embedding.query("哪里")
        assert question.tolist() == [0.0, 1.0]
        assert question.dtype == np.float32
    assert server.requests[0]["input"] == ["三亚", "海口"], "as text: other servers cannot read token numbers"
    assert server.requests[0]["model"] == "text-embedding-3-small"


def test_dimension_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with ChatServer([vectors([[1.0, 0.0, 0.0]])]) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        embedding = open_embedding(NAME)
        assert embedding.dimension == 3
        assert embedding.passages([]).shape == (0, 3)


def test_failure_names_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with ChatServer([status(400)]) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        with pytest.raises(ModelTransportError, match=server.base_url):
            open_embedding(NAME).query("哪里")


def test_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SetupError, match="OPENAI_API_KEY"):
        open_embedding(NAME)


def test_missing_package_gives_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COHERE_API_KEY", "k")
    with pytest.raises(SetupError, match="pip install langchain-cohere"):
        open_embedding("cohere:embed-multilingual-v3.0")


def test_unknown_provider_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="acme"):
        open_embedding("acme:large")
