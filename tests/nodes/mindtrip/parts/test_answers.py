from __future__ import annotations

import pytest

from mindatlas.nodes.mindtrip.parts.answers import (
    Citation,
    Claim,
    citations_of,
    faults_of,
    names_whole,
    write_out,
)
from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from tests.nodes.mindtrip.parts.views import request, view

NAMES = EntityIndex(
    {"日月湾": ["Riyue Bay"], "石梅湾": ["Shimei Bay"], "故宫": [], "故宫角楼咖啡": [], "后海": ["Houhai"]}
)
SHIMEI = view("shimei", "石梅湾长约6公里，往南是日月湾。门票免费，电动车30元。", entity="石梅湾")
CAFE = view("cafe", "故宫角楼咖啡在神武门外。", entity="故宫角楼咖啡")
QUESTION = request("石梅湾2024年怎么样？", [SHIMEI, CAFE])


def claim(text: str, passage: str = "shimei", quote: str = "石梅湾长约6公里") -> Claim:
    return Claim(text=text, passage_id=passage, quote=quote)


def faults(*claims: Claim, excluded: tuple[str, ...] = ()) -> list[str]:
    asked = request(QUESTION.question, [SHIMEI, CAFE], excluded=excluded)
    return faults_of(asked, claims, NAMES)


@pytest.mark.parametrize(
    "good",
    [
        claim("石梅湾长约6公里。"),
        claim("石梅湾长约６公里。"),
        claim("2024年的石梅湾长6公里。"),
        claim("往南是日月湾。"),
        claim("The bay is 6 km long."),
        claim("Shimei Bay: “石梅湾长约6公里”"),
    ],
)
def test_a_claim_that_holds(good: Claim) -> None:
    assert faults(good) == []


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (claim("很好。", passage="nowhere"), ["'nowhere'", "none of the passages"]),
        (claim("很好。", quote="石梅湾长约7公里"), ["'石梅湾长约7公里'", "word for word", "'shimei'"]),
        (claim("很好。", quote=""), ["word for word"]),
        (claim("很好。", quote="  "), ["word for word"]),
        (claim("长约60公里。"), ["60", "'shimei'"]),
        (claim("长约6.5公里。"), ["6.5"]),
        (claim("旁边是后海。"), ["'后海'", "'shimei'"]),
        (claim("Houhai is next to it."), ["'Houhai'"]),
    ],
)
def test_a_fault_is_named(bad: Claim, words: list[str]) -> None:
    (fault,) = faults(bad)
    assert all(word in fault for word in words)


def test_a_number_that_only_stands_inside_another_is_flagged() -> None:
    assert len(faults(claim("门票3元。"))) == 1


def test_a_claim_that_names_what_was_excluded_is_flagged() -> None:
    (fault,) = faults(claim("石梅湾往南是日月湾。"), excluded=("Riyue Bay",))
    assert "'Riyue Bay'" in fault
    assert "excluded" in fault


def test_an_excluded_name_inside_a_longer_name_is_no_mention() -> None:
    good = claim("故宫角楼咖啡在神武门外。", passage="cafe", quote="在神武门外")
    assert faults(good, excluded=("故宫",)) == []


def test_no_claim_is_a_fault() -> None:
    assert len(faults()) == 1


def test_all_faults_of_all_claims_are_named() -> None:
    assert len(faults(claim("长约60公里。", quote="没有这句"), claim("很好。", passage="nowhere"))) == 3


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("故宫", "故宫很大", True),
        ("故宫", "故宫角楼咖啡很小", False),
        ("故宫", "从故宫走到故宫角楼咖啡", True),
        ("日月湾", "Riyue Bay is big", True),
        ("Riyue Bay", "日月灣很大", True),
        ("Bay", "Riyue Bay", False),
        ("没见过的湾", "去没见过的湾", True),
        ("没见过的湾", "去别处", False),
        ("宫", "故宫很大", False),
    ],
)
def test_names_whole(name: str, text: str, expected: bool) -> None:
    assert names_whole(name, text, NAMES) is expected


def test_options_are_numbered_and_notes_come_last() -> None:
    claims = [claim("一个。"), claim("两个。", passage="cafe")]
    assert write_out(claims, ["（注）"], numbered=True) == "1. 一个。 [shimei]\n2. 两个。 [cafe]\n（注）"
    assert write_out(claims, [], numbered=False) == "一个。 [shimei]\n两个。 [cafe]"
    assert write_out(claims[:1], [], numbered=True) == "一个。 [shimei]"
    assert write_out([], ["（注）"], numbered=True) == "（注）"


def test_citations_are_not_repeated() -> None:
    claims = [claim("一。"), claim("二。"), claim("三。", passage="cafe", quote="在神武门外")]
    assert citations_of(claims, [SHIMEI, CAFE]) == [
        Citation(id="shimei", title="石梅湾", quote="石梅湾长约6公里"),
        Citation(id="cafe", title="故宫角楼咖啡", quote="在神武门外"),
    ]
    assert citations_of([], [SHIMEI]) == []
