from __future__ import annotations

from importlib.resources import files

import pytest
import yaml
from langchain_core.messages.ai import UsageMetadata

from mindatlas.nodes.models import Usage, usage_cost


def spent(read: int, written: int) -> UsageMetadata:
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)


def test_no_calls_cost_nothing() -> None:
    assert usage_cost({}) == Usage(input_tokens=0, output_tokens=0, cost=0.0)


def test_cost_is_tokens_times_price_per_million() -> None:
    # gpt-4o-mini: 0.15 in, 0.60 out.
    assert usage_cost({"gpt-4o-mini": spent(2_000_000, 500_000)})["cost"] == pytest.approx(0.60)


@pytest.mark.parametrize("name", ["gpt-4o-mini-2024-07-18", "claude-haiku-4-5-20251001"])
def test_snapshot_has_the_price_of_its_model(name: str) -> None:
    assert usage_cost({name: spent(1_000_000, 0)})["cost"] in {0.15, 1.0}


@pytest.mark.parametrize("unknown", ["qwen3-32b", "gpt-4o-mini-audio", "scripted"])
def test_one_unknown_price_makes_the_cost_unknown(unknown: str) -> None:
    usage = usage_cost({"gpt-4o-mini": spent(10, 10), unknown: spent(5, 1)})
    assert usage == Usage(input_tokens=15, output_tokens=11, cost=None)


def test_prices_are_complete() -> None:
    document = yaml.safe_load(files("mindatlas.nodes").joinpath("prices.yaml").read_text(encoding="utf-8"))
    assert document["currency"] == "USD"
    assert document["as_of"]
    for name, price in document["models"].items():
        assert price["source"] in document["sources"], name
        assert 0 < price["input"] <= price["output"], name
