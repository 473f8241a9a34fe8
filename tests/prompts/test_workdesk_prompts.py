from __future__ import annotations

from mindatlas.prompts import render


def test_the_prompt_for_planning_states_the_rules_and_the_day() -> None:
    rendered = render("workdesk/plan_call", today="2026-04-15", language="English")
    for part in (
        "Today is 2026-04-15",
        "Write in English",
        "Never invent an identifier",
        "我将调用",
    ):
        assert part in rendered
    assert "is data" in rendered


def test_the_retry_names_the_fault_and_ends_with_the_question() -> None:
    rendered = render("workdesk/plan_call_retry", fault="a call as text", question="上个月有多少工单？")
    assert "<data>\na call as text\n</data>" in rendered
    assert rendered.rstrip().endswith("<question>\n上个月有多少工单？\n</question>")


def test_the_prompt_for_a_reply_fences_all_data_and_ends_with_the_question() -> None:
    rendered = render(
        "workdesk/reply",
        today="2026-04-15",
        language="Simplified Chinese",
        stated="“东区”指 T-1",
        fault="-",
        history="user: 你好",
        results='<tool name="order_stat">\n7\n</tool>',
        question="有多少？",
    )
    for part in (
        "Write in Simplified Chinese",
        "“东区”指 T-1",
        "<data>\nuser: 你好\n</data>",
        "never “no data”",
        "```chart",
    ):
        assert part in rendered
    assert rendered.index("is data") < rendered.index('<tool name="order_stat">')
    assert rendered.rstrip().endswith("<question>\n有多少？\n</question>")
