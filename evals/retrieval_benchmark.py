"""`make bench-retrieval`: quality and speed of retrieval, beside LangChain's EnsembleRetriever in the same run.

    python -m mindatlas.evals.retrieval_benchmark FOLDER [--large 50000]

FOLDER holds `cmrc2018/dev.json` (CMRC 2018, Cui et al., EMNLP 2019) and `crosswoz/*_db.json`; a part whose data is
absent is skipped with a message. Everything runs with builtin settings: no model, no download.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from langgraph.checkpoint.memory import InMemorySaver
from rich.console import Console
from rich.table import Table

from mindatlas.evals.crosswoz_questions import (
    FILES,
    Question,
    constraint_questions,
    others_questions,
    read_records,
)
from mindatlas.graphs.mindtrip import MindTripSettings, build_mindtrip, open_parts
from mindatlas.nodes.mindtrip.parts.ingest import ingest
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase

Retrieve = Callable[[str], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table: a system on a data set; rates in [0, 1], times in milliseconds."""

    data: str
    system: str
    r1: float
    r3: float
    r10: float
    p50: float
    p95: float
    note: str = ""


def measure(data: str, system: str, retrieve: Retrieve, questions: Sequence[Question], note: str = "") -> Row:
    """Return the share of questions with an answer among the first 1, 3 and 10 results, and the time a question takes."""
    places, times = [], []
    for question in questions:
        started = time.perf_counter()
        found = retrieve(question.text)
        times.append((time.perf_counter() - started) * 1000)
        places.append(
            next((place for place, name in enumerate(found, start=1) if name in question.answers), 11)
        )
    rates = [sum(place <= k for place in places) / len(places) for k in (1, 3, 10)]
    p50, p95 = statistics.quantiles(times, n=20)[9], statistics.quantiles(times, n=20)[18]
    return Row(data=data, system=system, r1=rates[0], r3=rates[1], r10=rates[2], p50=p50, p95=p95, note=note)


def graph_of(folder: Path) -> tuple[Any, KnowledgeBase]:
    """Return the compiled graph over the knowledge base in `folder`, and that knowledge base."""
    parts = open_parts(MindTripSettings(kb=str(folder)))
    return build_mindtrip(parts).compile(), parts.knowledge_base()


def ours(folder: Path, *, by: str) -> Retrieve:
    """Return the candidates of the whole graph, as passage ids or as titles."""
    graph, base = graph_of(folder)

    def retrieve(question: str) -> list[str]:
        candidates: list[str] = graph.invoke({"question": question})["candidates"]
        return candidates if by == "id" else [base.passages[base.rows[name]].title for name in candidates]

    return retrieve


def ensemble(texts: Sequence[str], keys: Sequence[str], base: KnowledgeBase) -> Retrieve:
    """Return LangChain's EnsembleRetriever: its BM25 (our word segmentation) and vectors (our builtin embedding)."""
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

    documents = [Document(text, metadata={"key": key}) for text, key in zip(texts, keys, strict=True)]
    vectors = base.embedding.passages(texts)

    class Nearest(BaseRetriever):
        def _get_relevant_documents(
            self,
            query: str,
            *,
            run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - the interface of BaseRetriever
        ) -> list[Document]:
            nearest = np.argsort(-(vectors @ base.embedding.query(query)), kind="stable")[:10]
            return [documents[row] for row in nearest]

    lexical = BM25Retriever.from_documents(documents, preprocess_func=base.segmenter.words)
    lexical.k = 10
    both = EnsembleRetriever(retrievers=[lexical, Nearest()], weights=[0.5, 0.5])
    return lambda question: [document.metadata["key"] for document in both.invoke(question)][:10]


def cmrc_rows(data: Path, work: Path) -> Iterator[Row]:
    """Yield the rows for CMRC 2018 dev: a question finds its paragraph among 848."""
    source = work / "cmrc.jsonl"
    passages: list[dict[str, str]] = []
    questions: list[Question] = []
    for article in json.loads(data.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            name = f"p{len(passages):04d}"
            passages.append({"id": name, "title": article["title"], "text": paragraph["context"]})
            answers = frozenset({name})
            questions += [Question(text=qa["question"], answers=answers) for qa in paragraph["qas"]]
    source.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in passages), encoding="utf-8"
    )
    seconds = _ingest(work / "cmrc", [source])
    yield measure("CMRC dev", "mindatlas", ours(work / "cmrc", by="id"), questions, f"index {seconds:.1f} s")
    base = KnowledgeBase(work / "cmrc")
    texts = [f"{row['title']}\n{row['text']}" for row in passages]
    peer = ensemble(texts, [row["id"] for row in passages], base)
    yield measure("CMRC dev", "EnsembleRetriever", peer, questions)


def crosswoz_rows(folder: Path, work: Path) -> Iterator[Row]:
    """Yield the rows for CrossWOZ: constraint questions, and “others nearby” turns with the repeats counted."""
    records = read_records(folder)
    seconds = _ingest(work / "crosswoz", [folder / name for name in FILES])
    questions = constraint_questions(records, 300, seed=1)
    note = f"index {seconds:.1f} s"
    yield measure("CrossWOZ constraints", "mindatlas", ours(work / "crosswoz", by="title"), questions, note)
    base = KnowledgeBase(work / "crosswoz")
    texts = [f"{passage.title}\n{passage.text}" for passage in base.passages]
    peer = ensemble(texts, [passage.title for passage in base.passages], base)
    yield measure("CrossWOZ constraints", "EnsembleRetriever", peer, questions)
    turns = others_questions(records, 200, seed=2)
    yield _others_row("mindatlas", _threaded(work / "crosswoz"), turns)
    yield _others_row("EnsembleRetriever", lambda question: peer(question.text), turns)


