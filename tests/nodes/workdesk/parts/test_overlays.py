"""Overlay files: what is read, what is refused with the file and the field, and whose file wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindatlas.nodes.errors import FileReadError, UsageError
from mindatlas.nodes.workdesk.parts.order_server import TOOLS
from mindatlas.nodes.workdesk.parts.overlays import load_overlays, read_overlay, shipped_servers

SMALL = "server: {server}\ntools:\n  count:\n    description: {text}\n"


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_shipped_overlay_describes_every_tool_of_the_order_server() -> None:
    orders = load_overlays()["orders"]
    assert set(orders.tools) == {tool.name for tool in TOOLS}
    stat = orders.tools["order_stat"]
    assert stat.read_only and stat.dual_time is not None
    assert set(stat.dual_time.clocks) == {"1", "2"}
    assert {"创建", "新增", "报修", "提交", "受理"} <= set(stat.dual_time.clocks["1"].words)
    assert {"完成", "办结", "完工", "处理完"} <= set(stat.dual_time.clocks["2"].words)
    assert orders.tools["order_remark"].read_only is False


def test_no_word_names_two_codes_of_one_parameter_or_both_clocks() -> None:
    for tool in load_overlays()["orders"].tools.values():
        named = [{code: set(words) for code, words in one.values.items()} for one in tool.parameters.values()]
        if tool.dual_time:
            named.append({value: set(clock.words) for value, clock in tool.dual_time.clocks.items()})
        for words in named:
            said = [word for group in words.values() for word in group]
            assert len(said) == len(set(said)), said


def test_a_file_of_the_user_replaces_the_shipped_one_and_a_later_folder_an_earlier(tmp_path: Path) -> None:
    first = write(tmp_path / "a", "mine.yaml", SMALL.format(server="orders", text="mine"))
    write(first, "stock.yml", SMALL.format(server="stock", text="stock"))
    write(first, "notes.txt", "not an overlay")
    second = write(tmp_path / "b", "other.yaml", SMALL.format(server="stock", text="newer"))
    overlays = load_overlays([first, second])
    assert overlays["orders"].tools["count"].description == "mine"
    assert "order_stat" not in overlays["orders"].tools
    assert overlays["stock"].tools["count"].description == "newer"
    assert set(shipped_servers()) == {"orders"}


def test_a_path_may_name_one_file(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", "mine.yaml", SMALL.format(server="stock", text="x"))
    assert "stock" in load_overlays([folder / "mine.yaml"])


def test_a_missing_folder_and_two_files_for_one_server_are_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no overlay folder"):
        load_overlays([tmp_path / "none"])
    folder = write(tmp_path / "a", "one.yaml", SMALL.format(server="stock", text="x"))
    write(folder, "two.yaml", SMALL.format(server="stock", text="y"))
    with pytest.raises(UsageError, match=r"one\.yaml.*two\.yaml.*'stock'"):
        load_overlays([folder])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("server: s\ntools: {count: {descripton: x}}", "tools.count.descripton"),
        ("server: s\ntools: {count: {required: start_time}}", "tools.count.required"),
        ("server: s\ntools: {count: {parameters: {a: {values: {0: [on, no]}}}}}", "tools.count.parameters.a.values.0.0"),
        ("server: s\ntools: {count: {parameters: {a: {role: nonsense}}}}", "tools.count.parameters.a.role"),
        ("server: s\ntools: {count: {hidden: [a], required: [a]}}", "tools.count.hidden"),
        ("tools: {}", "server"),
        ("server: s\nformat: 2", "format"),
        ("- a", "must hold 'server'"),
        ("server: [", "is no YAML"),
        ("server: s\nserver: t", "'server' stands twice"),
        ("server: s\n? [a]\n: b", "plain text"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_with_its_field(text: str, said: str) -> None:
    with pytest.raises(FileReadError) as caught:
        read_overlay(text, "desk.yaml")
    assert "'desk.yaml'" in str(caught.value)
    assert said in str(caught.value)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_bytes(b"server: \xff\xfe")
    with pytest.raises(FileReadError, match=r"bad\.yaml"):
        load_overlays([tmp_path])


def test_keys_are_read_as_the_text_that_stands_there_and_dates_stay_text() -> None:
    overlay = read_overlay(
        "server: s\ntools: {count: {parameters: {a: {values: {0: [x], 01: [y], on: [z]}}}, defaults: {day: 2026-03-01}}}",
        "desk.yaml",
    )
    assert list(overlay.tools["count"].parameters["a"].values) == ["0", "01", "on"]
    assert overlay.tools["count"].defaults == {"day": "2026-03-01"}


def test_a_merged_key_may_be_overridden() -> None:
    overlay = read_overlay(
        "server: s\ntools:\n  a: &a {description: x, required: [p]}\n  b: {<<: *a, description: y}\n",
        "desk.yaml",
    )
    assert (overlay.tools["b"].description, overlay.tools["b"].required) == ("y", ("p",))
