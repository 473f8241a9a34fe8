"""Which servers an mcp.json names, and what is wrong with one that does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.errors import FileReadError, UsageError
from mindatlas.nodes.workdesk.parts.mcp_config import default_servers, load_servers


def written(folder: Path, content: Any) -> Path:
    path = folder / "mcp.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_servers_of_each_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESK_TOKEN", "s3cret")
    servers = load_servers(
        written(
            tmp_path,
            {
                "mcpServers": {
                    "local": {"command": "python", "args": ["-m", "x"], "env": {"A": "${NOT_SET:-b}"}},
                    "remote": {
                        "url": "http://h/mcp",
                        "headers": {"Authorization": "Bearer ${env:DESK_TOKEN}"},
                    },
                    "old": {"type": "sse", "url": "http://h/events"},
                    "new": {"type": "http", "url": "http://h/sse"},
                    "off": {"command": "x", "disabled": True},
                }
            },
        )
    )
    assert {name: server.way() for name, server in servers.items()} == {
        "local": "stdio", "remote": "streamable_http", "old": "sse", "new": "streamable_http"
    }  # fmt: skip
    assert servers["local"].env == {"A": "b"}
    assert servers["remote"].headers == {"Authorization": "Bearer s3cret"}


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        ("{", FileReadError, "Cannot read"),
        ({"servers": []}, FileReadError, "mcpServers"),
        ({"mcpServers": {}}, UsageError, "names no server"),
        ({"mcpServers": {"a": {}}}, FileReadError, "either 'command' or 'url'"),
        (
            {"mcpServers": {"a": {"command": "x", "url": "http://h"}}},
            FileReadError,
            "either 'command' or 'url'",
        ),
        ({"mcpServers": {"a": {"command": 5}}}, FileReadError, "command"),
        ({"mcpServers": {"a": {"url": "http://h", "transport": "pigeon"}}}, FileReadError, "transport"),
        ({"mcpServers": {"a": {"url": "http://${NO_SUCH_HOST}"}}}, UsageError, "NO_SUCH_HOST"),
        ({"mcpServers": {"a": {"url": "ws://h"}}}, FileReadError, "http://"),
        ({"mcpServers": {"a": {"url": "h/mcp"}}}, FileReadError, "h/mcp"),
        ({"mcpServers": {"a": "python"}}, FileReadError, "'a'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, content: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        load_servers(written(tmp_path, content))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileReadError, match=r"mcp\.json"):
        load_servers(tmp_path / "mcp.json")


def test_the_order_server_gets_the_day() -> None:
    assert default_servers("2026-03-31")["orders"].args[-2:] == ("--until", "2026-03-31")


def test_a_server_that_is_switched_off_is_asked_nothing(tmp_path: Path) -> None:
    off = {"url": "http://${NO_SUCH_HOST}", "disabled": True}
    path = written(tmp_path, {"mcpServers": {"off": off, "on": {"command": "x"}}})
    assert list(load_servers(path)) == ["on"]
