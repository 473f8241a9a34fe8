from __future__ import annotations

import pytest

from mindatlas.nodes.atlassplit.parts.error_types import ErrorType
from mindatlas.nodes.atlassplit.parts.strategy import Choice, RoundFact, Strategy, choose
from mindatlas.nodes.errors import UsageError

KINDS: tuple[ErrorType, ...] = ("E0", "E1", "E2", "E3", "E4", "E5", "E6", "E7")
LATER: dict[ErrorType, Strategy] = {
    "E0": "change_strategy", "E1": "repair", "E2": "repair", "E3": "change_strategy", "E4": "repair",
    "E5": "change_strategy", "E6": "stop", "E7": "optimize",
}  # fmt: skip


def history(*rounds: tuple[ErrorType, str]) -> list[RoundFact]:
    return [RoundFact(error_type=kind, code_sha256=code) for kind, code in rounds]


@pytest.mark.parametrize("kind", KINDS)
def test_after_the_first_round_everything_is_repaired(kind: ErrorType) -> None:
    assert choose(history((kind, "a")), max_rounds=3) == Choice(strategy="repair")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("before", ["E1", "E3", "E6"])
def test_after_later_rounds_the_kind_decides(kind: ErrorType, before: ErrorType) -> None:
    choice = choose(history((before, "a"), (kind, "b")), max_rounds=5)
    assert choice.strategy == LATER[kind]
    assert choice.stop_reason == ("forbidden" if kind == "E6" else None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_allowed_round_ends_it(kind: ErrorType) -> None:
    rounds = history((kind, "a"), (kind, "b"), (kind, "c"))
    assert choose(rounds, max_rounds=3) == Choice(strategy="stop", stop_reason="rounds_used_up")
    assert choose(rounds[:1], max_rounds=1).stop_reason == "rounds_used_up"


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_program_again(kind: ErrorType) -> None:
    twice = choose(history((kind, "a"), (kind, "a")), max_rounds=9)
    if kind in {"E3", "E5"}:
        assert twice == Choice(strategy="change_strategy")
    else:
        assert twice == Choice(strategy="stop", stop_reason="same_code")
    again = choose(history((kind, "a"), (kind, "a"), (kind, "b"), (kind, "a")), max_rounds=9)
    assert again == Choice(strategy="stop", stop_reason="same_code")


def test_there_is_nothing_to_choose_before_a_round_failed() -> None:
    with pytest.raises(UsageError, match="at least one failed round"):
        choose([], max_rounds=3)
