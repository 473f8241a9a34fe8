"""A chat model for tests that replays a script and records what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, Field, PrivateAttr, SkipValidation


class ScriptedChatModel(BaseChatModel):
    """Replies with each item of `replies` in turn; a call past the end fails the test.

    A reply is a text, a whole message (for tool calls) or an exception to raise. Usage counts characters:
    those of the messages in, those of the reply out.

    Example:
        >>> model = ScriptedChatModel(replies=["三亚"])
        >>> model.invoke("哪里？").text, model.prompts
        ('三亚', ['哪里？'])
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    replies: SkipValidation[list[str | AIMessage | Exception]]
    model_name: str = "scripted"
    calls: list[list[BaseMessage]] = Field(default_factory=list)
    tools: list[list[dict[str, Any]]] = Field(default_factory=list)

    _lock: Lock = PrivateAttr(default_factory=Lock)

    @property
    def prompts(self) -> list[str]:
        """The text of each call, its messages joined by an empty line."""
        return ["\n\n".join(str(message.text) for message in messages) for messages in self.calls]

    @property
    def remaining(self) -> int:
        """How many replies were not asked for yet."""
        return len(self.replies) - len(self.calls)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Offer `tools`: their definitions appear in the attribute `tools`, one list a call."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        with self._lock:
            assert self.remaining > 0, (
                f"The script has run out at call {len(self.calls) + 1}: {messages[-1].text}"
            )
            reply = self.replies[len(self.calls)]
            self.calls.append(messages)
            self.tools.append(kwargs.get("tools") or [])
        if isinstance(reply, Exception):
            raise reply
        message = AIMessage(reply) if isinstance(reply, str) else reply.model_copy()
        message.usage_metadata = _usage(messages, message)
        message.response_metadata = {**message.response_metadata, "model_name": self.model_name}
        return ChatResult(generations=[ChatGeneration(message=message)])


def _usage(messages: list[BaseMessage], reply: AIMessage) -> UsageMetadata:
    read = sum(len(message.text) for message in messages)
    written = len(reply.text)
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
