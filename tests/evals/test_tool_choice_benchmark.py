"""The benchmark of the choice among 500 tools: its data are sound, and its measures measure."""

from __future__ import annotations

import math

import pytest

from mindatlas.evals.tool_choice_benchmark import questions, recall, report
from mindatlas.evals.tool_registry import domains, registry

CARDS = registry()


def test_the_registry_has_500_tools_each_named_once() -> None:
    assert len(CARDS) == len({card.name for card in CARDS}) == 500
    assert all(card.tool.description for card in CARDS)


def test_every_label_names_a_tool_and_every_question_stands_once() -> None:
    asked = questions()
    assert len(asked) == len({one["id"] for one in asked}) == len({one["question"] for one in asked}) >= 120
    names = {card.name for card in CARDS}
    assert all(set(one["tools"]) <= names and one["tools"] for one in asked)


def test_no_invented_server_is_in_both_parts() -> None:
    server = {card.name: card.tool.server for card in CARDS}
    parts = {
        part: {server[tool] for one in questions() if one["part"] == part for tool in one["tools"]}
        - {"orders"}
        for part in ("dev", "held_out")
    }
    assert not parts["dev"] & parts["held_out"]
    assert len(parts["dev"] | parts["held_out"]) == len(domains())


def test_recall_counts_any_right_tool_among_the_first() -> None:
    asked = [{"question": "a", "tools": ["x", "y"]}, {"question": "b", "tools": ["z"]}]
    assert recall(lambda question: ["w", "y", "z"], asked, top=2) == 0.5
    assert math.isnan(recall(lambda question: [], []))


@pytest.mark.slow
def test_the_table_has_a_row_for_each_part_and_chooser_and_plain_bm25_is_behind() -> None:
    rows = [line.split() for line in report() if line.startswith(("dev", "held_out"))]
    found = {(row[0], row[2]): float(row[4 if row[2] == "plain" else 3]) for row in rows}
    assert len(found) == 4
    assert all(found[part, "mindatlas"] > found[part, "plain"] for part in ("dev", "held_out"))
