from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindatlas.nodes.mindtrip.parts.lexical import LexicalKind, build_lexical, load_lexical, tokenize
from mindatlas.nodes.text import Segmenter

CORPUS = [["surf", "bay"], ["surf", "town"], ["temple"], ["museum", "town"]]


def test_terms_are_words_then_bigrams_of_the_chinese_runs() -> None:
    terms = tokenize("去日月湾 Surf 60", Segmenter(["日月湾"]))
    assert terms == ["去", "日月湾", "surf", "60", "_去日", "_日月", "_月湾"]
    assert tokenize("", Segmenter()) == []


@pytest.mark.parametrize("kind", ["rank-bm25", "bm25s"])
def test_a_term_in_exactly_half_the_passages_counts(kind: LexicalKind) -> None:
    scores = build_lexical(kind, CORPUS).scores(["surf"])
    assert scores.shape == (4,)
    assert scores[0] > 0
    assert scores[1] > 0
    assert scores[2] == scores[3] == 0


@pytest.mark.parametrize("kind", ["rank-bm25", "bm25s"])
def test_a_term_in_every_passage_counts_for_little_but_never_below_zero(kind: LexicalKind) -> None:
    index = build_lexical(kind, [["bay", "surf"], ["bay", "town"]])
    assert (index.scores(["bay"]) > 0).all()
    assert index.scores(["surf"])[0] > index.scores(["bay"])[0]


@pytest.mark.parametrize("kind", ["rank-bm25", "bm25s"])
@pytest.mark.parametrize("corpus", [[], [[]], [[], []], [["bay"]], [["bay"], []]])
@pytest.mark.parametrize("terms", [[], ["bay"], ["unknown"]])
def test_small_and_empty_corpora(kind: LexicalKind, corpus: list[list[str]], terms: list[str]) -> None:
    scores = build_lexical(kind, corpus).scores(terms)
    assert scores.shape == (len(corpus),)
    assert (scores >= 0).all()
    assert [score > 0 for score in scores] == [term == ["bay"] and terms == ["bay"] for term in corpus]


def test_both_kinds_give_the_same_order() -> None:
    """Their formulas differ by the factor k1 + 1 only."""
    terms = ["surf", "town", "unknown"]
    small, large = (build_lexical(kind, CORPUS).scores(terms) for kind in ("rank-bm25", "bm25s"))
    np.testing.assert_allclose(small / small.max(), large / large.max(), rtol=1e-5)


@pytest.mark.parametrize("kind", ["rank-bm25", "bm25s"])
@pytest.mark.parametrize("corpus", [CORPUS, [], [[]]])
def test_a_saved_index_scores_as_before(tmp_path: Path, kind: LexicalKind, corpus: list[list[str]]) -> None:
    index = build_lexical(kind, corpus)
    index.save(tmp_path)
    loaded = load_lexical(tmp_path, len(corpus))
    np.testing.assert_array_equal(loaded.scores(["surf", "town"]), index.scores(["surf", "town"]))
