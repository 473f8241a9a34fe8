"""What a model is told of a tool: to choose it, and to call it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from mindatlas.nodes.workdesk.parts.order_server import TOOLS
from mindatlas.nodes.workdesk.parts.overlay_fit import fit_cards
from mindatlas.nodes.workdesk.parts.overlay_model import ToolOverlay
from mindatlas.nodes.workdesk.parts.overlays import load_overlays
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from mindatlas.nodes.workdesk.parts.tool_schemas import invocation_of, name_words, registration_of

CARDS, _ = fit_cards(
    [
        ServerTool(server="orders", name=tool.name, description=tool.description or "", input_schema=tool.inputSchema)
        for tool in TOOLS
    ],
    load_overlays(),
)  # fmt: skip
BY_NAME = {card.name: card for card in CARDS}
STAT = invocation_of(BY_NAME["order_stat"])


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_every_schema_is_json_schema_and_keeps_the_servers_own_beside_it(card: ToolCard) -> None:
    told = invocation_of(card)
    Draft202012Validator.check_schema(told.schema)
    assert set(told.schema["required"]) <= set(told.schema["properties"])
    assert (told.server_schema, told.server_description) == (card.tool.input_schema, card.tool.description)
    assert told.as_function()["function"]["name"] == card.name


def test_only_what_is_really_needed_is_required() -> None:
    assert STAT.schema["required"] == ["start_time", "end_time"]
    assert len(STAT.server_schema["required"]) == 11
    assert invocation_of(BY_NAME["team_list"]).schema["required"] == []


def test_codes_stand_with_their_meaning() -> None:
    status = STAT.schema["properties"]["status"]
    assert status["enum"] == [0, 1, 2, 3, 4, 5]
    assert "3 = 已完成" in status["description"]
    assert "in progress" in status["description"]


def test_a_name_says_where_it_is_looked_up_and_a_default_what_it_is() -> None:
    properties = STAT.schema["properties"]
    assert "team_list (team_name -> team_id)" in properties["team_id"]["description"]
    assert properties["group_by"]["default"] == "none"


def test_rules_dependencies_and_the_form_of_the_reply_are_told() -> None:
    export = invocation_of(BY_NAME["order_export"]).description
    assert "Needs a result of: order_list" in export
    assert "approval" in export
    assert "Rule:" in STAT.description
    assert "data.list" in STAT.description
    assert "approval" not in STAT.description


def test_a_hidden_parameter_is_not_told() -> None:
    card = BY_NAME["team_list"]
    hidden = replace(card, overlay=card.overlay.model_copy(update={"hidden": ("page_no",)}))
    told = invocation_of(hidden)
    assert set(told.schema["properties"]) == {"keyword", "page_size"}
    assert "page_no" in told.server_schema["properties"]


def test_a_tool_without_an_overlay_is_told_as_its_server_does() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    card = ToolCard(
        tool=ServerTool(server="s", name="find", description="Finds.", input_schema=schema, read_only=True)
    )
    assert invocation_of(card).schema == {**schema, "additionalProperties": False}
    assert invocation_of(card).description == "Finds."
    assert registration_of(card).as_text() == "find: Finds."


def test_when_not_to_use_a_tool_is_told_and_not_searched() -> None:
    said = registration_of(BY_NAME["order_stat"])
    assert "use order_get" in said.as_text()
    assert "use order_get" not in said.search_text()
    assert "工单统计" in said.search_text()  # the server's own words are searched too
    assert "start_time" not in said.as_text()


def test_the_description_of_the_overlay_stands_in_where_there_is_no_registration() -> None:
    tool = ServerTool(server="s", name="find", description="thin")
    assert (
        registration_of(ToolCard(tool=tool, overlay=ToolOverlay(description="finds parts"))).purpose
        == "finds parts"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("order_stat", "order stat"),
        ("getOrderList", "get Order List"),
        ("list-HTTPHosts", "list HTTP Hosts"),
        ("a.b/c", "a b c"),
        ("", ""),
    ],
)
def test_the_words_of_a_name(name: str, words: str) -> None:
    assert name_words(name) == words
