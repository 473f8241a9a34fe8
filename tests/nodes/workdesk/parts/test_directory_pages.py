"""Directories put together from pages, whatever the server says of how many there are."""

from __future__ import annotations

from typing import Any

import pytest

from mindatlas.nodes.workdesk.parts import directory_pages
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.directory_pages import read_pages
from mindatlas.nodes.workdesk.parts.overlay_model import ToolOverlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from mindatlas.nodes.workdesk.parts.tool_results import failed_result

CALL = CheckedCall(id="d", tool="teams", args={}, repairs=[], clock="")
PAGED: dict[str, Any] = {
    "defaults": {"page": 1, "size": 10},
    "parameters": {"page": {"role": "page"}, "size": {"role": "page_size"}},
}


class Teams:
    """A directory of so many teams that tells its total, or does not, or knows no pages, or breaks."""

    def __init__(self, count: int, *, tells: bool = True, turns: bool = True, breaks_at: int = 0) -> None:
        self.rows = [{"id": number} for number in range(count)]
        self.tells, self.turns, self.breaks_at = tells, turns, breaks_at
        self.asked: list[dict[str, Any]] = []

    def __call__(self, args: dict[str, Any]) -> ToolResult:
        self.asked.append(args)
        if len(self.asked) == self.breaks_at:
            return failed_result(CALL, "timeout", "no reply")
        size, page = args.get("size", 10), args.get("page", 1) if self.turns else 1
        rows = self.rows[(page - 1) * size : page * size]
        total = len(self.rows) if self.tells else len(rows)
        return {**failed_result(CALL, "timeout", ""), "error_kind": None, "rows": rows, "n_rows": total}


def read(teams: Teams, overlay: dict[str, Any] = PAGED, within_s: float = 60) -> ToolResult:
    tool = ServerTool(server="s", name="teams", description="")
    card = ToolCard(tool=tool, overlay=ToolOverlay.model_validate(overlay))
    return read_pages(card, {"site": "S"}, teams, within_s=within_s)


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 30, 57])
def test_all_rows_come_and_are_counted(count: int, tells: bool) -> None:
    teams = Teams(count, tells=tells)
    result = read(teams)
    assert (result["rows"], result["n_rows"], result["truncated"]) == (teams.rows, count, False)
    assert {asked["site"] for asked in teams.asked} == {"S"}
    assert len(teams.asked) <= count // 10 + 1
    assert result["args"] == {"site": "S"}


def test_a_server_that_does_not_know_pages_is_not_asked_for_ever() -> None:
    teams = Teams(25, turns=False)
    result = read(teams)
    assert (len(result["rows"]), result["n_rows"], result["truncated"], len(teams.asked)) == (10, 25, True, 2)


def test_a_tool_without_pages_is_asked_once() -> None:
    teams = Teams(5)
    assert (len(read(teams, {})["rows"]), len(teams.asked)) == (5, 1)


def test_an_error_on_a_later_page_is_an_error() -> None:
    assert read(Teams(30, breaks_at=3))["error"] == "no reply"


def test_what_takes_too_long_or_is_too_long_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    for tells in (True, False):
        cut = read(Teams(30, tells=tells), within_s=-1)
        assert len(cut["rows"]) == 10 < cut["n_rows"] and cut["truncated"]
    monkeypatch.setattr(directory_pages, "MOST_NAMES", 20)
    assert len(read(Teams(50))["rows"]) == 20
