from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindatlas.evals.files import write_jsonl
from mindatlas.evals.judging.agreement import Labelled, agreement_report, read_labels
from mindatlas.evals.judging.judge import Metric
from mindatlas.nodes.errors import FileReadError, UsageError
from tests.evals.judging.scripted_judges import answer, erring, fixed


def labels(*counts: tuple[bool, float | None, int], metric: Metric = "relevance") -> list[Labelled]:
    return [
        Labelled(metric=metric, human=human, judged=judged) for human, judged, n in counts for _ in range(n)
    ]


def test_kappa_stands_beside_the_base_rate() -> None:
    found = agreement_report(labels((True, 1.0, 20), (True, 0.0, 5), (False, 1.0, 10), (False, 0.0, 15)))[
        "relevance"
    ]
    assert found["kappa"] == pytest.approx(0.4)
    assert found["base_rate"] == 0.5
    assert found["agreement"]["share"] == 0.7
    assert (found["sensitivity"]["share"], found["specificity"]["share"]) == (0.8, 0.6)
    assert found["judged_pass_rate"] == 0.6
    assert found["corrected_pass_rate"]["rate"] == pytest.approx(0.5)


def test_the_same_agreement_is_worth_little_where_nearly_all_is_good() -> None:
    found = agreement_report(labels((True, 1.0, 90), (True, 0.0, 5), (False, 1.0, 5)))["relevance"]
    assert found["agreement"]["share"] == 0.9
    assert found["kappa"] < 0
    assert found["base_rate"] == 0.95


def test_what_was_not_judged_is_left_out_and_counted() -> None:
    found = agreement_report(labels((True, 1.0, 2), (False, 0.0, 2), (True, None, 3)))["relevance"]
    assert (found["labels"], found["unscored"], found["kappa"]) == (7, 3, 1.0)
    none = agreement_report(labels((True, None, 2)))["relevance"]
    assert (none["unscored"], none["kappa"], none["agreement"]) == (2, None, None)


def test_labels_of_one_kind_show_no_kappa_and_no_correction() -> None:
    found = agreement_report(labels((True, 1.0, 5)))["relevance"]
    assert (found["kappa"], found["corrected_pass_rate"]) == (None, None)
    assert found["specificity"]["share"] is None


def test_metrics_are_told_apart_and_the_cut_belongs_to_a_pass() -> None:
    both = labels((True, 0.5, 1), (False, 0.49, 1)) + labels((True, 0.2, 1), metric="faithfulness")
    report = agreement_report(both)
    assert list(report) == ["faithfulness", "relevance"]
    assert report["relevance"]["agreement"]["share"] == 1.0


def test_a_judge_of_known_errors_is_measured_and_corrected() -> None:
    def is_good(text: str) -> bool:
        return text.startswith("good")

    texts = [f"{'good' if n % 10 < 7 else 'bad'} {n}" for n in range(5000)]
    judge = erring(is_good, sensitivity=0.9, specificity=0.8)
    told = [
        Labelled(
            metric="relevance", human=is_good(text), judged=judge.judge("relevance", answer(text, text)).value
        )
        for text in texts
    ]
    found = agreement_report(told)["relevance"]
    for name, true in (("sensitivity", 0.9), ("specificity", 0.8)):
        low, high = found[name]["interval"]
        assert low < true < high
    assert found["judged_pass_rate"] == pytest.approx(0.7 * 0.9 + 0.3 * 0.2, abs=0.02)
    assert found["corrected_pass_rate"]["rate"] == pytest.approx(0.7)


def test_recorded_values_are_kept_and_others_judged(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    write_jsonl(
        path,
        [
            {"id": "1", "metric": "relevance", "human": True, "judged": 0.2},
            {"id": "2", "metric": "relevance", "human": False, "question": "q", "answer": "a"},
        ],
    )
    judge = fixed({"a": 0.9})
    assert [label.judged for label in read_labels(path, judge)] == [0.2, 0.9]
    assert judge.asked == [("relevance", "a")]
    with pytest.raises(UsageError, match="label '2' has no judged value"):
        read_labels(path, None)


def test_a_line_that_is_no_label_is_named(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({"id": "1", "metric": "style", "human": True, "judged": 1}) + "\n")
    with pytest.raises(FileReadError, match="line 1 is no label"):
        read_labels(path, None)
    path.write_text("")
    with pytest.raises(UsageError, match="no label"):
        read_labels(path, None)
