from __future__ import annotations

from pathlib import Path

import pytest

from mindatlas.nodes.errors import FileReadError
from mindatlas.nodes.mindtrip.parts.documents_markdown import LONG_SECTION
from tests.nodes.mindtrip.parts.loading import load

LONG = "浪" * LONG_SECTION


def test_front_matter_gives_the_fields(tmp_path: Path) -> None:
    content = (
        "---\ntitle: 冲浪指南\nentity: 日月湾\naliases: [Riyue Bay]\ntags: 冲浪、露营\nprice: 60\n"
        "open: 09:30\ncode: 007\nday: 2025-02-30\nfree: true\nnone: ~\n---\n# 别的标题\n\n正文。\n"
    )
    (document,) = load(tmp_path, "a.md", content)
    assert (document.title, document.entity, document.aliases) == ("冲浪指南", "日月湾", ("Riyue Bay",))
    assert document.text == "# 别的标题\n\n正文。\n"
    assert document.metadata == {
        **{
            "tags": ["冲浪", "露营"],
            "price": 60,
            "open": "09:30",
            "code": "007",
            "day": "2025-02-30",
            "free": True,
        },
    }


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("intro\n\n## **日月湾** [地图](x) ##\n", "日月湾 地图"),
        ("日月湾\n===\n\ntext", "日月湾"),
        ("日月湾\n---\n\ntext", "日月湾"),
        ("```\n# code\n```\n# 真标题\n", "真标题"),
        ("~~~\n```\n# code\n~~~\n# 真标题\n", "真标题"),
        ("# 1. 日月湾\n", "日月湾"),
        ("# 3.14 is pi\n", "3.14 is pi"),
        ("#tag only\n", "#tag only"),
        ("- item\n---\ntext", "- item"),
        ("浪" * 80, "a"),
    ],
)
def test_titles(tmp_path: Path, content: str, title: str) -> None:
    (document,) = load(tmp_path, "a.md", content)
    assert (document.title, document.text) == (title, content)


def test_long_sections_become_documents(tmp_path: Path) -> None:
    bays = f"## 日月湾\n日月湾{LONG}\n### 交通\n{LONG}\n## 石梅湾\n石梅湾{LONG}\n"
    content = f"---\ncity: 万宁\n---\n# 万宁指南\n\n前言\n{bays}"
    intro, one, two = load(tmp_path, "a.md", content)
    assert (intro.title, intro.text) == ("万宁指南", "# 万宁指南\n\n前言")
    assert (one.title, one.entity) == ("日月湾", "日月湾")
    assert one.text == f"## 日月湾\n日月湾{LONG}\n### 交通\n{LONG}"
    assert (two.title, two.entity, two.metadata) == ("石梅湾", "石梅湾", {"city": "万宁"})


def test_no_line_is_lost_between_sections(tmp_path: Path) -> None:
    content = f"前言\n# 甲\n{LONG}\n# 乙\n{LONG}\n\n尾\n"
    assert "\n".join(document.text for document in load(tmp_path, "a.md", content)) == content


def test_sections_about_the_subject_of_the_file_keep_it(tmp_path: Path) -> None:
    content = f"# 日月湾\n## 怎么去\n去日月湾坐高铁。{LONG}\n## 季节\n季节{LONG}\n"
    getting_there, season = load(tmp_path, "a.md", content)
    assert (getting_there.title, getting_there.entity) == ("日月湾 · 怎么去", "日月湾")
    assert (season.title, season.entity) == ("季节", "季节")


def test_sections_share_the_fields_of_the_file_but_not_its_names(tmp_path: Path) -> None:
    front = "---\nid: g\ntitle: 日月湾\naliases: Riyue Bay\n---\n"
    one, two = load(tmp_path, "a.md", f"{front}## 怎么去\n坐高铁。{LONG}\n## 石梅湾\n石梅湾{LONG}\n")
    assert (one.id, one.entity, one.aliases) == ("g:1", "日月湾", ("Riyue Bay",))
    assert (two.id, two.entity, two.aliases) == ("g:2", "石梅湾", ())


def test_a_given_entity_is_the_entity_of_every_section(tmp_path: Path) -> None:
    content = f"---\nentity: 日月湾\n---\n# 甲\n甲{LONG}\n# 乙\n乙{LONG}\n"
    assert [d.entity for d in load(tmp_path, "a.md", content)] == ["日月湾", "日月湾"]


def test_short_sections_stay_together(tmp_path: Path) -> None:
    content = "# 问答\n## 一\n短。\n## 二\n短。\n"
    assert [d.text for d in load(tmp_path, "a.md", content)] == [content]


def test_a_record_may_be_front_matter_alone(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "a.md", "---\nname: 日月湾\n简介: 浪大\nprice: 0\n---\n")
    assert (document.title, document.text, document.metadata) == ("日月湾", "浪大", {"price": 0})


def test_a_rule_at_the_start_is_no_front_matter(tmp_path: Path) -> None:
    content = "---\njust words\n---\n# 标题\n"
    (document,) = load(tmp_path, "a.md", content)
    assert (document.title, document.text) == ("标题", content)


@pytest.mark.parametrize(
    ("front", "reason"),
    [
        ("a: [", "no valid YAML"),
        ("a: 1\na: 2", "the field 'a' stands twice"),
        ("a: &x [1]\nb: *x", "references"),
        ("? [1, 2]\n: x", "no valid YAML"),
        ("a: \x07", "no valid YAML"),
    ],
)
def test_bad_front_matter_is_an_error(tmp_path: Path, front: str, reason: str) -> None:
    with pytest.raises(FileReadError, match=rf"a\.md', line 2: .*{reason}"):
        load(tmp_path, "a.md", f"---\n{front}\n---\ntext\n")
