"""Which tool servers there are: an ordinary mcp.json, or the order server that ships with mindatlas."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mindatlas.nodes.errors import FileReadError, UsageError

_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_HANDED_ON = (
    "PYTHONPATH",
    "LANG",
)  # beside what every started server gets, so that ours runs as this program does


class ServerConfig(BaseModel):
    """One server: a command that is started, or an address that is called.

    Attributes:
        transport: how an address is spoken to; None takes `sse` for addresses that end so, else streamable HTTP.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    command: str | None = None
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)
    cwd: str | None = None
    url: str | None = None
    transport: Literal["streamable_http", "sse"] | None = None
    headers: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _other_names(cls, data: Any) -> Any:
        """Take what other programs call these fields: `type`, and `http` or `streamable-http` for the transport."""
        if not isinstance(data, dict):
            return data
        kind = data.get("transport", data.get("type"))
        names = {"http": "streamable_http", "streamable-http": "streamable_http", "stdio": None}
        return {**data, "transport": names.get(kind, kind) if isinstance(kind, str) else kind}

    @model_validator(mode="after")
    def _one_way(self) -> ServerConfig:
        if (self.command is None) == (self.url is None):
            raise ValueError("give either 'command' or 'url'")
        if self.url is not None and not self.url.startswith(("http://", "https://")):
            raise ValueError(f"'url' must begin with http:// or https://, not be {self.url!r}")
        return self

    def way(self) -> Literal["stdio", "streamable_http", "sse"]:
        """Return how the server is reached."""
        if self.url is None:
            return "stdio"
        if self.transport is not None:
            return self.transport
        return "sse" if self.url.rstrip("/").endswith("/sse") else "streamable_http"


def default_servers(today: str | None = None) -> dict[str, ServerConfig]:
    """Return the configuration that starts the order server, whose book ends with `today` (None: the clock's)."""
    until = ("--until", today) if today else ()
    module = "mindatlas.nodes.workdesk.parts.order_server"
    env = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
    return {"orders": ServerConfig(command=sys.executable, args=("-m", module, *until), env=env)}


def load_servers(path: Path) -> dict[str, ServerConfig]:
    """Return the servers that an mcp.json names under `mcpServers`, in its order; `${NAME}` is read from the environment.

    A server with `"disabled": true` is left out, and nothing is asked of it.

    Raises:
        FileReadError: the file cannot be read, or is no such file; the message names server and field.
        UsageError: a variable is not set, or no server is left.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise FileReadError(f"Cannot read the servers from {str(path)!r}: {error}") from error
    listed = content.get("mcpServers", content.get("servers")) if isinstance(content, dict) else None
    if not isinstance(listed, dict):
        raise FileReadError(f"{str(path)!r} must hold an object under 'mcpServers', from name to server")
    used = {name: data for name, data in listed.items() if not _disabled(data)}
    if not used:
        raise UsageError(f"{str(path)!r} names no server")
    return {name: _server(path, name, data) for name, data in used.items()}


def _disabled(data: Any) -> bool:
    return isinstance(data, Mapping) and data.get("disabled") is True


def _server(path: Path, name: str, data: Any) -> ServerConfig:
    try:
        return ServerConfig.model_validate(_filled(data, path, name))
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'server'}: {one['msg']}"
            for one in error.errors(include_url=False)
        )
        raise FileReadError(f"The server {name!r} in {str(path)!r} cannot be used: {problems}") from error


def _filled(data: Any, path: Path, name: str) -> Any:
    """Return `data` with `${NAME}` and `${NAME:-default}` in its texts replaced."""
    if isinstance(data, str):
        return _VARIABLE.sub(lambda found: _variable(found, path, name), data)
    if isinstance(data, Mapping):
        return {key: _filled(value, path, name) for key, value in data.items()}
    return [_filled(value, path, name) for value in data] if isinstance(data, list) else data


def _variable(found: re.Match[str], path: Path, name: str) -> str:
    value = os.environ.get(found[1], found[2])
    if value is None:
        raise UsageError(f"The server {name!r} in {str(path)!r} needs the environment variable {found[1]!r}")
    return value
