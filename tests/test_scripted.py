from __future__ import annotations

import pytest
from langchain_core.callbacks import get_usage_metadata_callback

from tests.scripted import ScriptedChatModel


def test_script_is_followed_and_prompts_are_kept() -> None:
    model = ScriptedChatModel(replies=["一", ValueError("down")])
    assert model.invoke([("system", "短"), ("user", "问")]).text == "一"
    with pytest.raises(ValueError, match="down"):
        model.invoke("再问")
    assert model.prompts == ["短\n\n问", "再问"]
    assert model.remaining == 0


def test_call_past_the_script_fails() -> None:
    with pytest.raises(AssertionError, match="run out at call 1: 问"):
        ScriptedChatModel(replies=[]).invoke("问")


def test_usage_counts_characters() -> None:
    with get_usage_metadata_callback() as usage:
        ScriptedChatModel(replies=["四个字符"]).invoke("两字")
    assert usage.usage_metadata["scripted"]["input_tokens"] == 2
    assert usage.usage_metadata["scripted"]["output_tokens"] == 4
