"""Native charts: drawn from the cells of the result, and left out with a reason when they do not fit."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.atlassplit.parts.publishing.charts import CHART_TYPES
from mindatlas.nodes.atlassplit.parts.publishing.publication import publish

FRAME = pd.DataFrame({"店": ["a", "a", "b"], "月": ["1", "2", "1"], "额": [1.0, 2.0, 3.0], "量": [4, 5, 6]})


def chart_xml(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read("xl/charts/chart1.xml").decode()


def drawn(folder: Path, spec: dict[str, Any], result: Result = None) -> str:
    out = folder / f"{len(list(folder.iterdir()))}.xlsx"
    done = publish(FRAME if result is None else result, out=out, chart=spec, name="表")
    assert not done.notices
    openpyxl.load_workbook(done.path)
    return chart_xml(done.path)


@pytest.mark.parametrize("kind", CHART_TYPES)
def test_every_type_is_drawn_from_cells(tmp_path: Path, kind: str) -> None:
    xml = drawn(tmp_path, {"type": kind, "x": "月", "y": "额", "title": "每月"})
    assert "<c:f>表!$B$2:$B$4</c:f>" in xml
    assert "<c:f>表!$C$2:$C$4</c:f>" in xml
    assert "<a:t>每月</a:t>" in xml


def test_several_values_are_several_series_but_in_a_pie(tmp_path: Path) -> None:
    spec = {"type": "column", "x": "店", "y": ["额", "量"]}
    assert drawn(tmp_path, spec).count("<c:ser>") == 2
    assert drawn(tmp_path, spec | {"type": "pie"}).count("<c:ser>") == 1


def test_series_make_a_line_for_each_value(tmp_path: Path) -> None:
    xml = drawn(tmp_path, {"type": "line", "x": "月", "y": "额", "series": "店"})
    assert re.findall(r"<c:val><c:numRef><c:f>(.*?)</c:f>", xml) == ["表!$C$2:$C$3", "表!$C$4"]
    assert "<c:v>a</c:v>" in xml


def test_the_chart_stands_on_the_sheet_of_its_table(tmp_path: Path) -> None:
    spec = {"type": "bar", "x": "店", "y": "额", "table": "第二"}
    done = publish({"第一": FRAME.drop(columns="额"), "第二": FRAME}, out=tmp_path / "o.xlsx", chart=spec)
    assert "第二!$C$2" in chart_xml(done.path)
    assert not done.notices


def test_a_chart_that_names_no_table_stands_on_the_first_that_has_its_columns(tmp_path: Path) -> None:
    spec = {"type": "bar", "x": "店", "y": ["额"]}
    done = publish({"第一": FRAME.drop(columns="额"), "第二": FRAME}, out=tmp_path / "o.xlsx", chart=spec)
    assert "第二!$C$2" in chart_xml(done.path)
    assert not done.notices


@pytest.mark.parametrize("title", ["=Sheet1!$A$1", "Data!A1 for all", '=HYPERLINK("x")', "<b>&"])
def test_a_title_is_text(tmp_path: Path, title: str) -> None:
    xml = drawn(tmp_path, {"type": "bar", "x": "店", "y": "额", "title": title})
    heading = xml[xml.index("<c:title>") : xml.index("</c:title>")]
    assert "<c:f>" not in heading


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"type": "radar", "x": "店", "y": "额"}, "'radar' is none of line, bar"),
        ({"x": "店", "y": "额"}, "None is none of"),
        ({"type": "bar", "x": "城市", "y": "额"}, "no column '城市'; there are '店', '月', '额', '量'"),
        ({"type": "bar", "x": "店", "y": "利润"}, "no column '利润'"),
        ({"type": "bar", "x": "店"}, "its y is None"),
        ({"type": "bar", "x": "店", "y": []}, "names no column"),
        ({"type": "bar", "x": "店", "y": "月"}, "holds no number"),
        ({"type": "bar", "x": {"a": 1}, "y": "额"}, "its x is {'a': 1}"),
        ({"type": "bar", "x": "店", "y": "额", "table": "无"}, "no table '无'"),
        ({"type": "line", "x": "月", "y": "额", "series": "月"}, "do not stand together"),
        ({"type": "line", "x": "月", "y": ["额", "量"], "series": "店"}, "one y"),
        ({"type": ["bar"], "x": "店", "y": "额"}, "none of"),
    ],
)
def test_a_spec_that_does_not_fit_is_told(tmp_path: Path, spec: dict[str, Any], reason: str) -> None:
    done = publish(FRAME, out=tmp_path / "o.xlsx", chart=spec)
    assert len(done.notices) == 1
    assert "no chart was drawn" in done.notices[0]
    assert reason in done.notices[0]
    assert openpyxl.load_workbook(done.path).worksheets[0].max_row == 4


def test_no_chart_of_an_empty_table_or_a_single_value(tmp_path: Path) -> None:
    spec = {"type": "bar", "x": "店", "y": "额"}
    assert "no rows" in publish(FRAME.iloc[:0], out=tmp_path / "o.xlsx", chart=spec).notices[0]
    assert "no column '店'" in publish(5, out=tmp_path / "5.xlsx", chart=spec).notices[0]


def test_unknown_keys_are_told_and_ignored(tmp_path: Path) -> None:
    done = publish(
        FRAME, out=tmp_path / "o.xlsx", chart={"type": "bar", "x": "店", "y": "额", "colour": "red"}
    )
    assert done.notices == ("chart: unknown key 'colour' ignored",)
    assert "<c:ser>" in chart_xml(done.path)
