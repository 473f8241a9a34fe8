from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime, time

import pytest

from mindatlas.nodes.atlassplit.parts.card_text import HEED
from mindatlas.nodes.atlassplit.parts.schema_card import make_card
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnCard, SetAside, TableCard
from mindatlas.nodes.errors import FileReadError

COLUMN = ColumnCard(
    name="门店",
    original="门店",
    position=0,
    type="text",
    samples=("朝阳店", "SH-01"),
    null_rate=0.25,
    distinct=2,
    minimum=None,
    maximum=None,
    warnings=(),
    values=("朝阳店", "SH-01"),
)
AMOUNT = replace(
    COLUMN,
    name="金额",
    original="金额",
    position=1,
    samples=("1,200.50",),
    warnings=("number_as_text:千分位", "error_cells"),
    errors=3,
)


def _table(
    sheet: str, *, book: str = "a.xlsx", rows: int = 3, hidden: bool = False, width: int = 2
) -> TableCard:
    return TableCard(
        book=book,
        sheet=sheet,
        key=sheet,
        rows=rows,
        columns=(COLUMN, AMOUNT)[:width],
        hidden=hidden,
        notes=(),
        parquet="0.parquet",
        set_aside=(SetAside(kind="total", row=9, text="合计 25,146.25"),),
    )


@pytest.mark.parametrize(
    ("request_text", "active"),
    [
        ("按门店汇总金额", "明细"),
        ("用商品表算每类数量", "商品"),
        ("统计“汇总”里的金额", "汇总"),
        ("在 汇总 sheet 里求和", "汇总"),
        ("生成汇总表", "明细"),
        ("对商品目录去重", "商品目录"),
        ("从商品和商品目录里找", "商品目录"),
        ("use Sheet2 please", "Sheet2"),
        ("use Sheet25 please", "明细"),
        ("用ＳＨＥＥＴ２", "Sheet2"),
        ("金额表的合计", "金额"),
        ("各门店的金额合计", "明细"),
        ("", "明细"),
    ],
)
def test_active_table_is_the_one_the_request_names(request_text: str, active: str) -> None:
    names = ("明细", "商品", "汇总", "商品目录", "Sheet2", "金额")
    card = make_card([_table(name) for name in names], request=request_text)
    assert card.active == active
    assert card.active_table.sheet == active
    assert f"df is sheet {active!r}" in card.notices[-1]


def test_column_name_in_the_request_names_no_sheet() -> None:
    tables = [_table("明细"), _table("金额")]
    sales = replace(AMOUNT, name="金额合计", original="金额合计")
    tables = [replace(table, columns=(*table.columns, sales)) for table in tables]
    assert make_card(tables, request="按门店看金额合计").active == "明细"


def test_first_visible_table_with_rows_and_columns_is_the_default() -> None:
    tables = [
        _table("隐", hidden=True),
        _table("说明", width=1),
        _table("空", rows=0),
        _table("数据"),
        _table("再"),
    ]
    assert make_card(tables).active == "数据"
    assert make_card(tables[:3]).active == "说明"
    assert make_card(tables[:1]).active == "隐"


def test_file_named_in_the_request_comes_first() -> None:
    tables = [
        _table("Sheet1", book="north.xlsx"),
        _table("Sheet1", book="south.xlsx"),
        _table("b", book="south.xlsx"),
    ]
    assert make_card(tables, request="合计 south.xlsx").active == "south/Sheet1"
    assert make_card(tables, request="north 和 south 中的 b").active == "Sheet1"
    assert (
        make_card(tables[:1], request="north").notices[-1].endswith("(the first visible sheet with a table)")
    )


def test_keys_are_unique_over_all_books() -> None:
    tables = [_table("S", book="x/a.xlsx"), _table("S", book="a.xlsx"), _table("S", book="y/a.xlsx")]
    assert [table.key for table in make_card(tables).tables] == ["S", "a/S", "a/S.2"]


def test_no_table_is_an_error() -> None:
    with pytest.raises(FileReadError, match="no sheet holds a table"):
        make_card([])


def test_text_names_columns_exactly_marks_warnings_and_ends_with_the_advice() -> None:
    year = replace(COLUMN, name=2024, original="2024", position=1)
    repeated = replace(COLUMN, name="金额 .1", original="金额 ", position=2)
    table = replace(_table("S"), columns=(AMOUNT, year, repeated), notes=("the header is in row 3",))
    text = make_card([table], notices=["a.xlsx: told"]).to_text()
    lines = text.splitlines()
    assert lines[0] == "## sheets['S'], also df (sheet 'S' of 'a.xlsx'): 3 rows x 3 columns"
    assert "⚠️ numbers stored as text (千分位); error cells, read as missing: 3" in lines[1]
    assert lines[2].startswith("- 2024: text; e.g. '朝阳店', 'SH-01'; 25% missing; 2 distinct")
    assert "⚠️" not in lines[2]
    assert lines[3].startswith("- '金额 .1': ")
    assert "header '金额 ' in column 3" in lines[3]
    assert "Note: the header is in row 3" in lines
    assert "Rows that are no data and not in the frame: total 1." in lines
    assert "Notice: a.xlsx: told" in lines
    assert lines[-1] == HEED
    assert "⚠️" in HEED


def test_private_card_shows_patterns_and_no_value() -> None:
    ranged = replace(
        AMOUNT, type="number", samples=("12.5",), minimum="12.5", maximum="9876.5", values=("12.5",)
    )
    card = make_card([replace(_table("S"), columns=(COLUMN, ranged))])
    for shown in (card.to_text(private=True), json.dumps(card.to_json(private=True), ensure_ascii=False)):
        assert "门店" in shown and "文文文" in shown and "AA-99" in shown and "##.#" in shown
        for secret in ("朝阳店", "SH-01", "12.5", "9876.5", "25,146.25", "合计"):
            assert secret not in shown
    assert card.private() == card.private().private()


def test_json_is_plain_and_keeps_name_types() -> None:
    day = replace(COLUMN, name=datetime.combine(date(2024, 1, 1), time()), original="2024-01-01")
    table = replace(_table("S"), columns=(day, replace(COLUMN, name=2024)))
    read = json.loads(json.dumps(make_card([table]).to_json()))
    assert [column["name"] for column in read["tables"][0]["columns"]] == ["2024-01-01T00:00:00", 2024]
    assert read["active"] == "S"
    assert read["tables"][0]["set_aside"][0]["kind"] == "total"