def _threaded(folder: Path) -> Callable[[Question], Sequence[str]]:
    parts = open_parts(MindTripSettings(kb=str(folder)))
    base, graph = parts.knowledge_base(), build_mindtrip(parts).compile(checkpointer=InMemorySaver())
    turn = iter(range(1_000_000))

    def retrieve(question: Question) -> list[str]:
        thread: Any = {"configurable": {"thread_id": str(next(turn))}}
        for text in question.before:
            graph.invoke({"question": text}, thread)
        candidates = graph.invoke({"question": question.text}, thread)["candidates"]
        return [base.passages[base.rows[name]].title for name in candidates]

    return retrieve


def _others_row(system: str, retrieve: Callable[[Question], Sequence[str]], turns: Sequence[Question]) -> Row:
    found: dict[str, Sequence[str]] = {}
    repeated = 0
    for number, turn in enumerate(turns):
        names = retrieve(turn)
        found[str(number)] = names
        repeated += any(name in before for name in names for before in turn.before)
    keyed = [Question(text=str(number), answers=turn.answers) for number, turn in enumerate(turns)]
    row = measure("CrossWOZ others", system, lambda number: found[number], keyed)
    return Row(
        **{
            **vars(row),
            "p50": float("nan"),
            "p95": float("nan"),
            "note": f"{repeated / len(turns):.0%} show a place named before",
        }
    )


def bundled_rows() -> Iterator[Row]:
    """Yield the row for exclusion questions over the bundled knowledge base: violations, and the warm time of `ask`."""
    graph, base = graph_of(Path("hainan"))
    names = sorted(
        {passage.entity for passage in base.passages if passage.metadata.get("category") == "海湾"}
    )
    questions = [f"除了{name}，还有哪些适合看海的海湾？" for name in names]
    for question in questions[:10]:
        graph.invoke({"question": question})
    violations, times = 0, []
    for name, question in zip(names, questions, strict=True):
        started = time.perf_counter()
        output = graph.invoke({"question": question})
        times.append((time.perf_counter() - started) * 1000)
        violations += any(passage["entity"] == name for passage in output["passages"])
        violations += any(base.passages[base.rows[i]].entity == name for i in output["candidates"])
    nan, quantiles = float("nan"), statistics.quantiles(times, n=20)
    note = f"whole graph, {violations} exclusion violations in {len(questions)}"
    yield Row(
        data="Hainan exclusions",
        system="mindatlas",
        r1=nan,
        r3=nan,
        r10=nan,
        p50=quantiles[9],
        p95=quantiles[18],
        note=note,
    )


def large_rows(work: Path, size: int) -> Iterator[Row]:
    """Yield the row for `size` passages, windows over sentences of the bundled texts in seeded order."""
    rng = random.Random(0)
    base = KnowledgeBase(graph_of(Path("hainan"))[1].folder)
    sentences = [part for passage in base.passages for part in passage.text.split("。") if part]
    source = work / "large.jsonl"
    with source.open("w", encoding="utf-8") as file:
        for number in range(size):
            text = "。".join(rng.sample(sentences, 4)) + "。"
            file.write(
                json.dumps(
                    {"id": f"n{number:06d}", "title": f"条目{number}", "text": text}, ensure_ascii=False
                )
                + "\n"
            )
    seconds = _ingest(work / "large", [source])
    picked = rng.sample(range(size), 200)
    rows = source.read_text(encoding="utf-8").splitlines()
    questions = [
        Question(text=json.loads(rows[i])["text"].split("。")[1][:24], answers=frozenset({f"n{i:06d}"}))
        for i in picked
    ]
    retrieve = ours(work / "large", by="id")
    for question in questions[:5]:
        retrieve(question.text)
    note = f"whole graph; index {seconds:.0f} s; sentences repeat, so R@k is no quality figure"
    yield measure(f"{size:,} passages", "mindatlas", retrieve, questions, note)


def _ingest(folder: Path, paths: Sequence[Path]) -> float:
    started = time.perf_counter()
    ingest(folder, paths, embedding="builtin")
    return time.perf_counter() - started


def show(rows: Sequence[Row]) -> None:
    """Print the table and the peak memory."""
    table = Table(title="Retrieval, builtin settings")
    for name in ("data", "system", "R@1", "R@3", "R@10", "p50 ms", "p95 ms", "note"):
        table.add_column(name)
    for row in rows:
        rates = (f"{rate:.3f}" if rate == rate else "–" for rate in (row.r1, row.r3, row.r10))
        times = (f"{value:.1f}" if value == value else "–" for value in (row.p50, row.p95))
        table.add_row(row.data, row.system, *rates, *times, row.note)
    console = Console(width=150)
    console.print(table)
    console.print(f"Peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where cmrc2018/ and crosswoz/ lie")
    parser.add_argument(
        "--large", type=int, default=50_000, help="passages of the large collection; 0 skips it"
    )
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        cmrc, crosswoz = options.folder / "cmrc2018" / "dev.json", options.folder / "crosswoz"
        if cmrc.exists():
            rows += cmrc_rows(cmrc, work)
        if crosswoz.exists():
            rows += crosswoz_rows(crosswoz, work)
        rows += bundled_rows()
        if options.large:
            rows += large_rows(work, options.large)
    for missing in (path for path in (cmrc, crosswoz) if not path.exists()):
        Console(stderr=True).print(f"skipped: {missing} is not there")
    show(rows)


if __name__ == "__main__":
    main()
