"""Plans calls with a chat model's native tool calling; nothing that it wrote is parsed or mended here."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from pydantic import ValidationError

from mindatlas.nodes.errors import ModelReplyError, ModelTransportError
from mindatlas.nodes.models import provider_errors
from mindatlas.nodes.recording import RecordingMissError
from mindatlas.nodes.workdesk.parts.calls import RawCall
from mindatlas.nodes.workdesk.parts.chat_messages import plan_messages
from mindatlas.nodes.workdesk.parts.planning import Plan, PlanRequest
from mindatlas.nodes.workdesk.parts.streamed_calls import ReadReply, read_reply
from mindatlas.nodes.workdesk.parts.tool_schemas import invocation_of

# What servers answer to a tool_choice that they do not know: llama_cpp.server says 500, FastAPI 422.
_UNSUPPORTED = {400, 404, 422, 500, 501}


class ChatPlanner:
    """Asks a chat model for calls, streaming; the arguments go on as the text that the model wrote."""

    def __init__(self, model: BaseChatModel) -> None:
        self._model = model
        self._can_require = True

    def plan(self, request: PlanRequest) -> Plan:
        """Return the model's calls, unchecked, and its text; it is asked again when there were calls.

        Raises:
            ModelTransportError: no reply came.
            SetupError: the key or the model's name was rejected.
        """
        reply = self._ask(plan_messages(request), request)
        return Plan(calls=reply.calls, text=reply.text, truncated=reply.cut, more=bool(reply.calls))

    def _ask(self, messages: list[BaseMessage], request: PlanRequest) -> ReadReply:
        tools = [invocation_of(card).as_function() for card in request.tools]
        if request.must_call and tools and self._can_require:
            try:
                return self._stream(messages, tools, {"tool_choice": "any", **self._coldest()})
            except RecordingMissError:
                pass  # a call that the server refused left no recording; what was asked instead did
            except ModelTransportError as error:
                if getattr(error.__cause__, "status_code", None) not in _UNSUPPORTED:
                    raise
            reply = self._stream(messages, tools, {})
            self._can_require = False  # asked plainly it answers: it is the choice that it refuses
            return reply
        return self._stream(messages, tools, {})

    def _stream(
        self, messages: list[BaseMessage], tools: list[dict[str, Any]], options: dict[str, Any]
    ) -> ReadReply:
        bound = self._model.bind_tools(tools, **options) if tools else self._model
        done = self._model._llm_type == "openai-chat"  # OpenAI's form ends every stream with a reason
        try:
            with provider_errors(self._model):
                return read_reply(bound.stream(messages), says_when_done=done)
        except ModelReplyError as error:
            if calls := _rejected_calls(error):
                return ReadReply(calls=calls)
            raise

    def _coldest(self) -> dict[str, Any]:
        """Return the temperature 0, unless the model takes none."""
        return {} if getattr(self._model, "temperature", None) is None else {"temperature": 0.0}


def _rejected_calls(error: ModelReplyError) -> list[RawCall]:
    """Return the calls that LangChain refuses to hold because their arguments are no object, such as `"{…}"` or `[1]`.

    Only replies that are not streamed are parsed so early. The name is lost with the message, so the call is one
    of an unknown tool, which is asked for again.
    """
    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return []
    rejected = [item for item in cause.errors() if item["loc"][:1] == ("tool_calls",)]
    return [RawCall(id=None, tool="", args=item["input"]) for item in rejected]
