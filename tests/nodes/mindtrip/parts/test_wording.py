from __future__ import annotations

import pytest

from mindatlas.nodes.mindtrip.parts.wording import answer_notes, no_sentence, refusal
from mindatlas.nodes.text import language_of


@pytest.mark.parametrize("language", ["zh", "en"])
def test_notes_are_in_the_language_of_the_question(language: str) -> None:
    notes = answer_notes(language, [], volatile=True)
    assert [language_of(note) for note in notes] == [language]
    assert answer_notes(language, [], volatile=False) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_exclusion_is_said_with_every_name(language: str) -> None:
    (note,) = answer_notes(language, ["日月湾", "Houhai"], volatile=False)
    assert "日月湾" in note
    assert "Houhai" in note


@pytest.mark.parametrize(("language", "offer"), [("zh", "也包括日月湾"), ("en", "also include 日月湾")])
def test_a_refusal_names_what_was_excluded_and_offers_to_lift_it(language: str, offer: str) -> None:
    text = refusal(language, "exclusion_left_nothing", ["日月湾", "后海"])
    assert "后海" in text
    assert offer in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_refusal_says_what_would_help(language: str) -> None:
    text = refusal(language, "nothing_supported", [])
    assert "mindatlas ingest" in text
    assert language_of(text.replace("mindatlas ingest", "")) == language
    assert language_of(no_sentence(language)) == language
