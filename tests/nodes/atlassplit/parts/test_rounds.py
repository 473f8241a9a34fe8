from __future__ import annotations

from typing import Any

from mindatlas.nodes.atlassplit.parts.rounds import ErrorView, approach_of, error_findings, failed_approaches

ERROR = ErrorView(kind="KeyError", message="'销售'", line=2, traceback="")


def test_findings_show_the_line_and_its_neighbours() -> None:
    told = error_findings(ERROR, "a = 1\nb = df['销售']\nc = 3\nd = 4\n")
    assert told.splitlines() == [
        "✗ the program stopped with KeyError: '销售' (line 2)",
        "  1: a = 1",
        "> 2: b = df['销售']",
        "  3: c = 3",
    ]


def test_an_error_without_a_line_shows_none() -> None:
    assert error_findings({**ERROR, "line": None}, "a = 1") == "✗ the program stopped with KeyError: '销售'"


def test_an_approach_is_what_is_called_in_order() -> None:
    assert (
        approach_of("result = df.groupby('a')['b'].sum().pipe(len)\nx = len(result)")
        == "groupby, sum, pipe, len"
    )
    assert approach_of("result = 1") == "no method call"
    assert approach_of("result = (") == "no valid Python"


def test_failed_approaches_tell_the_difference() -> None:
    failed: list[dict[str, Any]] = [
        {
            "round": 1,
            "strategy": "generate",
            "error_type": "E3",
            "error": None,
            "assertions": [
                {"passed": True, "kind": "row_count", "description": "rows", "difference": 0.0},
                {"passed": False, "kind": "total_sum_match", "description": "total", "difference": -10.5},
            ],
        },
        {"round": 2, "strategy": "repair", "error_type": "E2", "error": "TypeError: x", "assertions": []},
    ]
    assert failed_approaches(failed, ["result = df.sum()", "result = df.mean()"]) == [
        "round 1 (generate): sum -> E3 total_sum_match: total, difference -10.5",
        "round 2 (repair): mean -> E2 TypeError: x",
    ]
