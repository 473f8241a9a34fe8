"""Tools of several servers under names that each has alone."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.workdesk.parts.overlay_model import ToolOverlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from mindatlas.nodes.workdesk.parts.tool_names import native_name, with_own_names

LOOKS_UP = ToolOverlay.model_validate(
    {
        "parameters": {"team": {"names_from": {"tool": "teams", "id": "id", "name": "name"}}},
        "depends_on": ["teams"],
    }
)


def card(server: str, name: str, overlay: ToolOverlay | None = None) -> ToolCard:
    tool = ServerTool(server=server, name=name, description="")
    return ToolCard(tool=tool, overlay=overlay or ToolOverlay())


def test_the_first_keeps_its_name_and_the_later_gets_its_servers() -> None:
    cards, notices = with_own_names([card("east", "teams"), card("west", "teams"), card("west", "sites")])
    assert list(cards) == ["teams", "west__teams", "sites"]
    assert (native_name(cards["west__teams"].tool), cards["west__teams"].name) == ("teams", "west__teams")
    assert len(notices) == 1 and "'west__teams'" in notices[0]


def test_names_are_looked_up_on_the_tools_own_server() -> None:
    cards, _ = with_own_names(
        [
            card("east", "teams"),
            card("east", "count", LOOKS_UP),
            card("west", "teams"),
            card("west", "count", LOOKS_UP),
        ]
    )
    for name, expected in (("count", "teams"), ("west__count", "west__teams")):
        source = cards[name].overlay.parameters["team"].names_from
        assert source is not None
        assert (source.tool, cards[name].overlay.depends_on) == (expected, (expected,))


def test_what_a_server_lists_twice_is_told_once() -> None:
    cards, notices = with_own_names([card("east", "teams")] * 5)
    assert (list(cards), len(notices)) == (["teams"], 1)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "工单", "b.c"]), st.text(min_size=1, max_size=80)), max_size=30)
)
def test_every_tool_has_a_name_that_providers_take(tools: list[tuple[str, str]]) -> None:
    cards, _ = with_own_names(card(server, name) for server, name in tools)
    assert {(one.tool.server, native_name(one.tool)) for one in cards.values()} == set(tools)
    for name, one in cards.items():
        assert name == one.name
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name)
