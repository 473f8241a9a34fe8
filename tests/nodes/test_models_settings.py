from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models import ModelKind, ModelSettings, faulty_seed, model_kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("builtin", "builtin"),
        ("faulty", "faulty"),
        ("faulty:7", "faulty"),
        ("openai:gpt-4.1-mini", "chat"),
        ("ollama:qwen3:8b", "chat"),
        ("google-genai:gemini-2.5-flash", "chat"),
    ],
)
def test_kind_of_each_form(name: str, kind: ModelKind) -> None:
    assert model_kind(name) == kind


@pytest.mark.parametrize(
    "name",
    [
        "",
        "gpt-4.1",
        "builtin:1",
        "faulty:",
        "faulty:x",
        "faulty:-1",
        "openai:",
        ":gpt",
        "openai:a b",
        "Builtin",
    ],
)
def test_malformed_name_says_the_forms(name: str) -> None:
    with pytest.raises(UsageError, match="faulty:SEED") as caught:
        model_kind(name)
    assert repr(name) in str(caught.value)


@given(st.integers(min_value=0, max_value=10**9))
def test_seed_is_the_number_written(seed: int) -> None:
    assert faulty_seed(f"faulty:{seed}") == seed


def test_seed_defaults_to_zero_and_needs_faulty() -> None:
    assert faulty_seed("faulty") == 0
    with pytest.raises(UsageError, match="'builtin' has no seed"):
        faulty_seed("builtin")


def test_key_is_not_shown() -> None:
    assert "sk-secret" not in repr(ModelSettings(model="openai:m", api_key="sk-secret"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "localhost:8000"},
        {"temperature": -0.1},
        {"timeout_s": 0.0},
        {"max_retries": -1},
        {"max_tokens": 0},
        {"record": "a", "replay": "b"},
        {"model": "builtin", "replay": "a"},
        {"model": "faulty:1", "base_url": "http://localhost:8000/v1"},
    ],
)
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        ModelSettings(**{"model": "openai:m", **wrong})
