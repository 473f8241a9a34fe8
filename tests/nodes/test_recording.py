from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import get_usage_metadata_callback
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from pydantic import BaseModel

from mindatlas.nodes.errors import ModelTransportError, SetupError, StoreError
from mindatlas.nodes.models import ModelSettings, ask, ask_structured, open_chat_model
from mindatlas.nodes.recording import RecordingMissError
from tests import chat_server
from tests.chat_server import Behaviour, ChatServer

KEY = "sk-very-secret"
NOWHERE = "http://127.0.0.1:9/v1"  # the discard port: a request that went out would fail as transport


class City(BaseModel):
    name: str


class Region(BaseModel):
    name: str
    island: bool


def record(
    folder: Path, job: Callable[[BaseChatModel], object], *script: Behaviour, **settings: Any
) -> ChatServer:
    with ChatServer(script) as server:
        given = {
            "model": "openai:m",
            "api_key": KEY,
            "max_retries": 0,
            "base_url": server.base_url,
            **settings,
        }
        job(open_chat_model(ModelSettings(**given, record=str(folder))))
    return server


def replaying(folder: Path, **settings: Any) -> BaseChatModel:
    given = {"model": "openai:m", "max_retries": 0, "base_url": NOWHERE, **settings}
    return open_chat_model(ModelSettings(**given, replay=str(folder)))


def test_replayed_reply_and_usage_are_those_recorded(tmp_path: Path) -> None:
    record(tmp_path, lambda model: ask(model, "哪里？", system="短"), chat_server.text("三亚"))
    with get_usage_metadata_callback() as usage:
        assert ask(replaying(tmp_path), "哪里？", system="短") == "三亚"
    spent = usage.usage_metadata[chat_server.MODEL]
    assert (spent["input_tokens"], spent["output_tokens"], spent["total_tokens"]) == (11, 7, 18)


def test_one_file_a_call_without_key_or_address(tmp_path: Path) -> None:
    server = record(
        tmp_path,
        lambda model: (ask(model, "一"), ask(model, "二"), ask_structured(model, "三", City)),
        chat_server.text("1"),
        chat_server.text("2"),
        chat_server.structured({"name": "三亚"}),
    )
    files = sorted(tmp_path.iterdir())
    assert len(files) == 3
    for file in files:
        content = file.read_text(encoding="utf-8")
        assert KEY not in content
        assert server.base_url not in content
        assert file.stem.isalnum()
        assert len(file.stem) == 64


def test_environment_key_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server = record(tmp_path, lambda model: ask(model, "一"), chat_server.text("1"), api_key=None)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert all(KEY not in file.read_text(encoding="utf-8") for file in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("settings", "prompt"),
    [
        ({}, "别的问题"),
        ({"model": "openai:other"}, "哪里？"),
        ({"temperature": 0.5}, "哪里？"),
        ({"max_tokens": 5}, "哪里？"),
    ],
)
def test_another_call_is_a_miss_and_nothing_is_sent(
    tmp_path: Path, settings: dict[str, Any], prompt: str
) -> None:
    record(tmp_path, lambda model: ask(model, "哪里？"), chat_server.text("三亚"))
    with pytest.raises(SetupError, match=r"No recording of call [0-9a-f]{64}.*record again"):
        ask(replaying(tmp_path, **settings), prompt)


def test_streaming_is_replayed_too(tmp_path: Path) -> None:
    record(tmp_path, lambda model: list(model.stream("哪里？")), chat_server.text("三亚"))
    assert "".join(str(chunk.text) for chunk in replaying(tmp_path).stream("哪里？")) == "三亚"
    with pytest.raises(RecordingMissError):
        list(replaying(tmp_path).stream("别的"))


def test_structured_output_is_replayed_and_its_schema_is_part_of_the_key(tmp_path: Path) -> None:
    record(
        tmp_path,
        lambda model: ask_structured(model, "哪里？", City),
        chat_server.structured({"name": "三亚"}),
    )
    assert ask_structured(replaying(tmp_path), "哪里？", City) == City(name="三亚")
    with pytest.raises(RecordingMissError):
        ask_structured(replaying(tmp_path), "哪里？", Region)


def test_fallback_of_a_server_without_structured_output_is_replayed(tmp_path: Path) -> None:
    record(
        tmp_path,
        lambda model: ask_structured(model, "哪里？", City),
        chat_server.status(500),
        chat_server.text("不知道"),
        chat_server.structured({"name": "三亚"}),
    )
    assert ask_structured(replaying(tmp_path), "哪里？", City) == City(name="三亚")


def weather(city: str) -> str:
    """Return the weather of a city."""
    return city


def converse(model: BaseChatModel) -> str:
    bound = model.bind_tools([weather])
    messages: list[BaseMessage] = [HumanMessage("天气？")]
    call = bound.invoke(messages)
    assert isinstance(call, AIMessage)
    result = ToolMessage(weather(**call.tool_calls[0]["args"]), tool_call_id=call.tool_calls[0]["id"])
    return str(bound.invoke([*messages, call, result]).text)


def test_conversation_with_tools_is_replayed(tmp_path: Path) -> None:
    record(tmp_path, converse, chat_server.tool_call("weather", {"city": "三亚"}), chat_server.text("晴"))
    assert converse(replaying(tmp_path)) == "晴"
    with pytest.raises(RecordingMissError):
        replaying(tmp_path).invoke("天气？")


def test_same_call_again_has_its_own_reply(tmp_path: Path) -> None:
    record(
        tmp_path,
        lambda model: [ask(model, "掷") for _ in range(3)],
        *(chat_server.text(face) for face in "146"),
    )
    model = replaying(tmp_path)
    assert [ask(model, "掷") for _ in range(4)] == ["1", "4", "6", "6"]
    assert len(list(tmp_path.iterdir())) == 3


def test_recording_again_leaves_nothing_of_the_earlier_run(tmp_path: Path) -> None:
    record(
        tmp_path,
        lambda model: [ask(model, "掷") for _ in range(2)],
        chat_server.text("1"),
        chat_server.text("4"),
    )
    record(tmp_path, lambda model: ask(model, "掷"), chat_server.text("5"))
    model = replaying(tmp_path)
    assert [ask(model, "掷"), ask(model, "掷")] == ["5", "5"]


def test_failed_call_leaves_no_file(tmp_path: Path) -> None:
    def failing(model: BaseChatModel) -> None:
        with pytest.raises(ModelTransportError):
            ask(model, "问")

    record(tmp_path, failing, chat_server.cut_off())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"format": 1}', '{"format": 99}', '{"format": 1, "replies": [{}]}']
)
def test_damaged_or_newer_recording_is_named(tmp_path: Path, content: str) -> None:
    record(tmp_path, lambda model: ask(model, "问"), chat_server.text("答"))
    file = next(tmp_path.iterdir())
    file.write_text(content, encoding="utf-8")
    with pytest.raises(StoreError, match=file.name):
        ask(replaying(tmp_path), "问")


def test_recording_can_be_read_by_people(tmp_path: Path) -> None:
    record(tmp_path, lambda model: ask(model, "哪里？"), chat_server.text("三亚"))
    document = json.loads(next(tmp_path.iterdir()).read_text(encoding="utf-8"))
    assert document["request"]["model"] == "openai:m"
    assert document["request"]["messages"] == [{"type": "human", "content": "哪里？"}]
    assert document["replies"][0]["data"]["content"] == "三亚"
