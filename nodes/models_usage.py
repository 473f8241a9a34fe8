"""What the model calls of a run used, and what that costs at list prices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml
from typing_extensions import TypedDict

if TYPE_CHECKING:
    from langchain_core.messages.ai import UsageMetadata

_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")


class Usage(TypedDict):
    """Tokens of a run and their cost in the currency of `prices.yaml`; None when it is not known."""

    input_tokens: int
    output_tokens: int
    cost: float | None


def usage_cost(usage: Mapping[str, UsageMetadata]) -> Usage:
    """Return the sum of `usage`, which `get_usage_metadata_callback` collects by model name.

    No calls cost 0.0. One model without a known price makes the whole cost None. Cached input is counted at
    the full price, so the cost is an upper bound.
    """
    costs = [_cost(name, spent) for name, spent in usage.items()]
    known = [cost for cost in costs if cost is not None]
    return Usage(
        input_tokens=sum(spent["input_tokens"] for spent in usage.values()),
        output_tokens=sum(spent["output_tokens"] for spent in usage.values()),
        cost=round(sum(known), 6) if len(known) == len(costs) else None,
    )


def _cost(name: str, spent: UsageMetadata) -> float | None:
    prices = _prices()
    price = prices.get(name) or prices.get(_SNAPSHOT.sub("", name))
    if price is None:
        return None
    tokens = spent["input_tokens"] * price["input"] + spent["output_tokens"] * price["output"]
    return float(tokens / 1_000_000)


@cache
def _prices() -> Mapping[str, Mapping[str, Any]]:
    source = files("mindatlas.nodes").joinpath("prices.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(source)["models"])
