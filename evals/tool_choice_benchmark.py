"""How well, and how fast, tools are chosen among 500: `python -m mindatlas.evals.tool_choice_benchmark`.

The registry and the questions were written for this benchmark. The dev part is what the settings were chosen on; the
held-out part, about other servers, was never looked at for that. `near` questions use the noun of the tool's
description or its translation, `far` ones describe the matter in everyday words. The peer in the same run is plain
BM25 over names and descriptions, cut into words by jieba.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

from mindatlas.evals.tool_registry import registry
from mindatlas.nodes.text import Segmenter
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard
from mindatlas.nodes.workdesk.parts.tool_choice import ToolChooser
from mindatlas.nodes.workdesk.parts.tool_schemas import name_words

TOP = 5
Choose = Callable[[str], Sequence[str]]
Question = Mapping[str, Any]


def questions() -> list[Question]:
    """Return the labelled questions: `{id, question, tools, part, language, level}`; any of `tools` is right."""
    path = files("mindatlas.evals").joinpath("cases", "workdesk", "tool_questions.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def recall(choose: Choose, asked: Sequence[Question], top: int = TOP) -> float:
    """Return the share of questions, 0 to 1, with a right tool among the first `top`; nan for no question."""
    hits = [bool(set(choose(one["question"])[:top]) & set(one["tools"])) for one in asked]
    return statistics.fmean(hits) if hits else float("nan")


def workdesk(cards: Sequence[ToolCard], embedding: str = "builtin") -> Choose:
    """Return the chooser under test; what a chosen tool needs stands behind all chosen ones."""
    chooser = ToolChooser(cards, k=TOP, embedding=embedding)
    return lambda question: [card.name for card in chooser.choose(question)]


def plain_bm25(cards: Sequence[ToolCard]) -> Choose:
    """Return the peer: BM25 over the words of names and of the servers' descriptions."""
    segmenter = Segmenter()
    texts = [f"{name_words(card.name)} {card.tool.description}" for card in cards]
    index = BM25Okapi([segmenter.words(text) for text in texts])

    def choose(question: str) -> list[str]:
        scores = index.get_scores(segmenter.words(question))
        return [cards[position].name for position in np.argsort(-scores, kind="stable")[:TOP]]

    return choose


def milliseconds(choose: Choose, asked: Sequence[Question]) -> list[float]:
    """Return the time of each choice, warm, sorted."""
    choose(asked[0]["question"])
    times = []
    for one in asked:
        started = time.perf_counter()
        choose(one["question"])
        times.append((time.perf_counter() - started) * 1000)
    return sorted(times)


def report(embedding: str = "builtin") -> Iterator[str]:
    """Yield the lines of the table."""
    cards, asked = registry(), questions()
    choosers = {"mindatlas": workdesk(cards, embedding), "plain BM25": plain_bm25(cards)}
    yield f"{len(cards)} tools, {len(asked)} questions; recall@{TOP}; embedding {embedding}"
    columns = ("all", "near", "far", "zh", "en")
    yield f"{'part':<10}{'questions':>10}  {'chooser':<12}" + "".join(f"{column:>8}" for column in columns)
    for part in ("dev", "held_out"):
        of_part = [one for one in asked if one["part"] == part]
        for name, choose in choosers.items():
            cells = [recall(choose, [one for one in of_part if _in(one, column)]) for column in columns]
            yield f"{part:<10}{len(of_part):>10}  {name:<12}" + "".join(f"{cell:>8.3f}" for cell in cells)
    for name, choose in choosers.items():
        times = milliseconds(choose, asked)
        yield f"{name}: {statistics.median(times):.1f} ms median, {times[int(0.95 * len(times))]:.1f} ms at the 95th percentile"


def _in(question: Question, column: str) -> bool:
    return column in ("all", question["level"], question["language"])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure the choice among 500 tools.")
    parser.add_argument("--embedding", default="builtin", help="builtin, e5, bge:MODEL or PROVIDER:MODEL")
    for line in report(parser.parse_args().embedding):
        print(line)  # noqa: T201  the table is the output


if __name__ == "__main__":
    main()
