from __future__ import annotations

from pathlib import Path

import pytest
from langchain_openai import ChatOpenAI

from mindatlas.nodes.errors import SetupError, UsageError
from mindatlas.nodes.models import ModelSettings, ask, open_chat_model
from tests.chat_server import ChatServer, text


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_missing_key_names_its_variable() -> None:
    with pytest.raises(SetupError, match="OPENAI_API_KEY"):
        open_chat_model(ModelSettings(model="openai:gpt-4.1"))


@pytest.mark.parametrize("name", ["builtin", "faulty:3"])
def test_rules_are_not_opened(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        open_chat_model(ModelSettings(model=name))


def test_missing_provider_package_gives_the_install_line() -> None:
    with pytest.raises(SetupError, match="pip install langchain-perplexity"):
        open_chat_model(ModelSettings(model="perplexity:sonar", api_key="k"))


def test_unknown_provider_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="acme:large"):
        open_chat_model(ModelSettings(model="acme:large", api_key="k"))


def test_settings_reach_the_wire() -> None:
    with ChatServer([text("好")]) as server:
        settings = ModelSettings(
            model="openai:qwen3", base_url=server.base_url, api_key="sk-mine", temperature=0.4, max_tokens=64
        )
        assert ask(open_chat_model(settings), "问", system="短") == "好"
    sent = server.requests[0]
    assert sent["model"] == "qwen3"
    assert sent["temperature"] == 0.4
    assert sent["messages"] == [{"role": "system", "content": "短"}, {"role": "user", "content": "问"}]
    assert server.headers[0]["authorization"] == "Bearer sk-mine"
    # llama_cpp.server reads only this name, and OpenAI refuses both at once.
    assert sent["max_tokens"] == 64
    assert "max_completion_tokens" not in sent


def test_openai_itself_gets_the_cap_under_its_own_name() -> None:
    model = open_chat_model(ModelSettings(model="openai:gpt-4.1", api_key="k", max_tokens=64))
    assert isinstance(model, ChatOpenAI)
    assert model.max_tokens == 64
    assert not model.extra_body


def test_local_server_needs_no_key() -> None:
    with ChatServer([text("好")]) as server:
        assert ask(open_chat_model(ModelSettings(model="openai:m", base_url=server.base_url)), "问") == "好"


def test_environment_key_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
    with ChatServer([text("好")]) as server:
        ask(open_chat_model(ModelSettings(model="openai:m", base_url=server.base_url)), "问")
    assert server.headers[0]["authorization"] == "Bearer sk-env"


def test_model_that_takes_no_temperature_is_sent_none() -> None:
    with ChatServer([text("好")]) as server:
        ask(open_chat_model(ModelSettings(model="openai:o3", base_url=server.base_url)), "问")
    assert "temperature" not in server.requests[0]


def test_asking_such_a_model_for_a_temperature_is_refused() -> None:
    with pytest.raises(UsageError, match="takes no temperature"):
        open_chat_model(ModelSettings(model="openai:o3", api_key="k", temperature=0.7))


def test_replay_needs_neither_key_nor_server(tmp_path: Path) -> None:
    model = open_chat_model(ModelSettings(model="openai:m", replay=str(tmp_path)))
    assert model.disable_streaming is True


def test_replay_from_a_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="absent"):
        open_chat_model(ModelSettings(model="openai:m", replay=str(tmp_path / "absent")))
