from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.text import (
    Segmenter,
    char_ngrams,
    fold,
    fold_with_offsets,
    is_cjk,
    language_of,
    sentences,
    tokens,
)

# What questions and passages are made of, and the characters that folding treats apart.
TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from("日月湾灣後海萬寧乾么著 \t\n\u3000\u00a0\u200b\x00\x7f，。！？；.;ＡａBß１½ﬁ①°é"),
        st.characters(codec="utf-8", exclude_categories=["Cs"]),
    ),
    max_size=30,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Riyue  BAY", "riyue bay"),
        ("Ｒｉｙｕｅ　Ｂａｙ", "riyue bay"),
        ("日月灣", "日月湾"),
        ("萬寧的海灘", "万宁的海滩"),
        ("後海", "后海"),
        ("位於三亞", "位于三亚"),
        ("看著海", "看着海"),
        ("什么", "什么"),
        ("乾坤", "乾坤"),
        ("日 月　湾", "日月湾"),
        ("去 Riyue Bay 冲浪", "去 riyue bay 冲浪"),
        ("６０元", "60元"),
        ("  两端\n", "两端"),
        ("zero\u200bwidth海", "zerowidth海"),
        ("STRASSE straße", "strasse strasse"),
        ("", ""),
        (" \n", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(TEXT)
def test_both_ways_to_fold_agree(text: str) -> None:
    assert fold(text) == fold_with_offsets(text)[0]


@given(TEXT)
def test_offsets_point_into_the_text_and_never_go_back(text: str) -> None:
    folded, offsets = fold_with_offsets(text)
    assert len(offsets) == len(folded) + 1
    assert offsets[-1] == len(text)
    assert offsets == sorted(offsets)


@given(st.lists(st.text(alphabet="日月湾灣後萬乾么著，。！ＡａBß１½ﬁ①°é", max_size=10), max_size=4))
def test_a_substring_folds_to_the_same_wherever_it_stands(pieces: list[str]) -> None:
    assert fold("".join(pieces)) == "".join(map(fold, pieces))


@given(st.text(alphabet="日月湾灣萬 ，。Ａａ１２", max_size=30))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("在湾里", True), ("Riyue Bay", False), ("", False), ("，。", False)]
)
def test_is_cjk(text: str, expected: bool) -> None:
    assert is_cjk(text) is expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("万宁哪里能冲浪？", "zh"),
        ("Where can I surf in Wanning?", "en"),
        ("Where can I surf near 日月湾?", "en"),
        ("去Riyue Bay怎么走", "zh"),
        ("日月湾 surf", "zh"),
        ("12345", "zh"),
        ("🏄", "zh"),
        ("", "zh"),
    ],
)
def test_language_of(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("第一句。第二句！第三句？", ["第一句。", "第二句！", "第三句？"]),
        ("他说：“去吧。”然后走了。", ["他说：“去吧。”", "然后走了。"]),
        ("One. Two.", ["One.", "Two."]),
        ("Open 8.30 a.m. daily", ["Open 8.30 a.m. daily"]),
        ("没有句号", ["没有句号"]),
        ("一行\n\n二行", ["一行", "二行"]),
        ("甲；乙;丙", ["甲；", "乙;", "丙"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet="海边有店。！？；”“.A a\n", max_size=40))
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("去日月湾，8:30开门", ["去日月湾", "8:30", "开门"]),
        ("Surf camp 4.5分", ["surf", "camp", "4.5", "分"]),
        ("！？", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_char_ngrams_keep_words_and_numbers_whole() -> None:
    assert char_ngrams("日月湾 Bay 60", (1, 2)) == ["日", "月", "湾", "日月", "月湾", "bay", "60"]
    assert char_ngrams("湾", (2, 3)) == []
    assert char_ngrams("", (1,)) == []


def test_names_are_never_cut() -> None:
    text = "去日月湾冲浪"
    assert "日月湾" not in Segmenter().words(text)
    assert Segmenter(["日月湾"]).words(text) == ["去", "日月湾", "冲浪"]
    assert Segmenter(["日月灣"]).words(text) == ["去", "日月湾", "冲浪"]


def test_one_segmenter_does_not_teach_another() -> None:
    Segmenter(["日月湾"]).words("日月湾")
    assert "日月湾" not in Segmenter().words("日月湾")


def test_a_vocabulary_stands_in_for_the_dictionary() -> None:
    full = Segmenter(["日月湾"])
    vocabulary = full.frequencies(["去", "日月湾", "冲浪", "surf"])
    assert set(vocabulary) == {"去", "日月湾", "冲浪"}
    assert all(frequency >= 1 for frequency in vocabulary.values())
    assert Segmenter(vocabulary=vocabulary).words("去日月湾冲浪") == ["去", "日月湾", "冲浪"]


def test_an_empty_vocabulary_cuts_into_characters() -> None:
    assert Segmenter(vocabulary={}).words("去海边 Bay") == ["去", "海", "边", "bay"]
