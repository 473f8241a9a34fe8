from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindatlas.nodes import flag_embedding
from mindatlas.nodes.embeddings import Embedding, open_embedding
from mindatlas.nodes.embeddings_bge import _instruction
from mindatlas.nodes.errors import SetupError
from tests.tiny_bge import TEXTS


@pytest.mark.parametrize(
    ("model", "begins"),
    [
        ("BAAI/bge-large-zh-v1.5", "为这个句子"),
        ("/models/bge-small-en-v1.5", "Represent"),
        ("BAAI/bge-m3", None),
        ("/models/bge-base-zhuang", None),
    ],
)
def test_monolingual_models_get_their_instruction(model: str, begins: str | None) -> None:
    instruction = _instruction(model)
    assert instruction is None if begins is None else (instruction or "").startswith(begins)


def test_missing_extra_gives_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flag_embedding, "find_spec", lambda _: None)
    with pytest.raises(SetupError, match=r"pip install 'mindatlas\[bge\]'"):
        open_embedding("bge:BAAI/bge-m3")


@pytest.fixture(scope="module")
def bge(tiny_bge: Path) -> Embedding:
    return open_embedding(f"bge:{tiny_bge / 'embedder'}")


@pytest.mark.bge
@pytest.mark.slow
def test_rows_are_normalised_float32(bge: Embedding) -> None:
    rows = bge.passages([*TEXTS, "", "海" * 900])
    assert rows.shape == (5, bge.dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert bge.passages([]).shape == (0, 64)


@pytest.mark.bge
@pytest.mark.slow
def test_row_does_not_depend_on_its_batch(bge: Embedding) -> None:
    rows = bge.passages(TEXTS)
    for text, row in zip(TEXTS, rows, strict=True):
        np.testing.assert_allclose(bge.passages([text])[0], row, atol=1e-5)
        np.testing.assert_allclose(bge.query(text), row, atol=1e-5)


@pytest.mark.bge
@pytest.mark.slow
def test_dense_vectors_are_those_of_the_m3_class(tiny_bge: Path, bge: Embedding) -> None:
    m3 = flag_embedding.load("BGEM3FlagModel", tiny_bge / "embedder")
    np.testing.assert_allclose(m3.encode_corpus(TEXTS)["dense_vecs"], bge.passages(TEXTS), atol=1e-5)


@pytest.mark.bge
@pytest.mark.slow
def test_recorded_name_opens_again(bge: Embedding) -> None:
    assert open_embedding(bge.name).name == bge.name
