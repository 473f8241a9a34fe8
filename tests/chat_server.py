"""An OpenAI-compatible chat endpoint on loopback: real HTTP, scripted replies.

Example:
    >>> with ChatServer([text("你好"), status(500)]) as server:
    ...     model = ChatOpenAI(base_url=server.base_url, api_key="none", model="scripted")
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

MODEL = "scripted-1"
USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}

Json = dict[str, Any]
Behaviour = Callable[["_Handler", Json], None]


class ChatServer:
    """Answers each request with the next behaviour of the script, and keeps what it was sent.

    A request past the end of the script gets status 418, which no client retries, and closing then fails.
    """

    def __init__(self, script: Iterable[Behaviour]) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self._overrun = False
        self.requests: list[Json] = []
        self.headers: list[Mapping[str, str]] = []
        self.closing = threading.Event()
        self._http = _HTTPServer(("127.0.0.1", 0), _Handler)
        self._http.chat = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def next(self, body: Json, headers: Mapping[str, str]) -> Behaviour:
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            if self._script:
                return self._script.pop(0)
            self._overrun = True
            return status(418, message="the script of the chat server has run out")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()
        if kind is None:
            assert not self._overrun, f"more requests than the script has: {self.requests[-1]}"
            assert not self._script, f"{len(self._script)} scripted replies were never asked for"


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    chat: ChatServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _HTTPServer  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.chat.next(body, headers)(self, body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the overridden method
        pass

    def send(self, code: int, content: bytes, kind: str, **headers: str) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")  # clients that nobody closes would leave sockets open
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)


def text(content: str, *, finish_reason: str = "stop", model: str = MODEL) -> Behaviour:
    """Reply with `content`; as server-sent events, one character each, where the request asks to stream."""

    def behave(handler: _Handler, body: Json) -> None:
        if body.get("stream"):
            handler.send(200, _events(content, body, finish_reason, model), "text/event-stream")
        else:
            message = {"role": "assistant", "content": content}
            handler.send(200, _completion(message, finish_reason, model), "application/json")

    return behave


def structured(value: Json) -> Behaviour:
    """Reply with `value` as JSON text, which is how `response_format` is answered."""
    return text(json.dumps(value, ensure_ascii=False))


def tool_call(name: str, arguments: Json) -> Behaviour:
    """Reply with one tool call and no text."""
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)},
    }
    message = {"role": "assistant", "content": None, "tool_calls": [call]}

    def behave(handler: _Handler, body: Json) -> None:
        handler.send(200, _completion(message, "tool_calls", MODEL), "application/json")

    return behave


def written_calls(
    *calls: tuple[str | None, str, str],
    said: str = "",
    finish_reason: str | None = "tool_calls",
    same_index: bool = False,
) -> Behaviour:
    """Reply with tool calls as (id, name, argument text), which may be anything; streamed in pieces of three characters.

    Args:
        said: text beside the calls.
        finish_reason: None ends a stream without one, as a broken connection does.
        same_index: all calls bear the index 0 when streamed, as some servers number them.
    """

    def behave(handler: _Handler, body: Json) -> None:
        if body.get("stream"):
            deltas = list(_call_deltas(calls, said, same_index=same_index))
            handler.send(200, _delta_events(deltas, body, finish_reason), "text/event-stream")
            return
        whole = [
            {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for call_id, name, arguments in calls
        ]
        message = {"role": "assistant", "content": said or None, "tool_calls": whole}
        handler.send(200, _completion(message, finish_reason or "stop", MODEL), "application/json")

    return behave


def _call_deltas(
    calls: Iterable[tuple[str | None, str, str]], said: str, *, same_index: bool
) -> Iterator[Json]:
    yield from ({"content": char} for char in said)
    for number, (call_id, name, arguments) in enumerate(calls):
        index = 0 if same_index else number
        head = {
            "index": index,
            "id": call_id,
            "type": "function",
            "function": {"name": name, "arguments": ""},
        }
        yield {"tool_calls": [head]}
        for start in range(0, len(arguments), 3):
            yield {"tool_calls": [{"index": index, "function": {"arguments": arguments[start : start + 3]}}]}


def vectors(rows: list[list[float]]) -> Behaviour:
    """Reply to a request for embeddings with `rows`."""
    data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
    document = {
        "object": "list",
        "data": data,
        "model": MODEL,
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }

    def behave(handler: _Handler, body: Json) -> None:
        handler.send(200, json.dumps(document).encode(), "application/json")

    return behave


def status(code: int, *, message: str = "scripted failure", **headers: str) -> Behaviour:
    """Reply with an error status and OpenAI's error body; `Retry_After="0"` becomes a Retry-After header."""
    content = json.dumps({"error": {"message": message, "type": "scripted", "code": None}}).encode()

    def behave(handler: _Handler, body: Json) -> None:
        handler.send(code, content, "application/json", **headers)

    return behave


def raw(content: str, *, kind: str = "application/json") -> Behaviour:
    """Reply with status 200 and `content` as it is, such as broken JSON or a proxy's HTML page."""

    def behave(handler: _Handler, body: Json) -> None:
        handler.send(200, content.encode(), kind)

    return behave


def cut_off() -> Behaviour:
    """Promise a long body, send its beginning and close the connection."""

    def behave(handler: _Handler, body: Json) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "4096")
        handler.end_headers()
        handler.wfile.write(b'{"id": "chatcmpl-1", "choices": [')
        handler.close_connection = True

    return behave


def hang() -> Behaviour:
    """Send nothing until the server closes."""

    def behave(handler: _Handler, body: Json) -> None:
        handler.server.chat.closing.wait()
        handler.close_connection = True

    return behave


def _completion(message: Json, finish_reason: str, model: str) -> bytes:
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    document = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": USAGE,
    }
    return json.dumps(document, ensure_ascii=False).encode()


def _events(content: str, body: Json, finish_reason: str, model: str) -> bytes:
    return _delta_events(
        [{"role": "assistant", "content": char} for char in content], body, finish_reason, model
    )


def _delta_events(deltas: Iterable[Json], body: Json, finish_reason: str | None, model: str = MODEL) -> bytes:
    choices: list[list[Json]] = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    if finish_reason is not None:
        choices.append([{"index": 0, "delta": {}, "finish_reason": finish_reason}])
    header = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": model}
    chunks: list[Json] = [{**header, "choices": choice} for choice in choices]
    if (body.get("stream_options") or {}).get("include_usage"):
        chunks.append({**header, "choices": [], "usage": USAGE})
    events = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
    return "".join([*events, "data: [DONE]\n\n"]).encode()
