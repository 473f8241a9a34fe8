from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from langchain_core.callbacks import get_usage_metadata_callback
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from pydantic import BaseModel

from mindatlas.nodes.errors import ModelReplyError, ModelTransportError, SetupError
from mindatlas.nodes.models import ModelSettings, ask, ask_structured, open_chat_model, usage_cost
from tests import chat_server
from tests.chat_server import Behaviour, ChatServer
from tests.scripted import ScriptedChatModel

Serve = Callable[..., tuple[ChatServer, BaseChatModel]]


class Verdict(BaseModel):
    label: Literal["yes", "no"]
    score: int


GOOD = {"label": "yes", "score": 3}


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[ChatServer] = []

    def start(
        *script: Behaviour, retries: int = 0, timeout: float = 30.0
    ) -> tuple[ChatServer, BaseChatModel]:
        server = ChatServer(script)
        servers.append(server.__enter__())
        settings = ModelSettings(
            model="openai:scripted",
            base_url=server.base_url,
            api_key="sk-secret",
            max_retries=retries,
            timeout_s=timeout,
        )
        return server, open_chat_model(settings)

    yield start
    for server in servers:
        server.__exit__(None, None, None)


def test_reply_is_stripped_text(serve: Serve) -> None:
    _, model = serve(chat_server.text(" 三亚。\n"))
    assert ask(model, "哪里？") == "三亚。"


def test_thoughts_are_left_out(serve: Serve) -> None:
    _, model = serve(chat_server.text("<think>用户问……\n</think>\n三亚。"))
    assert ask(model, "哪里？") == "三亚。"


@pytest.mark.parametrize("empty", ["", "  \n", "<think>想</think>"])
def test_reply_without_text_is_an_error(serve: Serve, empty: str) -> None:
    _, model = serve(chat_server.text(empty))
    with pytest.raises(ModelReplyError, match="no text"):
        ask(model, "哪里？")


def test_cut_reply_is_an_error(serve: Serve) -> None:
    _, model = serve(chat_server.text("三亚在", finish_reason="length"))
    with pytest.raises(ModelReplyError, match="max_tokens"):
        ask(model, "哪里？")


def test_text_blocks_are_joined() -> None:
    blocks: list[str | dict[str, object]] = [
        {"type": "reasoning", "reasoning": "想"},
        {"type": "text", "text": "三亚"},
        {"type": "text", "text": "。"},
    ]
    assert ask(ScriptedChatModel(replies=[AIMessage(content=blocks)]), "哪里？") == "三亚。"


def test_streamed_reply_is_the_same_and_is_counted(serve: Serve) -> None:
    _, model = serve(chat_server.text("三亚。"))
    with get_usage_metadata_callback() as usage:
        parts = [str(chunk.text) for chunk in model.stream("哪里？")]
    assert len(parts) > 3
    assert "".join(parts) == "三亚。"
    assert usage_cost(usage.usage_metadata)["output_tokens"] == 7


def test_transient_failures_are_retried(serve: Serve) -> None:
    server, model = serve(
        chat_server.status(429, Retry_After="0"), chat_server.status(500), chat_server.text("好"), retries=2
    )
    assert ask(model, "问") == "好"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("behaviour", "raised", "advice"),
    [
        (chat_server.status(429), ModelTransportError, "fewer calls"),
        (chat_server.status(500), ModelTransportError, "the server failed"),
        (chat_server.status(503), ModelTransportError, "the server failed"),
        (chat_server.status(400, message="bad field"), ModelTransportError, "bad field"),
        (chat_server.status(422), ModelTransportError, "settings"),
        (
            chat_server.status(400, message="context_length_exceeded: 9000 tokens"),
            ModelTransportError,
            "prompt is too long",
        ),
        (chat_server.status(401), SetupError, "API key"),
        (chat_server.status(403), SetupError, "API key"),
        (chat_server.status(404), SetupError, "/v1"),
        (chat_server.cut_off(), ModelTransportError, "server runs"),
        (chat_server.raw('{"choices": ['), ModelReplyError, "cannot be read"),
        (chat_server.raw("<html>proxy</html>", kind="text/html"), ModelReplyError, "proxy"),
        (chat_server.raw('{"error": {"message": "no such lora"}}'), ModelReplyError, "no such lora"),
        (chat_server.raw('{"choices": null}'), ModelReplyError, "cannot be read"),
    ],
)
def test_failure_names_the_address_and_what_to_check(
    serve: Serve, behaviour: Behaviour, raised: type[Exception], advice: str
) -> None:
    server, model = serve(behaviour)
    with pytest.raises(raised, match=advice) as caught:
        ask(model, "问")
    assert server.base_url in str(caught.value)
    assert "sk-secret" not in str(caught.value)


def test_slow_server_is_a_timeout(serve: Serve) -> None:
    _, model = serve(chat_server.hang(), timeout=0.05)
    with pytest.raises(ModelTransportError, match="timeout"):
        ask(model, "问")


