"""Charts in replies: mended in structure and reported, never changed in value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.chart_shapes import is_chart
from mindatlas.nodes.charts import align_chart, mend_charts, parse_strictly
from mindatlas.nodes.json_tail import close_tail

LABELS = ["东区", "西区", "北区"]


def series(*data: Any) -> dict[str, Any]:
    return {"type": "bar", "labels": list(LABELS), "series": [{"name": "数量", "data": list(data)}]}


def fenced(chart: Any, language: str = "chart") -> str:
    text = chart if isinstance(chart, str) else json.dumps(chart, ensure_ascii=False)
    return f"各班组如下。\n```{language}\n{text}\n```\n以上。"


def kinds(reply: str) -> list[str]:
    return [change.kind for change in mend_charts(reply).changes]


@pytest.mark.parametrize(
    "chart",
    [
        series(1, 2, 3),
        {"labels": ["a"], "datasets": [{"label": "x", "data": [1]}]},
        {"xAxis": {"type": "category", "data": ["a", "b"]}, "yAxis": {}, "series": [{"type": "bar", "data": [1, 2]}]},
        {"x": ["a", "b"], "y": [1, 2]},
        {"type": "pie", "series": [{"type": "pie", "data": [{"name": "a", "value": 1}]}]},
        {"type": "line", "data": {"labels": ["a", "b"], "datasets": [{"label": "x", "data": [1, 2]}]}},
        {"labels": ["a", "b"], "values": [1, 2]},
        {"option": {"xAxis": [{"data": ["a"]}], "series": {"data": [1]}}},
    ],
)  # fmt: skip
def test_a_sound_chart_stays_byte_for_byte(chart: dict[str, Any]) -> None:
    reply = fenced(chart)
    mended = mend_charts(reply)
    assert (mended.reply, mended.charts, list(mended.changes)) == (reply, [chart], [])


@pytest.mark.parametrize(
    ("chart", "labels", "values"),
    [
        (series(1, 2), ["东区", "西区"], [[1, 2]]),
        (series(1, 2, 3, 4), LABELS, [[1, 2, 3]]),
        ({"labels": ["a", "b", "c"], "datasets": [{"label": "x", "data": [1, 2]}, {"label": "y", "data": [1, 2, 3]}]}, ["a", "b"], [[1, 2], [1, 2]]),
        ({"xAxis": {"data": ["a", "b", "c"]}, "series": [{"data": [1]}]}, ["a"], [[1]]),
        ({"x": [1, 2, 3], "y": [4, 5]}, [1, 2], [[4, 5]]),
    ],
)  # fmt: skip
def test_labels_and_series_are_cut_to_the_shortest(
    chart: dict[str, Any], labels: list[Any], values: list[Any]
) -> None:
    mended, changes = align_chart(chart)
    inner = mended.get("labels", mended.get("x", mended.get("xAxis", {})))
    assert (inner["data"] if isinstance(inner, dict) else inner) == labels
    found = mended.get("series", mended.get("datasets"))
    assert ([item["data"] for item in found] if found else [mended["y"]]) == values
    assert [(change.kind, change.after) for change in changes] == [("cut_to_shortest", len(labels))]


def test_nulls_are_zero_and_counted() -> None:
    mended, changes = align_chart(series(None, 2, None))
    assert mended["series"][0]["data"] == [0, 2, 0]
    assert [(change.kind, change.before) for change in changes] == [("nulls_to_zero", {"数量": 2})]
    pie, changes = align_chart({"type": "pie", "series": [{"data": [{"name": "a", "value": None}]}]})
    assert pie["series"][0]["data"] == [{"name": "a", "value": 0}]
    assert len(changes) == 1


def test_an_empty_series_does_not_empty_the_others() -> None:
    chart = series(1, 2, 3)
    chart["series"].append({"name": "空", "data": []})
    mended, changes = align_chart(chart)
    assert mended == series(1, 2, 3)
    assert [(change.kind, change.before) for change in changes] == [("dropped_empty_series", ["空"])]


def test_the_given_chart_is_not_touched() -> None:
    chart = series(1, None)
    align_chart(chart)
    assert chart == series(1, None)


@pytest.mark.parametrize("language", ["chart", "json", "echarts", "Chart"])
def test_charts_are_read_from_fences(language: str) -> None:
    assert mend_charts(fenced(series(1, 2), language)).charts[0]["labels"] == ["东区", "西区"]


@pytest.mark.parametrize(
    "reply",
    [
        "没有图表。",
        fenced({"order_id": "WO-1", "status": 3}, "json"),
        fenced([1, 2], "json"),
        fenced(series(1, 2, 3), "python"),
    ],
)
def test_what_is_no_chart_is_left_alone(reply: str) -> None:
    mended = mend_charts(reply)
    assert (mended.reply, list(mended.charts), list(mended.changes)) == (reply, [], [])


@pytest.mark.parametrize(
    "body",
    [
        '{"labels": ["a",, "b"], "series": [{"name": "x", "data": [1, 2]}]}',
        '{"labels": ["a" "b"], "series": [{"name": "x", "data": [1, 2]}',
        "{'labels': ['a'], 'series': [{'name': 'x', 'data': [1]}]}",
        '{"labels": ["a"], "series": [{"name": "x", "data": [NaN]}]}',
        '{"labels": ["a"], "series": [{"name": "x", "data": [1]}]}}',
        '{"labels": ["a"], "series": [{"name": "x", "data": [01]}]}',
        '{"labels": ["a"], "series": [{"name": "x", "data": [1]]}',
    ],
)
def test_damage_before_the_end_is_refused(body: str) -> None:
    reply = fenced(body)
    mended = mend_charts(reply)
    assert (mended.reply, list(mended.charts)) == (reply, [])
    assert kinds(reply) == ["damaged"]


def test_a_cut_tail_is_closed_without_its_last_token() -> None:
    text = json.dumps(series(12, 35), ensure_ascii=False)
    reply = "各班组如下。\n```chart\n" + text[: text.rindex("35") + 1]
    mended = mend_charts(reply)
    assert mended.charts == [{"type": "bar", "labels": ["东区"], "series": [{"name": "数量", "data": [12]}]}]
    assert kinds(reply) == ["closed_tail", "cut_to_shortest"]
    assert mended.reply.endswith("```")
    assert mend_charts(reply, tail=False).reply == reply
    assert [change.kind for change in mend_charts(reply, align=False).changes] == ["closed_tail"]


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ('{"a": [12, 3', '{"a": [12]}'),
        ('{"a": tru', "{}"),
        ('{"a": true', '{"a": true}'),
        ('{"a": -', "{}"),
        ('{"a": 1.', "{}"),
        ('{"key', "{}"),
        ('{"a": 1, "b"', '{"a": 1}'),
        ('["x", "y\\u4e', '["x"]'),
        ('["x", "y\\', '["x"]'),
        ("[1,", "[1]"),
        ("[[1, 2], [3", "[[1, 2], []]"),
        ("", None),
        ("12", None),
        ("[1 2", None),
        ("]", None),
        ('{"a" 1', None),
        ("{1: 2", None),
        ('["a\nb"', None),
        ("[tru]", None),
    ],
)
def test_closing(text: str, closed: str | None) -> None:
    assert close_tail(text) == closed


NUMBERS = st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False, width=32)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
CHARTS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["bar", "line", "pie"]),
        "labels": st.lists(st.text(), max_size=5),
        "series": st.lists(st.fixed_dictionaries({"name": st.text(), "data": st.lists(NUMBERS | st.none(), max_size=5)}), max_size=3),
    },
    optional={"title": st.text(), "options": VALUES},
)  # fmt: skip


def is_omission(whole: Any, part: Any) -> bool:
    """Return whether `part` is `whole` with the ends of lists and keys of objects left out, and nothing else."""
    if isinstance(whole, dict):
        return isinstance(part, dict) and all(
            key in whole and is_omission(whole[key], part[key]) for key in part
        )
    if isinstance(whole, list):
        return isinstance(part, list) and len(part) <= len(whole) and all(map(is_omission, whole, part))
    return type(whole) is type(part) and whole == part


@given(CHARTS, st.booleans(), st.sampled_from([None, 2]))
def test_every_prefix_of_a_chart_differs_by_omission_only(
    chart: dict[str, Any], ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(chart, ensure_ascii=ascii_only, indent=indent)
    for end in range(1, len(text) + 1):
        closed = close_tail(text[:end])
        assert closed is not None, text[:end]
        assert is_omission(chart, parse_strictly(closed)), (text[:end], closed)
    assert close_tail(text) == text


@given(CHARTS)
def test_every_prefix_of_a_reply_with_a_chart_keeps_its_values(chart: dict[str, Any]) -> None:
    reply = f"见图。\n```chart\n{json.dumps(chart, ensure_ascii=False)}"
    for end in range(len(reply)):
        mended = mend_charts(reply[:end], align=False)
        assert all(is_omission(chart, found) for found in mended.charts)
        if not mended.charts:
            assert mended.reply == reply[:end]


@given(CHARTS)
def test_an_aligned_chart_is_even_and_stays(chart: dict[str, Any]) -> None:
    once, _ = align_chart(chart)
    assert align_chart(once) == (once, [])
    assert (
        len({len(once["labels"]), *(len(item["data"]) for item in once["series"])}) == 1 or not once["series"]
    )


@given(st.text())
def test_any_text_is_closed_or_refused(text: str) -> None:
    closed = close_tail(text)
    if closed is not None:
        parse_strictly(closed)


def test_deep_nesting_is_no_crash() -> None:
    assert not is_chart({"labels": "[" * 10})
    assert list(mend_charts("```chart\n" + "[" * 100_000).charts) == []
