from __future__ import annotations

from typing import Any

import pytest

from mindatlas.evals.cases import Case
from mindatlas.evals.regression.mindtrip_stages import cause_of, trace_of
from mindatlas.evals.regression.stages import cause_of as cause_of_graph
from tests.evals.suites import line, output

IDS = ["p-n", "p-x", "p-y", "p-z", "p-w"]


def trace(**fields: Any) -> dict[str, Any]:
    made = output("n", "p-n", candidates=IDS, ranking=[{"id": name} for name in IDS])
    made["hits"] = [{"id": name, "ranks": {"bm25": n, "dense": n}} for n, name in enumerate(IDS, start=1)]
    return trace_of(Case.from_dict(line("n")), {**made, **fields})


def passages(*names: str) -> list[dict[str, str]]:
    return output("n", *names)["passages"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({"exclude_entities": ["日月湾"]}, "exclusion: read as 日月湾, before as none"),
        ({"filters": {"city": "三亚"}}, "conditions: {'city': '三亚'}, before none"),
        (
            {
                "candidates": ["p-x", "p-n", "p-y"],
                "hits": [{"id": "p-n", "ranks": {"bm25": 9, "dense": 1}}],
                "passages": passages("p-x"),
            },
            "leg ranks: the bm25 leg moved p-n from 1 to 9",
        ),
        (
            {"candidates": ["p-x"], "hits": [], "passages": passages("p-x")},
            "retrieval: p-n is no longer among the candidates, before 1",
        ),
        (
            {
                "ranking": [{"id": name} for name in ("p-x", "p-y", "p-z", "p-w", "p-n")],
                "passages": passages("p-x"),
            },
            "rerank: the reranker moved p-n from 1 to 5",
        ),
        ({"passages": passages("p-x")}, "evidence: no longer used: p-n; now used: p-x"),
        ({"passages": passages("p-n", "p-x")}, "evidence: now used: p-x"),
        ({"answer": "other words [p-n]"}, "answer: its text changed, from the same passages"),
        (
            {"stop_reason": "answered_extractively"},
            "answer: ended with answered_extractively, before answered",
        ),
        ({}, "no stage recorded a difference: the case or a measure changed"),
    ],
)
def test_the_first_stage_that_differs_is_the_cause(fields: dict[str, Any], cause: str) -> None:
    assert cause_of(trace(), trace(**fields)) == cause


def test_the_places_of_used_passages_count_too() -> None:
    two, turned = trace(passages=passages("p-n", "p-x")), trace(passages=passages("p-x", "p-n"))
    assert cause_of(two, turned) == "rerank: the passages used changed places: p-x, p-n"


def test_without_a_trace_there_is_no_guess() -> None:
    assert cause_of_graph("mindtrip", {}, trace()) == "the stages of this case were not recorded"
    assert cause_of_graph("atlassplit", {"a": 1}, {"a": 2}) == "the stages of this case were not recorded"