def test_absent_server_is_named(serve: Serve) -> None:
    server, model = serve()
    server.__exit__(None, None, None)
    with pytest.raises(ModelTransportError, match=server.base_url):
        ask(model, "问")


def test_structured_output_of_the_server_is_used(serve: Serve) -> None:
    server, model = serve(chat_server.structured(GOOD))
    assert ask_structured(model, "判断", Verdict, system="判官") == Verdict(label="yes", score=3)
    sent = server.requests[0]
    assert sent["response_format"]["json_schema"]["schema"]["properties"].keys() == {"label", "score"}
    assert [message["content"] for message in sent["messages"]] == ["判官", "判断"]


def test_tool_call_counts_as_structured_output() -> None:
    call = AIMessage("", tool_calls=[{"name": "Verdict", "args": GOOD, "id": "1"}])
    model = ScriptedChatModel(replies=[call])
    assert ask_structured(model, "判断", Verdict).score == 3
    assert model.tools[0][0]["function"]["name"] == "Verdict"


@pytest.mark.parametrize("code", [400, 422, 500, 501])
def test_server_without_structured_output_gets_the_schema_in_the_prompt(serve: Serve, code: int) -> None:
    fenced = '```json\n{"label": "no", "score": 1}\n```'
    server, model = serve(chat_server.status(code), chat_server.text(fenced), chat_server.structured(GOOD))
    assert ask_structured(model, "判断", Verdict) == Verdict(label="no", score=1)
    assert '"label"' in server.requests[1]["messages"][0]["content"]
    assert ask_structured(model, "再判断", Verdict) == Verdict(label="yes", score=3)
    assert "response_format" not in server.requests[2], "the server is not asked again for what it cannot do"


def test_reply_without_content_counts_as_no_structured_output(serve: Serve) -> None:
    server, model = serve(chat_server.text(""), chat_server.structured(GOOD))
    assert ask_structured(model, "判断", Verdict).score == 3
    assert "response_format" not in server.requests[1]


@pytest.mark.parametrize("code", [401, 403, 404, 429, 503])
def test_other_failures_are_not_mistaken_for_missing_structured_output(serve: Serve, code: int) -> None:
    _, model = serve(chat_server.status(code))
    with pytest.raises((ModelTransportError, SetupError)):
        ask_structured(model, "判断", Verdict)


def test_both_failing_reports_the_failure(serve: Serve) -> None:
    _, model = serve(chat_server.status(500), chat_server.status(500))
    with pytest.raises(ModelTransportError):
        ask_structured(model, "判断", Verdict)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ('{"label": "maybe", "score": 3}', "label: Input should be 'yes' or 'no'"),
        ('{"label": "yes"}', "score: Field required"),
        ("是的，我同意。", "Invalid JSON"),
        ('{"label": "yes", "score": 3', "Invalid JSON"),
        ('[{"label": "yes", "score": 3}]', "object"),
        ("```json\n{}\n```\n```json\n{}\n```", "2 fenced blocks"),
    ],
)
def test_unfit_reply_is_asked_for_once_more_with_the_error_named(
    serve: Serve, wrong: str, named: str
) -> None:
    server, model = serve(chat_server.text(wrong), chat_server.structured(GOOD))
    assert ask_structured(model, "判断", Verdict).label == "yes"
    assert named in server.requests[1]["messages"][0]["content"]


def test_second_unfit_reply_is_an_error(serve: Serve) -> None:
    _, model = serve(chat_server.text("不知道"), chat_server.text('{"label": "yes", "score": "many"}'))
    with pytest.raises(ModelReplyError, match="no usable Verdict: score"):
        ask_structured(model, "判断", Verdict)


def test_prompted_reply_is_asked_for_once_more_too(serve: Serve) -> None:
    _, model = serve(chat_server.status(500), chat_server.text("好"), chat_server.structured(GOOD))
    assert ask_structured(model, "判断", Verdict).label == "yes"


def test_cut_structured_reply_is_asked_for_once_more(serve: Serve) -> None:
    server, model = serve(chat_server.text('{"label":', finish_reason="length"), chat_server.structured(GOOD))
    assert ask_structured(model, "判断", Verdict).label == "yes"
    assert "cut off" in server.requests[1]["messages"][0]["content"]


def test_prompt_with_template_characters_passes_through() -> None:
    model = ScriptedChatModel(replies=["不", '{"label": "no", "score": 0}'])
    ask_structured(model, "花了 $100 和 ${prompt} {x}", Verdict)
    assert "花了 $100 和 ${prompt} {x}" in model.prompts[1]


def test_usage_is_collected_through_both(serve: Serve) -> None:
    _, model = serve(chat_server.text("好"), chat_server.text("不"), chat_server.structured(GOOD))
    with get_usage_metadata_callback() as usage:
        ask(model, "问")
        ask_structured(model, "判断", Verdict)
    spent = usage.usage_metadata[chat_server.MODEL]
    assert (spent["input_tokens"], spent["output_tokens"]) == (33, 21)
