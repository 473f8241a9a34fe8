from __future__ import annotations

import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from mindatlas.evals.cases import Case
from mindatlas.evals.regression.baseline import make_baseline
from mindatlas.evals.regression.gate import gate
from mindatlas.evals.regression.report import Report, make_report
from mindatlas.evals.regression.report_html import to_html
from mindatlas.evals.regression.report_markdown import to_markdown
from mindatlas.evals.regression.report_terminal import print_report
from mindatlas.evals.regression.run import SuiteRun, run_suite
from tests.evals.suites import FakePool, output, reply, right, write_suite

NAMES = ["a", "b", "c", "d"]


def wrong(name: str) -> Callable[[Case], dict[str, Any]]:
    """Reply rightly, but to `name` with a passage of a nasty name."""
    return lambda case: reply(output(case.id, "p-<script>")) if case.id == name else right(case)


@pytest.fixture
def told(tmp_path: Path, home: Path) -> tuple[Report, SuiteRun]:
    """A report on a run with one new failure (`a`) and one recovered case (`b`)."""
    suite = write_suite(tmp_path, NAMES, query="<b>&amp; | 三亚")
    runs = [run_suite(suite, fresh=True, pool=FakePool(wrong(name))) for name in ("b", "a")]
    gated = gate(suite, runs[1], {"baseline": make_baseline(runs[0], "first", None)})
    return make_report(runs[1], gated), runs[1]


def test_a_report_opens_with_what_matters(told: tuple[Report, SuiteRun]) -> None:
    report, run = told
    opening = dict(report.opening)
    names = [
        "verdict",
        "date",
        "elapsed",
        "total",
        "pass",
        "fail",
        "not scored",
        "new failures",
        "recovered",
        "cost",
    ]
    assert list(opening) == names
    assert opening["date"] == run.head["date"]
    counts = {
        name: opening[name] for name in ("verdict", "total", "pass", "fail", "new failures", "recovered")
    }
    assert counts == {
        "verdict": "regression", "total": "4", "pass": "3", "fail": "1", "new failures": "1", "recovered": "1",
    }  # fmt: skip


def test_worsened_measures_are_marked_and_others_are_not(tmp_path: Path, home: Path) -> None:
    suite = write_suite(tmp_path, NAMES)
    before = make_baseline(run_suite(suite, pool=FakePool(right)), "first", None)
    worse = run_suite(
        suite, fresh=True, pool=FakePool(lambda c: reply(output(c.id, "p-x")) if c.id == "a" else right(c))
    )
    text = to_markdown(make_report(worse, gate(suite, worse, {"baseline": before})))
    lines = {row.split(" | ")[0].strip("| "): row for row in text.splitlines() if row.startswith("| ")}
    assert "-0.250 ⚠️" in lines["context_recall_at_3"]
    assert "+0.250 ⚠️" in lines["unexpected_entity_rate"]
    assert "⚠️" not in lines["citation_validity"]


def test_markdown_names_the_changes_and_breaks_no_table(told: tuple[Report, SuiteRun]) -> None:
    text = to_markdown(told[0])
    assert "### New failures (1)\n- `a` context_recall_at_3 0 — retrieval: p-a is no longer" in text
    assert "### Recovered (1)\n- `b`" in text
    assert "<script>" not in text
    table = text[text.index("| measure") :].split("\n\n")[0].splitlines()
    assert {row.count("|") for row in table} == {6}


def test_the_page_needs_no_network_and_runs_no_script(told: tuple[Report, SuiteRun]) -> None:
    page = to_html(*told)
    found: list[tuple[str, str, str]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend((tag, name, value or "") for name, value in attrs)
            assert tag not in {"script", "iframe", "img", "object", "embed"}

    Reader().feed(page)
    loading = [
        (tag, name, value) for tag, name, value in found if name in {"src", "href", "xlink:href", "srcset"}
    ]
    assert all(value.startswith(("data:", "#")) for _, _, value in loading), loading
    assert not [name for _, name, _ in found if name.startswith("on")]
    assert not re.search(r"@import|url\((?!#)", page)
    assert page.count("<svg") == 2
    assert "⚠️" not in page or "worse" in page
    for text in ("regression", "context_recall_at_3", "retrieval: p-a is no longer", "New failures"):
        assert text in page


def test_the_same_run_gives_the_same_page(told: tuple[Report, SuiteRun]) -> None:
    assert to_html(*told) == to_html(*told)


def test_the_terminal_shows_thresholds_changes_and_reasons(told: tuple[Report, SuiteRun]) -> None:
    console = Console(width=160, record=True, file=io.StringIO())
    print_report(told[0], console)
    text = console.export_text()
    assert "verdict regression" in text and "new failures 1" in text
    assert ">= 0.1" in text
    assert "New failures: a" in text and "Recovered: b" in text


def test_without_a_baseline_a_report_says_so(tmp_path: Path, home: Path) -> None:
    run = run_suite(write_suite(tmp_path, NAMES), pool=FakePool(right))
    report = make_report(run, None)
    assert dict(report.opening)["new failures"] == "no baseline"
    assert "verdict" not in dict(report.opening)
    assert to_html(report, run) and to_markdown(report)


def test_an_unknown_cost_is_never_told_as_nothing(tmp_path: Path, home: Path) -> None:
    unpriced = {**right(write_suite(tmp_path, ["a"]).read_cases()[0]), "cost": None}
    run = run_suite(write_suite(tmp_path, ["a"]), pool=FakePool(lambda _: unpriced))
    assert dict(make_report(run, None).opening)["cost"] == ">= 0, 1 unknown"
