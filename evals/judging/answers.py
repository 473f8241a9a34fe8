"""Answers to be judged: read from JSON lines, or made by running a suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mindatlas.evals.files import read_jsonl, write_jsonl
from mindatlas.evals.judging.judge import Answer, Metric, answer_of
from mindatlas.evals.judging.tiers import Pair
from mindatlas.evals.runners import open_runner
from mindatlas.evals.suite import Suite
from mindatlas.nodes.errors import UsageError


def answer_from(data: Mapping[str, Any]) -> Answer:
    """Return the answer in a checked line; a passage without a subject is about nothing named."""
    return Answer(
        id=data["id"],
        question=data["question"],
        answer=data["answer"],
        passages=tuple({"entity": "", **passage} for passage in data.get("passages", ())),
        reference=data.get("reference"),
        expected_entities=tuple(data.get("expected_entities", ())),
    )


def read_answers(path: Path) -> list[Answer]:
    """Return the answers of a JSONL file.

    Raises:
        FileReadError: the file cannot be read, or a line is no answer.
        UsageError: an id stands twice, or there is no answer.
    """
    answers = [answer_from(line) for line in read_jsonl(path, "judged_answer")]
    if repeated := [name for name, count in Counter(one.id for one in answers).items() if count > 1]:
        raise UsageError(f"The id {repeated[0]!r} stands more than once in {str(path)!r}")
    if not answers:
        raise UsageError(f"There is no answer in {str(path)!r}")
    return answers


def write_answers(path: Path, answers: Iterable[Answer]) -> None:
    """Write answers as JSON lines, atomically."""
    write_jsonl(path, map(asdict, answers))


def answers_of_suite(suite: Suite) -> Iterator[Answer]:
    """Yield the answer to each case of a suite; a case that broke off, or was refused, has none to judge.

    Raises:
        UsageError: the suite's graph gives no text to judge.
    """
    if suite.graph != "mindtrip":
        raise UsageError(f"Answers in text come from MindTrip; the suite {suite.name!r} runs {suite.graph!r}")
    runner = open_runner(suite.graph, suite.settings)
    for case in suite.read_cases():
        done = runner.run(case)
        if done.output is not None and done.output["answer"].strip() and done.output["passages"]:
            yield answer_of(case, done.output)


def pairs_of(
    candidates: Sequence[Answer], baselines: Sequence[Answer], metrics: Sequence[Metric]
) -> list[Pair]:
    """Return the pairs to judge, metric by metric within each case; a baseline answer is found by its id."""
    known = {answer.id: answer for answer in baselines}
    return [
        Pair(metric=metric, candidate=answer, baseline=known.get(answer.id))
        for answer in candidates
        for metric in metrics
    ]
