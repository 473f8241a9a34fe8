from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mindatlas.evals.cases import Case
from mindatlas.evals.graph_runner import as_json, settings_from, timed
from mindatlas.graphs.mindtrip import MindTripSettings
from mindatlas.nodes.errors import FileReadError, ModelReplyError, ModelTransportError, UsageError

CASE = Case(id="c", query="?", case_type="any")


def failing(error: Exception) -> Any:
    def invoke() -> Mapping[str, Any]:
        raise error

    return invoke


def test_an_output_comes_with_its_cost_and_time() -> None:
    done = timed(CASE, lambda: {"usage": {"cost": 0.5}})
    assert (done.output, done.cost, done.error) == ({"usage": {"cost": 0.5}}, 0.5, None)
    assert done.duration_s >= 0


def test_an_unknown_cost_is_not_zero() -> None:
    assert timed(CASE, lambda: {"usage": {"cost": None}}).cost is None


@pytest.mark.parametrize(
    "error", [ModelTransportError("x"), ModelReplyError("x"), TimeoutError("x"), ConnectionError("x")]
)
def test_a_broken_connection_is_returned(error: Exception) -> None:
    done = timed(CASE, failing(error))
    assert done.output is None
    assert done.error == f"{type(error).__name__}: x"


def test_a_case_that_cannot_be_run_is_named() -> None:
    with pytest.raises(UsageError, match="'c'"):
        timed(CASE, failing(FileReadError("no such file")))


def test_a_setting_that_does_not_exist_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'colour'.*passages"):
        settings_from(MindTripSettings, "MindTrip", {"colour": "red"})


def test_settings_are_json_with_what_is_off_in_a_fixed_order() -> None:
    settings = settings_from(MindTripSettings, "MindTrip", {"disabled": ["widen", "rerank"]})
    assert as_json(settings)["disabled"] == ["rerank", "widen"]
