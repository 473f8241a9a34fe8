"""One question to a chat model: as text, or as an object of a given schema."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar, cast

from langchain_core.exceptions import ModelRefusalError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ValidationError

from mindatlas import prompts
from mindatlas.nodes.errors import ModelReplyError, ModelTransportError
from mindatlas.nodes.models_errors import address_of, provider_errors
from mindatlas.nodes.recording import RecordingMissError

T = TypeVar("T", bound=BaseModel)

# Reasoning models behind a local server often leave their thoughts in the text.
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"^```(?:json)?[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
# What servers answer to a response_format or tools they do not know: llama_cpp.server says 500, FastAPI 422.
_UNSUPPORTED = {400, 422, 500, 501}


def ask(model: BaseChatModel, prompt: str, *, system: str | None = None) -> str:
    """Return the model's reply to `prompt` as text, stripped, never empty.

    Raises:
        ModelReplyError: the reply is empty, was cut off at the token limit or cannot be read.
        ModelTransportError: no reply came.
        SetupError: the key or the model's name was rejected.
    """
    with provider_errors(model):
        reply = model.invoke(_messages(prompt, system))
    return reply_text(reply)


def ask_structured(model: BaseChatModel, prompt: str, schema: type[T], *, system: str | None = None) -> T:
    """Return the model's reply to `prompt` as an object of `schema`.

    The model's own structured output is tried first. Where the server has none, the schema goes into the
    prompt and the reply is read strictly; the model is then remembered (in `model.profile`) as having none.
    A reply that does not fit is asked for once more, with what was wrong named.

    Raises:
        ModelReplyError: no reply fitted; also what `ask` raises.
    """
    outcome = _ask_natively(model, _messages(prompt, system), schema)
    if isinstance(outcome, schema):
        return outcome
    problem = outcome if isinstance(outcome, str) else None
    for _ in range(1 if problem else 2):
        with provider_errors(model):
            reply = model.invoke(_messages(_json_prompt(prompt, schema, problem), system))
        if outcome is None:
            model.profile = {**(model.profile or {}), "structured_output": False}
        try:
            return _read(reply, schema)
        except ModelReplyError as error:
            problem = str(error)
    raise ModelReplyError(f"The model at {address_of(model)} gave no usable {schema.__name__}: {problem}")


def reply_text(reply: AIMessage) -> str:
    """Return the text of `reply`: its text blocks joined, thoughts left out, stripped, never empty.

    Raises:
        ModelReplyError: the reply was cut off at the token limit, or holds no text.
    """
    if _was_cut(reply):
        raise ModelReplyError("The reply was cut off at the token limit: raise max_tokens")
    text = _THOUGHTS.sub("", str(reply.text)).strip()
    if not text:
        raise ModelReplyError("The reply holds no text")
    return text


def _messages(prompt: str, system: str | None) -> list[BaseMessage]:
    return [*([SystemMessage(system)] if system else []), HumanMessage(prompt)]


def _ask_natively(model: BaseChatModel, messages: list[BaseMessage], schema: type[T]) -> T | str | None:
    """Return the object, or what was wrong with the reply, or None where the server has no such output.

    The schema goes as a dict: a class would reach the wire differently with each provider, and a recorded
    call is told apart by what reaches the wire.
    """
    if (model.profile or {}).get("structured_output") is False:
        return None
    try:
        structured = model.with_structured_output(_titled(schema), include_raw=True)
    except NotImplementedError:
        return None
    try:
        with provider_errors(model):
            result = cast("dict[str, Any]", structured.invoke(messages))
            if isinstance(result["parsing_error"], ModelRefusalError):
                raise result["parsing_error"]
        reply: AIMessage = result["raw"]
        return _read(reply, schema) if reply.text or reply.tool_calls or _was_cut(reply) else None
    except RecordingMissError:
        return None  # a call that the server refused left no recording; what was asked instead did
    except ModelTransportError as error:
        if getattr(error.__cause__, "status_code", None) not in _UNSUPPORTED:
            raise
        return None
    except ModelReplyError as error:
        return str(error)


def _titled(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of `schema` with the description that providers require."""
    document = schema.model_json_schema()
    return {"description": schema.__name__, **document}


def _json_prompt(prompt: str, schema: type[BaseModel], problem: str | None) -> str:
    document = json.dumps(schema.model_json_schema(), ensure_ascii=False, indent=1)
    if problem is None:
        return prompts.render("models/reply_as_json", prompt=prompt, schema=document)
    return prompts.render("models/correct_json", prompt=prompt, schema=document, problem=problem)


def _read(reply: AIMessage, schema: type[T]) -> T:
    """Return the object in the first tool call, else in the text, of `reply`."""
    calls = reply.tool_calls
    source = json.dumps(calls[0]["args"], ensure_ascii=False) if calls else _json_source(reply_text(reply))
    try:
        return schema.model_validate_json(source)
    except ValidationError as error:
        reasons = [_reason(".".join(map(str, item["loc"])), item["msg"]) for item in error.errors()]
        raise ModelReplyError("; ".join(reasons)) from error


def _json_source(text: str) -> str:
    """Return the one fenced block of `text`, or all of it where none is fenced."""
    blocks = _FENCE.findall(text)
    if len(blocks) > 1:
        raise ModelReplyError(f"The reply holds {len(blocks)} fenced blocks, not one JSON object")
    return str(blocks[0]) if blocks else text


def _reason(where: str, message: str) -> str:
    return f"{where}: {message}" if where else message


def _was_cut(reply: AIMessage) -> bool:
    """Return whether the token limit ended `reply`; OpenAI and Anthropic name it differently."""
    metadata = reply.response_metadata
    return metadata.get("finish_reason") == "length" or metadata.get("stop_reason") == "max_tokens"
