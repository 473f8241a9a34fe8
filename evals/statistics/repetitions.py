"""What repetitions of a case say: at least one of k passes, or all k do."""

from __future__ import annotations

from math import comb

from mindatlas.nodes.errors import UsageError


def pass_at_k(n: int, passed: int, k: int) -> float:
    """Return the unbiased estimate that at least one of `k` runs passes, 1 - C(n-c, k) / C(n, k), in [0, 1].

    Source: Chen et al., arXiv 2107.03374.

    Args:
        n: runs of the case.
        passed: runs that passed, c.
        k: runs that are looked at; at most `n`.

    Raises:
        UsageError: `k` is above `n` or below 1, or `passed` lies outside 0..n.
    """
    _check(n, passed, k)
    return 1.0 - comb(n - passed, k) / comb(n, k)


def pass_hat_k(n: int, passed: int, k: int) -> float:
    """Return the unbiased estimate that all of `k` runs pass, pass^k = C(c, k) / C(n, k), in [0, 1].

    Source: Yao et al., tau-bench, arXiv 2406.12045. Arguments and errors as in `pass_at_k`.

    Raises:
        UsageError: `k` is above `n` or below 1, or `passed` lies outside 0..n.
    """
    _check(n, passed, k)
    return comb(passed, k) / comb(n, k)


def _check(n: int, passed: int, k: int) -> None:
    if not 1 <= k <= n:
        raise UsageError(f"k must lie within 1..{n}, the number of runs, not be {k!r}: more is not known")
    if not 0 <= passed <= n:
        raise UsageError(f"{passed!r} of {n!r} runs cannot have passed")
