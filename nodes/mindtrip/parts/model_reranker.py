"""Opening a model reranker by name, with the builtin one as the fall-back that `auto` says aloud."""

from __future__ import annotations

from mindatlas.nodes.errors import SetupError, UsageError
from mindatlas.nodes.mindtrip.parts.bge_reranker import BgeReranker
from mindatlas.nodes.mindtrip.parts.reranker import Reranker

DEFAULT = "BAAI/bge-reranker-v2-m3"


def open_reranker(name: str, *, budget_s: float | None) -> tuple[Reranker | None, str, str]:
    """Return the reranker `name` (`auto` or `bge:MODEL`), its resolved name, and a notice where it fell back.

    Raises:
        SetupError: the named model's package or weights are missing (never for `auto`).
        UsageError: the name has another form.
    """
    if name == "auto":
        try:
            return BgeReranker(DEFAULT, budget_s=budget_s), f"bge:{DEFAULT}", ""
        except SetupError as error:
            return None, "builtin", f"Reranked by builtin rules: {error}"
    kind, _, model = name.partition(":")
    if kind != "bge" or not model:
        raise UsageError(f"The reranker {name!r} is none of 'builtin', 'auto' and 'bge:MODEL'")
    return BgeReranker(model, budget_s=budget_s), name, ""
