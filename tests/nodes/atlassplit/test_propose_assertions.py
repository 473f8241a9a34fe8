from __future__ import annotations

from pathlib import Path
from typing import Any

from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitSettings
from mindatlas.nodes.atlassplit.propose_assertions import propose_assertions
from tests.sheets import TOTAL_KEPT, ScriptedCodeWriter, make_parts, state_of

ASKED = [{"kind": "row_count", "expected": 2}]


def sources(workbook: Path, *, disabled: tuple[Any, ...] = (), **given: Any) -> list[str]:
    parts = make_parts(
        workbook.parent, ScriptedCodeWriter(), TOTAL_KEPT, settings=AtlasSplitSettings(disabled=disabled)
    )
    state = state_of(parts, workbook, **given)
    return [item["source"] for item in propose_assertions(state, parts)["asked"]]


def test_the_proposed_ones_stand_behind_the_users(workbook: Path) -> None:
    assert sources(workbook, assertions=ASKED) == ["user", "conservation"]


def test_without_a_request_nothing_is_proposed(workbook: Path) -> None:
    assert sources(workbook, assertions=ASKED, request="", given_code="result = 1") == ["user"]


def test_it_can_be_switched_off(workbook: Path) -> None:
    assert sources(workbook, assertions=ASKED, disabled=("propose_assertions",)) == ["user"]
