from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mindatlas.evals.cases import Case
from mindatlas.evals.regression.pool import ProcessPool
from mindatlas.evals.regression.run import SuiteRun, run_suite, write_run
from mindatlas.evals.regression.store import OutputStore
from mindatlas.evals.suite import Suite, read_suite
from mindatlas.nodes.errors import UsageError
from tests.evals.suites import FakePool, output, refusing, reply, right, write_suite

NAMES = [f"c{number:02}" for number in range(12)]
KILLED = """
import os, pathlib, signal, sys
sys.path.insert(0, {root!r})
from mindatlas.evals.regression.run import run_suite, write_run
from mindatlas.evals.suite import read_suite
from tests.evals.suites import FakePool, right

def die():
    os.kill(os.getpid(), signal.SIGKILL)

log = pathlib.Path({log!r}).open("a")

def replies(case):
    if {before} and len(pool.ran) == {point}:
        die()
    print(case.id, file=log, flush=True)
    return right(case)

def progress(done, total):
    if not {before} and len(pool.ran) == {point}:
        die()

pool = FakePool(replies)
write_run(run_suite(read_suite({suite!r}), pool=pool, progress=progress), pathlib.Path({out!r}))
"""


def timeless(folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the results in `folder` without what is a time, or counts what was run now."""
    lines = [json.loads(text) for text in (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    head = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    times = ("date", "elapsed_s", "ran", "kept")
    return lines, {name: value for name, value in head.items() if name not in times}


def run(suite: Suite, pool: FakePool, **options: Any) -> SuiteRun:
    return run_suite(suite, pool=pool, **options)


@pytest.mark.parametrize("seed", range(20))
def test_a_run_that_is_killed_goes_on_and_ends_with_the_same_results(
    tmp_path: Path, home: Path, seed: int
) -> None:
    rng = random.Random(seed)
    point, before = rng.randint(1, len(NAMES)), rng.random() < 0.5
    suite = write_suite(tmp_path, NAMES)
    log = tmp_path / "ran"
    script = KILLED.format(
        root=str(Path(__file__).parents[3]), log=str(log), before=before, point=point,
        suite=str(suite.path), out=str(tmp_path / "out"),
    )  # fmt: skip
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    finished = log.read_text().split()
    pool = FakePool(right)
    resumed = run(suite, pool)
    write_run(resumed, tmp_path / "resumed")
    assert sorted([*finished, *pool.ran]) == NAMES  # none repeated, none lost
    with_its_own = OutputStore(tmp_path / "own.sqlite")
    write_run(run(suite, FakePool(right), store=with_its_own), tmp_path / "whole")
    with_its_own.close()
    assert timeless(tmp_path / "resumed") == timeless(tmp_path / "whole")


def test_nothing_is_run_twice_and_a_change_of_what_decides_runs_again(tmp_path: Path, home: Path) -> None:
    suite = write_suite(tmp_path, ["a", "b"])
    first, again, other = FakePool(right), FakePool(right), FakePool(right, {"code": "new"})
    assert run(suite, first).head["ran"] == 2
    assert (run(suite, again).head["kept"], again.ran) == (2, [])
    assert run(suite, other).head["ran"] == 2
    write_suite(tmp_path, ["a", "b", "c"])
    more = FakePool(right)
    run(suite, more)
    assert more.ran == ["c"]


def test_fresh_forgets_what_is_kept(tmp_path: Path, home: Path) -> None:
    suite = write_suite(tmp_path, ["a"])
    run(suite, FakePool(right))
    pool = FakePool(right)
    run(suite, pool, fresh=True)
    assert pool.ran == ["a"]


def test_an_infrastructure_error_is_counted_apart_enters_no_mean_and_is_not_kept(
    tmp_path: Path, home: Path
) -> None:
    suite = write_suite(tmp_path, ["a", "b", "c"])
    broken = run(
        suite,
        FakePool(lambda case: reply(None, "ConnectionError: away") if case.id == "b" else right(case)),
    )
    summary = broken.head["summary"]
    assert (summary["total"], summary["scored"], summary["passed"], summary["infra_errors"]) == (3, 2, 2, 1)
    assert summary["measures"]["context_recall_at_3"] == {"mean": 1.0, "n": 2, "undefined": {}}
    assert not broken.complete
    line = broken.observations[1]
    assert (line["state"], line["passed"], line["reason"]) == ("infra-error", None, "ConnectionError: away")
    pool = FakePool(right)
    assert run(suite, pool).complete
    assert pool.ran == ["b"]


def test_results_stand_in_the_order_of_the_cases_whatever_ends_first(tmp_path: Path, home: Path) -> None:
    suite = write_suite(tmp_path, ["a", "b", "c"])

    class Backwards(FakePool):
        def run(self, cases: Any) -> Any:
            return super().run(list(reversed(cases)))

    result = run(suite, Backwards(right))
    assert [observation["case"] for observation in result.observations] == ["a", "b", "c"]


def test_what_passes_stands_in_the_suite_and_an_undefined_measure_keeps_from_nothing(
    tmp_path: Path, home: Path
) -> None:
    suite = write_suite(tmp_path, ["a"], expected_context=[], must_refuse=True)
    result = run(suite, FakePool(lambda case: reply(refusing(case.id))))
    observation = result.observations[0]
    assert observation["passed"] is True
    assert observation["scores"]["context_recall_at_3"] is None
    assert observation["undefined"]["context_recall_at_3"] == "the case expects no context"
    wrong = run(suite, FakePool(lambda case: reply(output(case.id))), fresh=True).observations[0]
    assert (wrong["passed"], wrong["reason"]) == (False, "refusal_correctness 0")


def test_progress_hears_what_was_kept_and_each_case(tmp_path: Path, home: Path) -> None:
    suite = write_suite(tmp_path, ["a", "b"])
    heard: list[tuple[int, int]] = []
    run(suite, FakePool(right), progress=lambda done, total: heard.append((done, total)))
    assert heard == [(0, 2), (1, 2), (2, 2)]


@pytest.mark.slow
def test_real_workers_run_the_bundled_graph_and_name_what_they_cannot(bundled_home: Path) -> None:
    cases = read_suite("mindtrip").read_cases()[:4]
    pool = ProcessPool("mindtrip", {"kb": "hainan"}, size=2)
    replies = {case.id: reply for case, reply in pool.run(cases)}
    pool.close()
    assert sorted(replies) == sorted(case.id for case in cases)
    assert all(reply["error"] is None and reply["output"]["ranking"] for reply in replies.values())
    assert set(pool.identity()) == {"settings", "reranker", "knowledge_base", "code"}
    with pytest.raises(UsageError, match="no setting 'colour'"):
        ProcessPool("mindtrip", {"colour": "red"}, size=1)


@pytest.mark.slow
def test_a_worker_that_dies_is_an_infrastructure_error_and_the_rest_goes_on(bundled_home: Path) -> None:
    pool = ProcessPool("mindtrip", {}, size=1)
    worker = pool._first
    assert worker is not None
    cases = read_suite("mindtrip").read_cases()[:2]
    worker._process.kill()
    replies = [worker.run(case) for case in cases[:1]]
    assert replies[0]["error"] == "the worker died with -9"
    assert [reply["error"] for _, reply in pool.run(cases)] == [None, None]


def test_case_is_the_same_after_the_way_through_a_worker(tmp_path: Path) -> None:
    case = write_suite(tmp_path, ["a"], filters={"city": "三亚"}).read_cases()[0]
    assert Case.from_dict(json.loads(json.dumps(case.to_dict()))).content_hash == case.content_hash
