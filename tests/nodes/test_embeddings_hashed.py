from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.embeddings_hashed import HashedNgramEmbedding, fit

PLACES = [
    "日月湾是万宁的海湾，适合冲浪。",
    "文昌鸡是文昌的名菜，肉质嫩滑。",
    "五指山是海南最高的山，雨林茂密。",
    "骑楼老街在海口，保留着南洋风格的建筑。",
]
EMBEDDING = HashedNgramEmbedding()


@given(st.lists(st.text(), max_size=4))
def test_rows_have_norm_one_or_zero(texts: list[str]) -> None:
    rows = EMBEDDING.passages(texts)
    assert rows.shape == (len(texts), EMBEDDING.dimension)
    assert rows.dtype == np.float32
    norms = np.linalg.norm(rows, axis=1)
    assert np.all((np.abs(norms - 1) < 1e-5) | (norms == 0))


@given(st.text())
def test_query_and_passage_are_treated_alike(text: str) -> None:
    assert np.array_equal(EMBEDDING.passages([text])[0], EMBEDDING.query(text))


@pytest.mark.parametrize("text", ["", "  \n", "，。！", "\ud800", "🙂"])
def test_text_without_content_is_zero(text: str) -> None:
    assert not EMBEDDING.query(text).any()


@pytest.mark.parametrize(
    ("question", "best"), [("去哪里冲浪", 0), ("名菜有什么", 1), ("最高的山", 2), ("老街的建筑风格", 3)]
)
def test_question_is_nearest_to_its_passage(question: str, best: int) -> None:
    embedding = HashedNgramEmbedding(idf=fit(PLACES))
    assert int(np.argmax(embedding.passages(PLACES) @ embedding.query(question))) == best


def test_traditional_wide_and_upper_case_text_is_the_same() -> None:
    assert np.array_equal(EMBEDDING.query("日月灣　ＳＵＲＦ"), EMBEDDING.query("日月湾 surf"))


def test_letters_share_triples_across_forms() -> None:
    surfing = EMBEDDING.query("surfing")
    assert surfing @ EMBEDDING.query("surfers") > 0.2 > surfing @ EMBEDDING.query("temple")


def test_pairs_do_not_cross_punctuation() -> None:
    assert EMBEDDING.query("海，口") @ EMBEDDING.query("海口") < 0.999


def test_order_of_sentences_does_not_matter() -> None:
    assert EMBEDDING.query("三亚。海口。") @ EMBEDDING.query("海口。三亚。") == pytest.approx(1)


def test_idf_is_that_of_the_formula() -> None:
    table = fit(["海", "海", "山"], dimension=4096)
    sea, hill = (int(np.flatnonzero(HashedNgramEmbedding(dimension=4096).query(char))[0]) for char in "海山")
    assert table[sea] == pytest.approx(np.log(4 / 3) + 1)
    assert table[hill] == pytest.approx(np.log(4 / 2) + 1)
    assert table.max() == pytest.approx(np.log(4) + 1)


def test_no_texts_weigh_all_alike() -> None:
    assert np.array_equal(fit([], dimension=8), np.ones(8, dtype=np.float32))


def test_common_words_weigh_less_once_fitted() -> None:
    texts = [f"海南的{char}" for char in "山水花鸟鱼虫"]
    plain, fitted = EMBEDDING, HashedNgramEmbedding(idf=fit(texts))
    unrelated = ("海南的山", "海南的水")
    assert fitted.query(unrelated[0]) @ fitted.query(unrelated[1]) < plain.query(unrelated[0]) @ plain.query(
        unrelated[1]
    )


@pytest.mark.parametrize("seed", ["0", "1"])
def test_vectors_are_the_same_in_every_process(seed: str) -> None:
    code = (
        "import sys; from mindatlas.nodes.embeddings_hashed import HashedNgramEmbedding;"
        "sys.stdout.write(HashedNgramEmbedding(dimension=32).query('三亚 surf 2024').tobytes().hex())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert found == HashedNgramEmbedding(dimension=32).query("三亚 surf 2024").tobytes().hex()


def test_vectors_stay_as_version_one_wrote_them() -> None:
    """An index on disk holds such vectors: another value here needs another version in the name."""
    vector = HashedNgramEmbedding(dimension=8).query("三亚 surf")
    half = 0.5**1.5
    assert vector.tolist() == pytest.approx([-2 * half, -half, -half, -half, 0, 0, half, 0])
