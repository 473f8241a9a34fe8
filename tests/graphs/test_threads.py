from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mindatlas.graphs.mindtrip import MindTripSettings, build_mindtrip, open_parts
from mindatlas.graphs.runs import new_run_id, open_threads, run
from mindatlas.nodes.errors import StoreError
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from tests.graphs.command import run as command
from tests.graphs.command import run_process

SURF = "万宁除了日月湾还有什么冲浪的地方？"
Ask = Callable[..., dict[str, Any]]


def conversation(kb: str) -> Ask:
    """Return a way to ask in the thread `trip`; each question opens the threads anew, as a new process does."""
    settings = MindTripSettings(kb=kb)

    def ask(question: str, *, thread: str = "trip", **filters: Any) -> dict[str, Any]:
        with open_threads() as threads:
            graph = build_mindtrip(open_parts(settings)).compile(checkpointer=threads)
            inputs = {"question": question, "filters": filters}
            return run(graph, inputs, context=settings, run_id=new_run_id(), thread=thread)

    return ask


@pytest.fixture
def ask(home: Path, places: KnowledgeBase) -> Ask:
    """A conversation over the small knowledge base."""
    return conversation(str(places.folder))


@pytest.fixture
def hainan(bundled_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """A conversation over the bundled knowledge base, with threads of its own."""
    monkeypatch.setenv("MINDATLAS_HOME", str(tmp_path / "home"))
    return conversation(str(bundled_home / "kb" / "hainan"))


def entities(output: dict[str, Any]) -> set[str]:
    return {passage["entity"] for passage in output["passages"]}


@pytest.mark.parametrize("others", ["还有别的吗？", "其他的呢", "还有吗？", "any others?"])
def test_others_never_show_what_was_shown_and_keep_exclusion_and_place(hainan: Ask, others: str) -> None:
    shown = entities(hainan(SURF))
    assert shown
    for _ in range(3):
        output = hainan(others)
        assert output["exclude_entities"] == ["日月湾"]
        assert output["filters"] == {"city": "万宁"}
        assert not entities(output) & shown
        assert "日月湾" not in entities(output)
        shown |= entities(output)


def test_when_all_was_shown_the_end_is_said(ask: Ask) -> None:
    assert entities(ask(SURF)) == {"石梅湾"}
    output = ask("还有别的吗？")
    assert output["stop_reason"] in {"exclusion_left_nothing", "nothing_supported"}
    assert output["passages"] == []
    assert output["answer"]


def test_another_place(ask: Ask) -> None:
    assert entities(ask("万宁哪里能冲浪？")) == {"日月湾", "石梅湾"}
    output = ask("那三亚呢？")
    assert output["rewritten_query"] == "三亚哪里能冲浪？"
    assert entities(output) == {"后海"}
    assert output["filters"] == {"city": "三亚"}


def test_an_exclusion_persists_when_the_place_changes(ask: Ask) -> None:
    """Whoever wants no 后海 asks the same of 三亚 without having changed their mind."""
    ask("除了后海，万宁哪里能冲浪？")
    output = ask("那三亚呢？")
    assert "后海" in output["exclude_entities"]
    assert "后海" not in entities(output)


def test_a_pronoun(hainan: Ask) -> None:
    first = hainan("亚龙湾适合带孩子吗？")
    assert "亚龙湾" in entities(first)
    output = hainan("它怎么去？")
    assert output["rewritten_query"] == "亚龙湾怎么去？"
    assert output["passages"][0]["entity"] == "亚龙湾"


def test_a_new_question_starts_anew(ask: Ask) -> None:
    ask(SURF)
    output = ask("故宫门票多少钱？")
    assert output["exclude_entities"] == []
    assert output["filters"] == {}
    assert output["path"][0] == "resolve_followup"
    assert output["path"].count("answer") == 1
    assert "日月湾" in entities(ask("哪里有冲浪店？")), "an exclusion ends with its question"


def test_an_exclusion_is_lifted(ask: Ask) -> None:
    assert entities(ask("除了日月湾和石梅湾哪里能冲浪？")) == {"后海"}
    output = ask("也包括日月湾")
    assert output["exclude_entities"] == ["石梅湾"]
    assert entities(output) == {"日月湾", "后海"}


@pytest.mark.parametrize(
    "question",
    [
        "北京除了故宫角楼咖啡还有什么喝咖啡的地方？",
        "Besides Corner Tower Cafe, where is coffee, 咖啡, in 北京?",
    ],
)
def test_the_offer_of_a_refusal_can_be_taken_word_for_word(ask: Ask, question: str) -> None:
    refused = ask(question)
    assert refused["stop_reason"] == "exclusion_left_nothing"
    offer = refused["answer"].split("“")[1].split("”")[0]
    output = ask(offer)
    assert output["rewritten_query"] == refused["rewritten_query"]
    assert output["exclude_entities"] == []
    assert entities(output) == {"故宫角楼咖啡"}


def test_a_refused_question_is_the_one_that_is_gone_on_with(ask: Ask) -> None:
    ask("万宁哪里能冲浪？")
    assert ask("北京除了故宫角楼咖啡还有什么喝咖啡的地方？")["passages"] == []
    assert entities(ask("也包括故宫角楼咖啡")) == {"故宫角楼咖啡"}


def test_the_same_filter_holds_for_each_question_it_is_given_with(ask: Ask) -> None:
    first = ask("哪里能冲浪？", city="三亚")
    assert entities(first) == {"后海"}
    second = ask("哪里有渔村？", city="三亚")
    assert second["filters"] == {"city": "三亚"}


def test_a_filter_of_one_question_is_not_one_of_the_next(ask: Ask) -> None:
    ask("哪里能冲浪？", city="三亚")
    assert ask("哪里有冲浪店和客栈？")["filters"] == {}


def test_a_host_that_passes_no_filters_at_all_has_none(home: Path, places: KnowledgeBase) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    parts = open_parts(MindTripSettings(kb=str(places.folder)))
    graph = build_mindtrip(parts).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    first: dict[str, Any] = graph.invoke({"question": "万宁哪里能冲浪？"}, config)
    assert first["filters"] == {"city": "万宁"}
    second: dict[str, Any] = graph.invoke({"question": "故宫门票多少钱？"}, config)
    assert second["filters"] == {}


def test_threads_do_not_hear_each_other(ask: Ask) -> None:
    ask("万宁哪里能冲浪？", thread="one")
    assert ask("那三亚呢？", thread="two")["rewritten_query"] == "那三亚呢？"


def test_notices_say_what_was_understood(ask: Ask) -> None:
    ask("万宁哪里能冲浪？")
    assert any("万宁哪里能冲浪？" in notice for notice in ask("那三亚呢？")["notices"])


def test_a_thread_store_of_a_newer_version_is_refused(home: Path, places: KnowledgeBase) -> None:
    home.mkdir()
    connection = sqlite3.connect(home / "threads.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="upgrade mindatlas"), open_threads():
        pass
    done = command("ask", "哪里能冲浪？", "--kb", places.folder, "--thread", "t")
    assert done.code == 2
    assert "upgrade mindatlas" in done.err


@pytest.mark.slow
def test_a_conversation_goes_on_in_another_process(home: Path, places: KnowledgeBase) -> None:
    thread = ("--kb", places.folder, "--thread", "trip", "--json")
    first = run_process("ask", "冲浪除了日月湾还能去哪？", *thread).json
    assert "日月湾" not in entities(first)
    second = run_process("ask", "还有别的吗", *thread).json
    assert second["exclude_entities"] == ["日月湾"]
    assert not entities(second) & entities(first)
