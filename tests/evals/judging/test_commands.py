from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mindatlas.evals.cli import app
from mindatlas.evals.files import read_jsonl, write_jsonl
from mindatlas.evals.judging.answers import pairs_of, read_answers, write_answers
from mindatlas.evals.judging.dry_run import REPLY_TOKENS, estimate
from mindatlas.evals.judging.tiers import TierSettings
from mindatlas.nodes.errors import UsageError
from tests.evals.judging.test_judges import ANSWER

NONE = TierSettings(audit_share=0.0)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    write_answers(path, [replace(ANSWER, id=f"a{n}") for n in range(4)])
    return path


def called(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_judging_offline_writes_verdicts_and_tells_means(answers: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdicts.jsonl"
    found = called("judge", str(answers), "--out", str(out))
    assert {name: metric["candidate"] for name, metric in found["metrics"].items()} == {
        "faithfulness": 0.5,
        "completeness": 1.0,
        "relevance": 1.0,
    }
    assert found["costs"]["tiered"] == {"known": 0.0, "unknown": 0, "estimated": False}
    assert len(read_jsonl(out)) == 12
    assert len(found["protocol"]["sha256"]) == 64


def test_a_baseline_makes_pairs_and_a_lift(answers: Path, tmp_path: Path) -> None:
    worse = tmp_path / "worse.jsonl"
    write_answers(worse, [replace(ANSWER, id=f"a{n}", answer="蜈支洲岛门票99元 [p1]") for n in range(4)])
    found = called("judge", str(answers), "--baseline", str(worse), "--metric", "faithfulness")
    assert list(found["metrics"]) == ["faithfulness"]
    assert found["metrics"]["faithfulness"]["lift"] == 0.5


def test_a_dry_run_makes_no_call_and_tells_calls_and_cost(answers: Path) -> None:
    judges = ("--fast", "openai:gpt-4.1-nano", "--accurate", "openai:gpt-4.1")
    found = called(
        "judge", str(answers), "--baseline", str(answers), *judges, "--audit-share", "0", "--dry-run"
    )
    assert (found["pairs"], found["arms"], found["fast"]["calls"]) == (12, 24, 24)
    calls = {level: found["accurate"][level]["calls"] for level in ("least", "expected", "most")}
    assert calls == {"least": 0, "expected": 6, "most": 24}
    assert found["fast"]["cost"] < found["accurate"]["most"]["cost"]


def test_the_cost_follows_from_the_price_list(answers: Path) -> None:
    pairs = pairs_of(read_answers(answers), [], ["relevance"])
    found = estimate(pairs, "builtin", "openai:gpt-4.1", NONE)
    least = found["accurate"]["least"]
    assert found["fast"] == {"model": "builtin", "calls": 0, "input_tokens": 0, "cost": 0.0}
    assert least["calls"] == 4  # no baseline: every pair is certain
    assert least["cost"] == pytest.approx((least["input_tokens"] * 2 + 4 * REPLY_TOKENS * 8) / 1e6, abs=1e-6)
    assert estimate(pairs, "builtin", "openai:unheard-of", NONE)["accurate"]["least"]["cost"] is None
    assert estimate(pairs, "builtin", None, NONE)["accurate"]["most"]["calls"] == 0


def test_a_call_without_a_reference_is_not_counted() -> None:
    pairs = pairs_of([replace(ANSWER, reference=None)], [], ["completeness", "relevance"])
    assert estimate(pairs, "openai:gpt-4.1", None, NONE)["fast"]["calls"] == 1


def test_agreement_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    own = {"question": ANSWER.question, "answer": ANSWER.answer, "passages": list(ANSWER.passages)}
    write_jsonl(
        path,
        [
            {"id": "1", "metric": "faithfulness", "human": True, **own},
            {"id": "2", "metric": "faithfulness", "human": False, "judged": 0.0},
        ],
    )
    found = called("agreement", str(path))
    assert found["metrics"]["faithfulness"]["kappa"] == 1.0
    assert found["metrics"]["faithfulness"]["base_rate"] == 0.5
    table = CliRunner().invoke(app, ["agreement", str(path)]).stdout
    assert "kappa" in table
    assert "base rate" in table


def test_nothing_scored_is_told_by_the_exit_code(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    write_answers(path, [replace(ANSWER, reference=None)])
    assert CliRunner().invoke(app, ["judge", str(path), "--metric", "completeness"]).exit_code == 1


def test_wrong_use_is_named(answers: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no metric 'style'"):
        CliRunner().invoke(app, ["judge", str(answers), "--metric", "style"], catch_exceptions=False)
    twice = tmp_path / "twice.jsonl"
    write_answers(twice, [ANSWER, ANSWER])
    with pytest.raises(UsageError, match="'a' stands more than once"):
        read_answers(twice)
