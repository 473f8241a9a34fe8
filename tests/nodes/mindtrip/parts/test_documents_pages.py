from __future__ import annotations

from pathlib import Path

import pytest

from mindatlas.nodes.errors import FileReadError
from mindatlas.nodes.mindtrip.parts.documents_pages import SHORT_TITLE
from tests.nodes.mindtrip.parts.loading import load


def test_a_short_first_line_is_the_title_and_stays_in_the_text(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "a.txt", "\n日月湾怎么去\n坐高铁到万宁。\n")
    assert (document.title, document.entity) == ("日月湾怎么去", "日月湾怎么去")
    assert document.text == "\n日月湾怎么去\n坐高铁到万宁。\n"
    assert document.metadata == {}


def test_a_long_first_line_leaves_the_title_to_the_file_name(tmp_path: Path) -> None:
    assert load(tmp_path, "日月湾.txt", "浪" * (SHORT_TITLE + 1))[0].title == "日月湾"


PAGE = """<?xml version="1.0"?><!DOCTYPE html><html><head><title> 日月湾
 攻略 </title><meta name="Description" content="浪大"><meta name="keywords" content="冲浪,露营">
<style>p {}</style><script>var x = 1;</script></head><body>
<nav>首页</nav><h1>欢迎</h1><p>我<b>爱</b>冲浪,
  真的。</p><ul><li>一</li><li>二</li></ul><table><tr><td>门票</td><td>免费</td></tr></table>
<!-- comment --><pre>a
b</pre>one<br>two<footer>版权</footer></body></html>"""


def test_html_is_what_the_reader_sees(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "a.html", PAGE)
    assert document.title == "日月湾 攻略"
    assert document.metadata == {"description": "浪大", "keywords": ["冲浪", "露营"]}
    assert document.text.split("\n") == [
        *("欢迎", "我爱冲浪, 真的。", "一", "二", "门票 免费", "a", "b", "one", "two"),
    ]


@pytest.mark.parametrize(
    ("page", "title"),
    [("<h1>海 <i>湾</i></h1><p>x", "海 湾"), ("<title> </title><h1>湾</h1>", "湾"), ("<p>x</p>", "a")],
)
def test_titles_without_a_title_tag(tmp_path: Path, page: str, title: str) -> None:
    assert load(tmp_path, "a.htm", page)[0].title == title


def test_the_declared_encoding_is_used(tmp_path: Path) -> None:
    page = '<meta charset="big5"><p>日月灣</p>'.encode("big5")
    assert load(tmp_path, "a.html", page)[0].text == "日月灣"


@pytest.mark.parametrize("declared", ["gbk", "utf-8", "no-such-encoding"])
def test_a_wrong_declaration_does_no_harm(tmp_path: Path, declared: str) -> None:
    page = f'<meta charset="{declared}"><p>日月湾，冲浪</p>'.encode("gb18030")
    assert load(tmp_path, "a.html", page)[0].text == "日月湾，冲浪"


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("plain text", "no HTML tag"),
        ("<nav>only</nav><script>x</script>", "shows no text"),
        ("<title>only</title>", "shows no text"),
    ],
)
def test_a_page_without_text_is_an_error(tmp_path: Path, page: str, reason: str) -> None:
    with pytest.raises(FileReadError, match=rf"a\.html.*{reason}"):
        load(tmp_path, "a.html", page)


def test_markup_that_the_parser_rejects_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileReadError, match="no valid HTML"):
        load(tmp_path, "a.html", "<p>x</p><![foo<!bar")
