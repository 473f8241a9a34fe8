from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.chunks import chunk_spans, split_text
from mindatlas.nodes.text import sentences

TEXTS = st.text(st.sampled_from("海湾浪ab. \n\t。！？；，、,”」)A") | st.characters(), max_size=400)


def test_a_short_text_is_one_chunk() -> None:
    assert split_text("  日月湾适合冲浪。石梅湾更平静。 ") == ["日月湾适合冲浪。石梅湾更平静。"]


@pytest.mark.parametrize("text", ["", " ", "\n\n\t", "\u3000"])
def test_blank_text_has_no_chunk(text: str) -> None:
    assert split_text(text) == []


def test_cuts_fall_at_sentence_ends() -> None:
    assert split_text("一二三。四五六。七八九。", max_chars=9, overlap=0) == ["一二三。四五六。", "七八九。"]


def test_the_white_space_between_two_sentences_stays_in_their_chunk() -> None:
    assert split_text("One is. Two is.\n\nThree is.", max_chars=15, overlap=0) == [
        "One is. Two is.",
        "Three is.",
    ]


def test_whole_sentences_overlap() -> None:
    chunks = split_text("一二三。四五六。七八九。十百千。", max_chars=12, overlap=4)
    assert chunks == ["一二三。四五六。七八九。", "七八九。十百千。"]


def test_a_sentence_longer_than_the_overlap_is_not_repeated() -> None:
    assert split_text("一二三。四五六。七八九。", max_chars=8, overlap=3) == ["一二三。四五六。", "七八九。"]


def test_the_overlap_gives_way_when_the_next_sentence_would_not_fit() -> None:
    chunks = split_text("甲。乙。丙丁戊己庚辛壬癸。", max_chars=10, overlap=4)
    assert chunks == ["甲。乙。", "丙丁戊己庚辛壬癸。"]


def test_a_long_sentence_is_cut_at_its_last_pause() -> None:
    assert split_text("一二三，四五，六七八九十。", max_chars=8, overlap=0) == [
        "一二三，四五，",
        "六七八九十。",
    ]


def test_a_long_word_is_cut_hard() -> None:
    assert split_text("a" * 25, max_chars=10, overlap=0) == ["a" * 10, "a" * 10, "a" * 5]


def test_a_run_of_spaces_makes_no_blank_chunk() -> None:
    assert split_text(f"a,{' ' * 40}b", max_chars=10, overlap=0) == ["a,        ", "b"]


@pytest.mark.parametrize(("max_chars", "overlap"), [(0, 0), (-1, -2), (10, 10), (10, -1)])
def test_impossible_sizes_are_refused(max_chars: int, overlap: int) -> None:
    with pytest.raises(UsageError, match="overlap="):
        split_text("text", max_chars=max_chars, overlap=overlap)


@given(TEXTS, st.integers(1, 60), st.data())
def test_nothing_is_lost_and_nothing_is_too_long(text: str, max_chars: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, max_chars - 1))
    position = previous = 0
    for start, end in chunk_spans(text, max_chars=max_chars, overlap=overlap):
        assert 0 < end - start <= max_chars
        assert text[start:end].strip()
        assert start >= previous or previous == 0
        assert end > position
        assert start > position or position - start <= overlap
        assert not text[position:start].strip()
        previous, position = start, end
    assert not text[position:].strip()


@given(TEXTS)
def test_chunks_that_need_not_cut_a_sentence_hold_whole_ones(text: str) -> None:
    longest = max((len(sentence) for sentence in sentences(text)), default=0)
    chunks = split_text(text, max_chars=longest + 1, overlap=0)
    assert [sentence for chunk in chunks for sentence in sentences(chunk)] == sentences(text)


@given(TEXTS, st.integers(2, 60))
def test_chunks_are_the_slices_at_their_spans(text: str, max_chars: int) -> None:
    spans = chunk_spans(text, max_chars=max_chars, overlap=1)
    assert split_text(text, max_chars=max_chars, overlap=1) == [text[start:end] for start, end in spans]
