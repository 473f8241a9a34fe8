"""The client against real server processes: those that work, die, hang, flood, or never start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import psutil
import pytest

from mindatlas.nodes.errors import SetupError
from mindatlas.nodes.workdesk.parts import mcp_link
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.mcp_access import McpAccess
from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig, default_servers
from mindatlas.nodes.workdesk.parts.order_book import book_path, open_book
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay
from mindatlas.nodes.workdesk.parts.overlays import load_overlays
from tests.nodes.workdesk.parts.misbehaving_http import answering, mute

pytestmark = pytest.mark.slow

UNRULY = Path(__file__).with_name("unruly_server.py")
DAY = "2026-03-31"
NAMES = ["hello", "die", "hang", "flood", "fail", "chat", "misshape", "code", "note"]
MARCH = {"start_time": "2026-03-01 00:00:00", "end_time": "2026-03-31 23:59:59"}


def unruly(*options: str) -> ServerConfig:
    return ServerConfig(command=sys.executable, args=(str(UNRULY), *options))


def call(access: McpAccess, tool: str, **args: Any) -> ToolResult:
    return access.call(CheckedCall(id="a", tool=tool, args=args, repairs=[], clock=""))


@pytest.fixture
def access() -> Iterator[McpAccess]:
    opened = McpAccess({"unruly": unruly()}, overlays={}, timeout_s=20)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpAccess]:
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINDATLAS_HOME", str(folder))
        open_book(book_path(date.fromisoformat(DAY)), until=date.fromisoformat(DAY), days=90).close()
        opened = McpAccess(default_servers(DAY), overlays=load_overlays())
        yield opened
        opened.close()


def test_tools_are_listed_page_by_page(access: McpAccess) -> None:
    assert [card.name for card in access.cards()] == NAMES
    assert [card.name for card in access.cards() if not card.read_only] == ["note"]


def test_a_server_that_dies_is_started_again(access: McpAccess) -> None:
    first = call(access, "hello")["rows"][0]["pid"]
    died = call(access, "die")
    assert (died["error_kind"], died["rows"]) == ("server_gone", [])
    again = call(access, "hello")["rows"][0]["pid"]
    assert again != first


def test_a_writing_call_is_never_made_twice() -> None:
    overlay = ServerOverlay.model_validate({"server": "unruly", "tools": {"die": {"read_only": False}}})
    opened = McpAccess({"unruly": unruly()}, overlays={"unruly": overlay})
    opened.cards()
    started = children()
    assert call(opened, "die")["error_kind"] == "server_gone"
    assert children() <= started
    opened.close()


def test_a_call_without_a_reply_ends_in_time() -> None:
    opened = McpAccess({"unruly": unruly()}, overlays={}, timeout_s=0.3)
    assert call(opened, "hang")["error_kind"] == "timeout"
    assert call(opened, "hello")["rows"]
    opened.close()


def test_a_flood_is_cut(access: McpAccess) -> None:
    result = call(access, "flood")
    assert (len(result["content"]), result["truncated"]) == (100_000, True)


def test_errors_and_unknown_tools(access: McpAccess) -> None:
    assert "no such order" in call(access, "fail")["error"]
    assert call(access, "no_such")["error_kind"] == "unknown_tool"


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (ServerConfig(command="no-such-command-anywhere"), "no-such-command-anywhere"),
        (unruly("--broken"), "the database is missing"),
        (ServerConfig(url="http://127.0.0.1:9/mcp"), "'one'"),
    ],
)
def test_a_server_that_does_not_start_is_named(config: ServerConfig, words: str) -> None:
    opened = McpAccess({"one": config}, overlays={})
    with pytest.raises(SetupError, match=words):
        opened.cards()
    opened.close()


def test_a_server_that_says_nothing_is_given_up() -> None:
    opened = McpAccess({"one": unruly("--silent")}, overlays={}, start_timeout_s=0.3)
    with pytest.raises(SetupError, match="no MCP session within"):
        opened.cards()
    opened.close()


def test_one_bad_server_leaves_the_others() -> None:
    servers = {"bad": ServerConfig(command="no-such-command-anywhere"), "good": unruly()}
    opened = McpAccess(servers, overlays={})
    assert call(opened, "hello")["rows"]
    assert any("'bad'" in notice for notice in opened.notices())
    opened.close()


def test_tools_of_one_name_stay_apart() -> None:
    opened = McpAccess({"one": unruly(), "two": unruly()}, overlays={})
    pids = [call(opened, name)["rows"][0]["pid"] for name in ("hello", "two__hello")]
    assert len(set(pids)) == 2
    assert any("two__hello" in notice for notice in opened.notices())
    opened.close()


def test_no_server_outlives_its_access() -> None:
    before = children()
    opened = McpAccess({"unruly": unruly()}, overlays={})
    call(opened, "hello")
    assert children() - before
    opened.close()
    assert not children() - before
    assert call(opened, "hello")["rows"], "what was closed opens anew"
    opened.close()


def test_figures_are_those_of_the_book(orders: McpAccess) -> None:
    result = call(orders, "order_stat", group_by="team", time_type=2, **MARCH)
    with open_book(book_path(date.fromisoformat(DAY))) as book:
        query = "SELECT coalesce(team_id, ''), count(*) FROM orders WHERE finished_at BETWEEN ? AND ? GROUP BY 1 ORDER BY 1"
        expected = [tuple(row) for row in book.execute(query, list(MARCH.values()))]
    book.close()
    assert [(row["key"], row["cnt"]) for row in result["rows"]] == expected
    assert call(orders, "order_stat")["error_kind"] == "tool_error"


def test_a_directory_is_read_whole(orders: McpAccess) -> None:
    result = orders.directory("person_list", {})
    assert len(result["rows"]) == result["n_rows"] > 100
    assert orders.directory("person_list", {}) is result


def test_the_same_over_http(home: Path) -> None:
    open_book(book_path(date.fromisoformat(DAY)), until=date.fromisoformat(DAY), days=40).close()
    command = [sys.executable, "-m", "mindatlas.nodes.workdesk.parts.order_server", "--until", DAY, "--http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        opened = McpAccess({"orders": ServerConfig(url=url)}, overlays=load_overlays())
        try:
            assert call(opened, "order_stat", group_by="team", **MARCH)["rows"]
            server.kill()
            server.wait()
            assert call(opened, "order_stat", group_by="team", **MARCH)["error_kind"] == "server_gone"
        finally:
            server.kill()
            opened.close()


def test_what_a_server_prints_between_its_messages_harms_nothing(
    access: McpAccess, capfd: pytest.CaptureFixture[str]
) -> None:
    assert call(access, "chat")["rows"]
    assert "Traceback" not in capfd.readouterr().err


def test_a_reply_that_is_none_and_an_error_by_protocol_leave_the_session(access: McpAccess) -> None:
    pid = call(access, "hello")["rows"][0]["pid"]
    assert "none of MCP" in call(access, "misshape")["error"]
    refused = call(access, "code")
    assert (refused["error_kind"], refused["error"]) == ("tool_error", "too many requests")
    assert call(access, "hello")["rows"][0]["pid"] == pid


def test_a_wrong_output_schema_does_not_cost_the_data() -> None:
    opened = McpAccess({"one": unruly("--wrong")}, overlays={})
    assert call(opened, "hello")["rows"] == [{"figure": "many"}]
    opened.close()


def test_a_list_of_tools_without_an_end_is_cut() -> None:
    opened = McpAccess({"one": unruly("--endless")}, overlays={})
    assert [card.name for card in opened.cards()] == NAMES
    assert len(opened.notices()) == 1
    opened.close()


def test_a_writing_call_opens_a_dead_session_first(access: McpAccess, tmp_path: Path) -> None:
    os.kill(call(access, "hello")["rows"][0]["pid"], signal.SIGKILL)
    assert call(access, "note", file=str(tmp_path / "notes"))["rows"]
    died = call(access, "note", file=str(tmp_path / "notes"), then="die")
    assert (died["error_kind"], "not known" in died["error"]) == ("server_gone", True)
    assert (tmp_path / "notes").read_text(encoding="utf-8") == "note\n" * 2


def test_closing_ends_a_call_that_runs() -> None:
    opened = McpAccess({"one": unruly()}, overlays={}, timeout_s=60)
    opened.cards()
    with ThreadPoolExecutor(1) as pool:
        hung = pool.submit(call, opened, "hang")
        call(opened, "hello")  # answered behind it, so it was sent
        opened.close()
        assert hung.result(timeout=20)["error_kind"] == "server_gone"


def test_calls_at_once_share_a_session_and_survive_its_death(access: McpAccess) -> None:
    os.kill(call(access, "hello")["rows"][0]["pid"], signal.SIGKILL)
    ready = threading.Barrier(6)

    def ask(_: int) -> ToolResult:
        ready.wait()
        return call(access, "hello")

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(ask, range(6)))
    assert [result["error"] for result in results] == [""] * 6
    assert len({result["rows"][0]["pid"] for result in results}) == 1


def test_a_server_that_will_not_end_is_made_to() -> None:
    opened = McpAccess({"one": unruly("--stubborn")}, overlays={})
    pid = call(opened, "hello")["rows"][0]["pid"]
    opened.close()
    assert not psutil.pid_exists(pid)


def test_no_server_outlives_a_program_that_forgets_to_close(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from mindatlas.nodes.workdesk.parts.mcp_access import McpAccess\n"
        "from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig\n"
        "access = McpAccess({'one': ServerConfig(command=sys.executable, args=sys.argv[1:])}, overlays={})\n"
        "call = {'id': 'a', 'tool': 'hello', 'args': {}, 'repairs': [], 'clock': ''}\n"
        "print(access.call(call)['rows'][0]['pid'])\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(program), str(UNRULY)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    assert not psutil.pid_exists(int(done.stdout))


@pytest.mark.parametrize(
    ("status", "body", "kind", "words"),
    [
        (401, b"no", "text/plain", "401 Unauthorized"),
        (500, b"x", "text/plain", "500 Internal Server Error"),
        (404, b"", "text/plain", "cannot be used"),
        (200, b"<html>", "text/html", "no MCP session within"),
        (200, b"garbage", "application/json", "no MCP session within"),
        (200, b"data: garbage\n\n", "text/event-stream", "no MCP session within"),
    ],
)
def test_an_address_that_speaks_no_mcp_is_named(status: int, body: bytes, kind: str, words: str) -> None:
    with answering(status, body, kind) as url:
        opened = McpAccess({"one": ServerConfig(url=url)}, overlays={}, start_timeout_s=0.5)
        with pytest.raises(SetupError, match=f"'one'.*{words}"):
            opened.cards()
        assert call(opened, "hello")["error_kind"] == "server_gone", "in a call it is a result"
        opened.close()


@pytest.mark.parametrize("form", ["http://{}/mcp", "http://{}/sse"])
def test_an_address_that_says_nothing_is_given_up(form: str) -> None:
    with mute() as place:
        opened = McpAccess({"one": ServerConfig(url=form.format(place))}, overlays={}, start_timeout_s=0.3)
        with pytest.raises(SetupError, match="no MCP session within"):
            opened.cards()
        opened.close()


def test_a_remote_server_that_is_killed_in_the_middle_and_one_that_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mcp_link, "_BEAT_S", 0.1)
    first, url = over_http()
    opened = McpAccess({"one": ServerConfig(url=url)}, overlays={}, timeout_s=60)
    assert call(opened, "die")["error_kind"] == "server_gone"
    first.wait(timeout=20)
    second, _ = over_http(int(url.split(":")[2].split("/")[0]))
    try:
        assert call(opened, "hello")["rows"]
    finally:
        opened.close()
        for process in (first, second):
            process.kill()
            process.communicate()


def over_http(port: int = 0) -> tuple[subprocess.Popen[str], str]:
    """Return the unruly server on the loopback address, and where it is."""
    program = (
        "import runpy, sys\n"
        "from mindatlas.nodes.workdesk.parts.order_server import serve_http\n"
        "serve_http(runpy.run_path(sys.argv[1])['server'], int(sys.argv[2]))\n"
    )
    command = [sys.executable, "-c", program, str(UNRULY), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def children() -> set[int]:
    return {process.pid for process in psutil.Process().children(recursive=True)}
