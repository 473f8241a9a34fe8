from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

import pytest

from mindatlas.nodes.mindtrip.parts.negation import RuleNegationReader
from tests.nodes.mindtrip.parts.negation_names import KNOWN


@dataclass(frozen=True, kw_only=True)
class Case:
    id: str
    question: str
    exclude_entities: list[str]
    rewritten_query: str | None
    reading: str
    note: str


def _cases() -> list[Case]:
    source = files("mindatlas.evals").joinpath("cases/mindtrip/exclusion_reading.jsonl")
    return [Case(**json.loads(line)) for line in source.read_text(encoding="utf-8").splitlines()]


CASES = _cases()


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_the_reading_of_each_case(case: Case) -> None:
    reading = RuleNegationReader().read(case.question, KNOWN)
    assert (reading.reading, list(reading.exclude_entities)) == (case.reading, case.exclude_entities)
    if case.rewritten_query is not None:
        assert reading.rewritten_query == case.rewritten_query


def test_the_cases_cover_both_languages_traps_and_unknown_names() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    assert len({case.question for case in CASES}) == len(CASES)
    names = [name for case in CASES for name in case.exclude_entities]
    unknown = sum(KNOWN.resolve(name) is None for name in names)
    assert sum(case.id.startswith("en-") for case in CASES) >= 60
    assert sum(not case.exclude_entities for case in CASES) >= 80
    assert 0.4 <= unknown / len(names) <= 0.7
