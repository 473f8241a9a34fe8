"""The client against real server processes: those that work, die, hang, flood, or never start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from mindatlas.nodes.errors import SetupError
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.mcp_access import McpAccess
from mindatlas.nodes.workdesk.parts.mcp_config import ServerConfig, default_servers
from mindatlas.nodes.workdesk.parts.order_book import book_path, open_book
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay
from mindatlas.nodes.workdesk.parts.overlays import load_overlays

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
        from datetime import date

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
    from datetime import date

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
    from datetime import date

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


def children() -> set[int]:
    return {process.pid for process in psutil.Process().children(recursive=True)}
