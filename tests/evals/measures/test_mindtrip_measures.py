from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Scored
from mindatlas.evals.measures.mindtrip_claims import WrittenClaim, claims_of
from mindatlas.evals.measures.mindtrip_context_recall import recall
from mindatlas.evals.measures.registry import measures_of, score_all
from mindatlas.nodes.errors import UsageError
from tests.evals.suites import line, output, refusing


def score(name: str, case: dict[str, Any], made: dict[str, Any]) -> Scored:
    return measures_of("mindtrip")[name].score(Case.from_dict(case), made)


@pytest.mark.parametrize(
    ("extra", "found", "k", "value"),
    [
        ({}, ["a", "b"], 3, 1.0),
        ({}, ["x", "a"], 3, 0.5),
        ({}, ["x", "y", "z", "a"], 3, 0.0),
        ({}, [], 3, 0.0),
        ({}, ["a", "x"], 1, 1.0),  # one place, filled rightly
        ({"context_needed": 1}, ["x", "b"], 3, 1.0),
        ({"context_groups": [["a"], ["b", "c"]]}, ["c", "x"], 3, 0.5),
        ({"context_groups": [["a"], ["b", "c"]]}, ["c", "a"], 3, 1.0),
    ],
)
def test_context_recall(extra: dict[str, Any], found: list[str], k: int, value: float) -> None:
    case = Case.from_dict(line("n", expected_context=["a", "b"], **extra))
    assert recall(case, found, k) == Scored(value=value)


def test_context_recall_of_a_case_that_expects_none() -> None:
    case = Case.from_dict(line("n", expected_context=[]))
    assert recall(case, ["a"], 3) == Scored(value=None, reason="the case expects no context")


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.integers(1, 5))
def test_context_recall_lies_in_its_range_and_never_falls_with_k(found: list[str], k: int) -> None:
    case = Case.from_dict(line("n", expected_context=["a", "b", "c"], context_needed=1))
    now, more = recall(case, found, k).value, recall(case, found, k + 1).value
    assert now is not None and more is not None
    assert 0 <= now <= more <= 1


def test_each_stage_has_its_recall() -> None:
    made = output("n", "x", candidates=["x", "y", "p-n"])
    assert score("context_recall_at_10", line("n"), made).value == 1.0
    assert score("context_recall_at_3", line("n"), made).value == 0.0


def test_unexpected_entity_rate_counts_subjects_once() -> None:
    made = output("n", "p-n", "p-n#2", "p-x")
    made["passages"][1]["entity"] = "n"
    assert score("unexpected_entity_rate", line("n"), made) == Scored(value=0.5)
    assert score("unexpected_entity_rate", line("n", expected_entities=["n", "x"]), made).value == 0.0
    assert score("unexpected_entity_rate", line("n"), refusing("n")).value is None


def test_entity_precision_lets_the_question_name_its_subject() -> None:
    made = output("n", answer_entities=["n", "x", "y"])
    assert score("entity_precision", line("n"), made).value == pytest.approx(1 / 3)
    assert score("entity_precision", line("n", query="n and x"), made).value == pytest.approx(2 / 3)
    assert score("entity_precision", line("n"), {**made, "answer_entities": []}).value is None


def test_exclusion_violations_are_counted_by_subject() -> None:
    case = line("n", forbidden_entities=["x", "y"])
    assert score("exclusion_violations", case, output("n")).value == 0.0
    assert score("exclusion_violations", case, output("n", "p-n", "p-x", "p-y")).value == 2.0
    mention = output("n", answer="text of p-n, north of x [p-n]")
    assert score("exclusion_violations", case, mention).value == 0.0
    assert score("exclusion_violations", line("n"), output("n")).value is None


def test_faithfulness_is_the_share_of_supported_claims() -> None:
    made = output("n", answer="text of p-n [p-n]\nsomething else entirely made up [p-n]\n（价格可能有变）")
    assert score("faithfulness", line("n"), made).value == 0.5
    assert score("faithfulness", line("n"), output("n", answer="text of p-n [elsewhere]")).value == 0.0
    assert score("faithfulness", line("n"), output("n", answer="text of p-n 42 [p-n]")).value == 0.0
    assert (
        score("faithfulness", line("n", query="is it 42?"), output("n", answer="text of p-n 42 [p-n]")).value
        == 1.0
    )
    assert score("faithfulness", line("n"), refusing("n")).value is None
    assert score("faithfulness", line("n"), output("n", answer="（只有注）")).value is None


def test_citations_hold_word_for_word() -> None:
    assert score("citation_validity", line("n"), output("n")).value == 1.0
    wrong = [{"id": "p-n", "title": "p-n", "quote": "not there"}]
    assert score("citation_validity", line("n"), output("n", citations=wrong)).value == 0.0
    assert (
        score("citation_validity", line("n"), output("n", answer="text of p-n [p-n]\nno mark")).value == 0.5
    )
    assert score("citation_validity", line("n"), refusing("n")).value is None


@pytest.mark.parametrize(
    ("must", "refused", "value"), [(True, True, 1), (True, False, 0), (False, True, 0), (False, False, 1)]
)
def test_refusal_correctness(must: bool, refused: bool, value: int) -> None:
    made = refusing("n") if refused else output("n")
    assert score("refusal_correctness", line("n", must_refuse=must), made).value == value


def test_claims_are_the_lines_that_are_no_notes() -> None:
    text = "1. 一句。 [a]\n2. 另一句 [b#2]\n（已排除：x）\nno mark\n\n(note)"
    assert claims_of(text) == [
        WrittenClaim(text="一句。", passage_id="a"),
        WrittenClaim(text="另一句", passage_id="b#2"),
        WrittenClaim(text="no mark", passage_id=None),
    ]


def test_a_score_is_a_finite_number_or_none() -> None:
    with pytest.raises(ValueError, match="finite"):
        Scored(value=float("nan"))


def test_all_measures_score_one_output_and_other_graphs_are_refused() -> None:
    measures = measures_of("mindtrip")
    assert set(score_all(measures, Case.from_dict(line("n")), output("n"))) == set(measures)
    with pytest.raises(UsageError, match="measures no graph 'chess'"):
        measures_of("chess")
