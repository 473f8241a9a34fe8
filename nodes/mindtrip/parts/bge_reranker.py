"""The `bge:MODEL` reranker: a cross-encoder such as BAAI/bge-reranker-v2-m3, through FlagEmbedding."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from mindatlas.nodes.errors import MindatlasError, SetupError, UsageError
from mindatlas.nodes.flag_embedding import load, require_extra, weights_folder
from mindatlas.nodes.mindtrip.parts.score_cache import ScoreCache

MAX_PAIRS = 10  # a pair costs 0.35 to 0.95 s on two cores: more is no reranking but a second retrieval
_BATCH = 5
_MAX_TOKENS = 512
_AFTER_REFUSAL = 0.95


class BudgetExceeded(MindatlasError):
    """The work would not fit the time budget: an expected outcome, which the caller turns into a notice.

    Attributes:
        needed_s: seconds that all of the work would have taken, as estimated.
        budget_s: seconds that it may take.
    """

    def __init__(self, *, pairs: int, needed_s: float, budget_s: float) -> None:
        super().__init__(
            f"scoring {pairs} pairs takes about {needed_s:.1f} s of a budget of {budget_s:.1f} s"
        )
        self.needed_s = needed_s
        self.budget_s = budget_s


class BgeReranker:
    """Scores how well passages answer a query, each pair read together by the model.

    Opening it looks for the package and the weights and loads neither; the first score does, in 5 to 20
    seconds that no budget counts. A server calls `load` beforehand.

    FlagReranker's own `compute_score` is passed over: it runs the first batch twice, to find a batch size,
    and under transformers 5 cuts each text into tokens, joins them to text and cuts that again, which does
    not always give the same tokens.

    Args:
        model: a folder, or a name on the hub whose weights are in its cache.
        budget_s: seconds a call may take; None for no limit. The estimate is the last measured time per
            pair, so the first batch always runs. Each refusal lowers it a little: one slow moment must not
            close the reranker for good.
        allow_download: whether missing weights may be fetched from the hub.
        cache: SQLite file that keeps the scores; None keeps them in memory only.
        clock: seconds, always rising.

    Attributes:
        calls: how often the model was run, one for each batch.

    Raises:
        SetupError: FlagEmbedding or the weights are missing.
        StoreError: the cache cannot be read.
    """

    def __init__(
        self,
        model: str,
        *,
        budget_s: float | None,
        allow_download: bool = False,
        cache: Path | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        require_extra(f"The reranker 'bge:{model}'")
        self._folder = weights_folder(model, allow_download=allow_download)
        self._cache = ScoreCache(str(self._folder.resolve()), path=cache)
        self._budget_s = budget_s
        self._clock = clock
        self._seconds_per_pair: float | None = None
        self._lock = threading.Lock()
        self.calls = 0

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return the relevance in [0, 1] of each passage, in the given order; no passages, no call.

        A pair is read up to 512 tokens, its longer side cut first. What was scored before is not scored
        again, also after a BudgetExceeded.

        Raises:
            BudgetExceeded: the pairs that are not yet scored would not fit the budget.
            UsageError: there are more than 10 passages.
            SetupError: the model cannot be loaded.
        """
        if len(passages) > MAX_PAIRS:
            raise UsageError(f"{len(passages)} passages are too many to rerank: give at most {MAX_PAIRS}")
        known = {passage: self._cache.get(query, passage) for passage in passages}
        missing = sorted((text for text, score in known.items() if score is None), key=len, reverse=True)
        with self._lock:
            found = self._score_missing(query, missing)
        return [found[text] if (score := known[text]) is None else score for text in passages]

    def load(self) -> None:
        """Load the model now, so that no question waits for it.

        Raises:
            SetupError: the model cannot be loaded, or is no reranker.
        """
        with self._lock:
            _ = self._scorer

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()

    def _score_missing(self, query: str, passages: Sequence[str]) -> dict[str, float]:
        """Return scores by passage, batch by batch; passages of like length share a batch and its padding."""
        found: dict[str, float] = {}
        spent = 0.0
        for start in range(0, len(passages), _BATCH):
            self._check_budget(len(passages) - start, spent, total=len(passages))
            batch = passages[start : start + _BATCH]
            scorer = self._scorer
            began = self._clock()
            scores = dict(zip(batch, scorer(query, batch), strict=True))
            elapsed = self._clock() - began
            self.calls += 1
            self._seconds_per_pair = elapsed / len(batch)
            spent += elapsed
            self._cache.add(query, scores)
            found |= scores
        return found

    def _check_budget(self, pairs: int, spent: float, *, total: int) -> None:
        if self._budget_s is None or self._seconds_per_pair is None:
            return
        needed = spent + pairs * self._seconds_per_pair
        if needed > self._budget_s:
            self._seconds_per_pair *= _AFTER_REFUSAL
            raise BudgetExceeded(pairs=total, needed_s=needed, budget_s=self._budget_s)

    @cached_property
    def _scorer(self) -> Callable[[str, Sequence[str]], list[float]]:
        return _CrossEncoder(load("FlagReranker", self._folder), self._folder)


class _CrossEncoder:
    """Runs one batch through the model that a FlagReranker has loaded."""

    def __init__(self, reranker: Any, folder: Path) -> None:
        import torch

        if reranker.model.config.num_labels != 1:
            raise SetupError(f"The model in {str(folder)!r} is no reranker: it gives more than one score")
        self._torch = torch
        self._tokenizer = reranker.tokenizer
        self._device = reranker.target_devices[0]
        model = reranker.model.half() if reranker.use_fp16 else reranker.model
        self._model = model.to(self._device).eval()

    def __call__(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return the sigmoid of the model's output for each passage, in order."""
        inputs = self._tokenizer(
            [_clean(query)] * len(passages),
            [_clean(passage) for passage in passages],
            truncation=True,
            max_length=_MAX_TOKENS,
            padding=True,
            return_tensors="pt",
        )
        with self._torch.inference_mode():
            logits = self._model(**inputs.to(self._device)).logits.view(-1)
        scores: list[float] = self._torch.sigmoid(logits.float()).tolist()
        return scores


def _clean(text: str) -> str:
    """Return `text` with what has no UTF-8 replaced: the tokenizer would refuse it."""
    return text.encode("utf-8", "replace").decode("utf-8")
