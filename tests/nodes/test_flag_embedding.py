from __future__ import annotations

import socket
from pathlib import Path

import pytest

from mindatlas.nodes import flag_embedding
from mindatlas.nodes.errors import SetupError
from mindatlas.nodes.flag_embedding import load, require_extra, weights_folder

pytest.importorskip("huggingface_hub")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_missing_extra_gives_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flag_embedding, "find_spec", lambda _: None)
    with pytest.raises(SetupError, match=r"'bge:m' needs .* pip install 'mindatlas\[bge\]'"):
        require_extra("The reranker 'bge:m'")


def test_folder_is_its_own_weights(tmp_path: Path) -> None:
    assert weights_folder(str(tmp_path), allow_download=False) == tmp_path


@pytest.mark.usefixtures("no_network")
def test_missing_weights_give_the_command_and_nothing_is_sent() -> None:
    with pytest.raises(SetupError, match="hf download BAAI/no-such-model-here"):
        weights_folder("BAAI/no-such-model-here", allow_download=False)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("name", ["./no/such/folder", "a/b/c", "with space"])
def test_absent_folder_is_named(name: str) -> None:
    with pytest.raises(SetupError, match=name):
        weights_folder(name, allow_download=False)


@pytest.mark.bge
@pytest.mark.slow
def test_folder_without_a_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("FlagEmbedding", reason="the bge extra is not installed")
    with pytest.raises(SetupError, match=tmp_path.name):
        load("FlagReranker", tmp_path)
