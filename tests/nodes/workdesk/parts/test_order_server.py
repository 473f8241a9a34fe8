"""The order server as a process: what it says when it cannot start, and whom it lets in."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import httpx
import pytest

from mindatlas.nodes.workdesk.parts.mcp_access import McpAccess
from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig
from mindatlas.nodes.workdesk.parts.order_book import open_book
from mindatlas.nodes.workdesk.parts.overlays import load_overlays

pytestmark = pytest.mark.slow

DAY = "2026-03-31"
SERVER = (sys.executable, "-m", "mindatlas.nodes.workdesk.parts.order_server")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    open_book(tmp_path / "book.sqlite", until=date.fromisoformat(DAY), days=3).close()
    return tmp_path / "book.sqlite"


@pytest.fixture
def address(db: Path) -> Iterator[str]:
    with subprocess.Popen([*SERVER, "--db", str(db), "--http"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.kill()


def test_another_sites_page_is_not_let_in(address: str) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"accept": "application/json, text/event-stream"}
    for strange in ({"host": "evil.example"}, {"origin": "http://evil.example"}):
        assert httpx.post(address, json=hello, headers={**accept, **strange}).status_code in (403, 421)
    assert httpx.post(address, json=hello, headers=accept).status_code == 400, "let in, but without a session"


def test_what_is_wrong_is_said_in_a_line(db: Path, tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("no database" * 100, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options, code, words in [
            (("--db", str(tmp_path / "text.sqlite")), 2, "no order book"),
            (("--db", str(db), "--until", "2026-04-01"), 2, "ends with 2026-03-31"),
            (("--db", str(db), "--http", "--port", port), 3, "--port"),
        ]:
            done = subprocess.run(
                [*SERVER, *options], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
            )
            assert (done.returncode, words in done.stderr) == (code, True), done.stderr
            assert "Traceback" not in done.stderr


def test_some_errors_come_as_errors_and_some_as_replies(db: Path) -> None:
    config = ServerConfig(command=SERVER[0], args=(*SERVER[1:], "--db", str(db)))
    for overlays in (load_overlays(), {}):
        opened = McpAccess({"orders": config}, overlays=overlays)
        for tool, args, code in [("order_stat", {}, 4001), ("order_export", {"query_id": "Q-1"}, 4006)]:
            call = {"id": "a", "tool": tool, "args": args, "repairs": [], "clock": ""}
            result = opened.call(call)  # type: ignore[arg-type]
            assert (result["error_kind"], f"(code {code})" in result["error"]) == ("tool_error", True)
        opened.close()


def test_a_server_of_mcp_json_finds_the_same_stores(tmp_path: Path, home: Path) -> None:
    config = ServerConfig(command=sys.executable, args=("-c", PRINTS_HOME), env={"OWN": "1"})
    opened = McpAccess({"one": config}, overlays={})
    with pytest.raises(Exception, match="said: ") as raised:
        opened.cards()
    said = json.loads(str(raised.value).split("said: ")[1])
    assert (said["MINDATLAS_HOME"], said["OWN"]) == (str(home), "1")
    opened.close()


PRINTS_HOME = (
    "import json, os, sys\n"
    "print(json.dumps({name: os.environ.get(name) for name in ('MINDATLAS_HOME', 'OWN')}), file=sys.stderr)\n"
)
