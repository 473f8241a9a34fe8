from __future__ import annotations

from typing import Any

import pytest

from mindatlas.nodes.errors import SetupError, UsageError
from mindatlas.nodes.mindtrip.parts import model_reranker
from mindatlas.nodes.mindtrip.parts.model_reranker import open_reranker


class Opened:
    def __init__(self, model: str, *, budget_s: float | None) -> None:
        self.model, self.budget_s = model, budget_s


class Missing:
    def __init__(self, model: str, *, budget_s: float | None) -> None:
        raise SetupError(f"No weights of {model}; get them with: a command")


def opened(monkeypatch: pytest.MonkeyPatch, kind: type) -> None:
    monkeypatch.setattr(model_reranker, "BgeReranker", kind)


def test_a_model_by_name_or_path(monkeypatch: pytest.MonkeyPatch) -> None:
    opened(monkeypatch, Opened)
    found: Any
    found, name, notice = open_reranker("bge:models/mine", budget_s=2.5)
    assert (found.model, found.budget_s, name, notice) == ("models/mine", 2.5, "bge:models/mine", "")


def test_auto_takes_the_default_model_where_it_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    opened(monkeypatch, Opened)
    found: Any
    found, name, notice = open_reranker("auto", budget_s=None)
    assert (found.model, name, notice) == ("BAAI/bge-reranker-v2-m3", "bge:BAAI/bge-reranker-v2-m3", "")


def test_auto_falls_back_to_builtin_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    opened(monkeypatch, Missing)
    found, name, notice = open_reranker("auto", budget_s=None)
    assert (found, name) == (None, "builtin")
    assert "builtin" in notice
    assert "get them with" in notice


def test_a_named_model_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    opened(monkeypatch, Missing)
    with pytest.raises(SetupError, match="get them with"):
        open_reranker("bge:mine", budget_s=None)


@pytest.mark.parametrize("name", ["bge:", "bge", "cohere:x", ""])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="'builtin', 'auto' and 'bge:MODEL'") as raised:
        open_reranker(name, budget_s=None)
    assert repr(name) in str(raised.value)
