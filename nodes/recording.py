"""Records real model calls and replays them, so that prompts are tested and figures rerun without a model.

One JSON file holds one call. Its name is the SHA-256 of what the reply depends on: the model, the sampling,
the messages, and the tools or response format bound to the call. Addresses, keys and timeouts are in neither.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from langchain_core.caches import BaseCache
from langchain_core.messages import AIMessage, messages_from_dict
from langchain_core.outputs import ChatGeneration, Generation

from mindatlas.nodes.errors import SetupError, StoreError
from mindatlas.nodes.storage import ensure_folder, read_versioned, write_atomically

FORMAT = 1
_MESSAGE_KEYS = ("type", "content", "name", "tool_calls", "tool_call_id")


class RecordingMissError(SetupError):
    """A call is to be replayed that nobody recorded."""


class RecordingCache(BaseCache):
    """A LangChain cache that only writes (record) or only reads (replay).

    The same call made again within a run is another call: its n-th reply is recorded and replayed as the
    n-th. Past the last one recorded, that one repeats. Calls whose order varies from run to run (threads
    asking the same thing) may swap their replies.

    LangChain asks a cache only for calls that are not streamed: set `disable_streaming` on the model.

    Args:
        folder: where the files lie; made when recording.
        mode: whether calls are recorded or replayed.
        identity: what else the reply depends on, such as the model's name and temperature.

    Raises:
        SetupError: the folder to replay from is missing.
    """

    def __init__(
        self, folder: Path, *, mode: Literal["record", "replay"], identity: Mapping[str, str | float | None]
    ) -> None:
        self._folder = folder
        self._mode = mode
        self._identity = dict(identity)
        self._calls: Counter[str] = Counter()
        self._lock = threading.Lock()
        if mode == "record":
            ensure_folder(folder)
        elif not folder.is_dir():
            raise SetupError(f"There is no folder {str(folder)!r} to replay from: record into it first")

    def lookup(self, prompt: str, llm_string: str) -> list[Generation] | None:
        """Return the recorded reply, or None when recording, which lets the call go out.

        Raises:
            RecordingMissError: the call to replay was never recorded.
            StoreError: the recording is damaged, or written by a newer version.
        """
        if self._mode == "record":
            return None
        key = _key(self._request(prompt, llm_string))
        count = self._count(key)
        while count > 1 and not self._path(key, count).exists():
            count -= 1
        path = self._path(key, count)
        if not path.exists():
            raise RecordingMissError(
                f"No recording of call {key} in {str(self._folder)!r}: "
                "the prompt, the model or its settings changed, so record again"
            )
        return _read_reply(path)

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Generation]) -> None:
        """Write the call and its reply; a file of an earlier run is replaced."""
        if self._mode == "replay":
            return
        request = self._request(prompt, llm_string)
        key = _key(request)
        path = self._path(key, self._count(key))
        replies = [
            {"type": generation.message.type, "data": generation.message.model_dump(mode="json")}
            for generation in return_val
            if isinstance(generation, ChatGeneration)
        ]
        document = {"format": FORMAT, "request": request, "replies": replies}
        write_atomically(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")

    def clear(self, **kwargs: Any) -> None:
        """Do nothing: a recording is deleted by deleting its folder."""

    def _request(self, prompt: str, llm_string: str) -> dict[str, Any]:
        messages = [_canonical(message["kwargs"]) for message in json.loads(prompt)]
        return {**self._identity, "messages": messages, "options": _options(llm_string)}

    def _count(self, key: str) -> int:
        """Return how often the call was made by now; the first drops what an earlier run recorded."""
        with self._lock:
            self._calls[key] += 1
            if self._calls[key] == 1 and self._mode == "record":
                for stale in self._folder.glob(f"{key}.*.json"):
                    stale.unlink()
            return self._calls[key]

    def _path(self, key: str, count: int) -> Path:
        return self._folder / (f"{key}.json" if count == 1 else f"{key}.{count}.json")


def _canonical(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a message that a model reads: no ids, usage or response metadata."""
    return {name: message[name] for name in _MESSAGE_KEYS if message.get(name)}


def _options(llm_string: str) -> str:
    """Return the options of the call (tools, response format, stop words) as LangChain writes them.

    A model that can be serialised is described first, in JSON: its address and settings are in that part.
    """
    if not llm_string.startswith("{"):
        return llm_string
    _, end = json.JSONDecoder().raw_decode(llm_string)
    return llm_string[end:].removeprefix("---")


def _key(request: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(request, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def _read_reply(path: Path) -> list[Generation]:
    document = read_versioned(path, newest=FORMAT)
    try:
        replies = messages_from_dict(document["replies"])
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"The recording {str(path)!r} is damaged ({error}): record again") from error
    return [ChatGeneration(message=reply) for reply in replies if isinstance(reply, AIMessage)]
