"""Results written to workbooks and read again by two independent readers."""

from __future__ import annotations

import datetime as dt
import hashlib
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.worksheet.worksheet import Worksheet
from python_calamine import CalamineWorkbook

from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.atlassplit.parts.publishing import workbook_writer
from mindatlas.nodes.atlassplit.parts.publishing.publication import Published, publish, publish_files
from mindatlas.nodes.atlassplit.parts.publishing.templates import ColumnLook, Template
from mindatlas.nodes.atlassplit.parts.workbook_model import HeaderStyle
from mindatlas.nodes.errors import UsageError

UTC = dt.UTC


def at(*parts: int) -> dt.datetime:
    return dt.datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001 (cells have no time zone)


def sheet_of(path: Path, name: str | None = None) -> Worksheet:
    book = openpyxl.load_workbook(path)
    sheet = book[name] if name else book.worksheets[0]
    assert isinstance(sheet, Worksheet)
    return sheet


def rows_of(path: Path, name: str | None = None) -> list[list[Any]]:
    return [list(row) for row in sheet_of(path, name).iter_rows(values_only=True)]


def calamine_rows(path: Path) -> list[list[Any]]:
    return CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python(skip_empty_area=False)


def published(folder: Path, result: Result, **options: Any) -> Published:
    return publish(result, out=folder / "out.xlsx", **options)


def column(folder: Path, values: Any, dtype: Any = object) -> tuple[list[Any], tuple[str, ...]]:
    done = published(folder, pd.DataFrame({"x": pd.Series(values, dtype=dtype)}))
    rows = rows_of(done.path)[1:]
    return [row[0] for row in rows], done.notices


@pytest.mark.parametrize(
    ("value", "written", "notice"),
    [
        ("007", "007", ""),
        ("=1+1", "=1+1", ""),
        ("@SUM(A1)", "@SUM(A1)", ""),
        ("{=1}", "{=1}", ""),
        ("https://example.org", "https://example.org", ""),
        ("mailto:a@b.c", "mailto:a@b.c", ""),
        ("a\r\nb\rc\td", "a\nb\nc\td", ""),
        ("a\x0bb\x00c\ufffe", "abc", "control characters"),
        ("half \ud800", "half \ufffd", "control characters"),
        ("x" * 40_000, "x" * 32_767, "cut"),
        ("😀" * 20_000, "😀" * 16_383, "cut"),
        ("_x0041_", "_x0041_", ""),
        (" both ends ", " both ends ", ""),
        ("NA", "NA", ""),
        (440101199001011234, "440101199001011234", "15 digits"),
        (-(10**40), str(-(10**40)), "15 digits"),
        (10**15 - 1, 10**15 - 1, ""),
        (True, True, ""),
        (1.5, 1.5, ""),
        (float("inf"), None, "infinite"),
        (float("nan"), None, ""),
        (None, None, ""),
        (pd.NA, None, ""),
        (pd.NaT, None, ""),
        (Decimal("12.30"), 12.3, ""),
        (Decimal("5"), 5, ""),
        (Decimal("0.1234567890123456789"), "0.1234567890123456789", "decimals of more"),
        (Decimal("-Infinity"), None, "infinite"),
        (at(2024, 2, 29, 13, 30), at(2024, 2, 29, 13, 30), ""),
        (at(2024, 2, 29, 13, 30).replace(tzinfo=UTC), at(2024, 2, 29, 13, 30), "time zones"),
        (pd.Timestamp("2024-02-29", tz="Asia/Shanghai"), at(2024, 2, 29), "time zones"),
        (dt.date(1900, 1, 1), at(1900, 1, 1), ""),
        (dt.date(1900, 3, 1), at(1900, 3, 1), ""),
        (dt.date(9999, 12, 31), at(9999, 12, 31), ""),
        (dt.date(1899, 12, 31), "1899-12-31", "dates before 1900"),
        (dt.time(8, 30), dt.time(8, 30), ""),
        (dt.timedelta(hours=30, minutes=5), dt.timedelta(hours=30, minutes=5), ""),
        (dt.timedelta(minutes=-90), "-1:30:00", "negative durations"),
        (np.datetime64("12024-01-01"), "12024-01-01", "after 9999"),
        (pd.Period("2024-03", "M"), "2024-03", ""),
        (pd.Interval(0, 5), "(0, 5]", ""),
        ([1, "二"], '[1, "二"]', "JSON"),
        ({"a": {"b": 1}}, '{"a": {"b": 1}}', "JSON"),
        (b"caf\xc3\xa9", "café", ""),
        (1 + 2j, "(1+2j)", ""),
        (np.float32(0.1), 0.1, ""),
    ],
)
def test_single_values(tmp_path: Path, value: object, written: object, notice: str) -> None:
    (found, _), notices = column(tmp_path, [value, "x"])
    assert found == written
    assert type(found) is type(written)
    assert (notice in " ".join(notices)) if notice else not notices


def test_no_text_is_a_formula_or_a_link(tmp_path: Path) -> None:
    frame = pd.DataFrame({"=A1": ["=1+1", "http://x.org", "internal:Sheet!A1"]})
    sheet = sheet_of(published(tmp_path, frame).path)
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} == {"s"}
    assert all(cell.hyperlink is None for row in sheet.iter_rows() for cell in row)


def test_a_column_of_identifiers_stays_text_as_a_whole(tmp_path: Path) -> None:
    found, notices = column(tmp_path, [1, 440101199001011234], "int64")
    assert found == ["1", "440101199001011234"]
    assert "(2 cells)" in notices[0]


def test_dtypes_of_pandas(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "Int": pd.array([1, None], dtype="Int64"),
            "bool": pd.array([True, None], dtype="boolean"),
            "cat": pd.Categorical(["a", None]),
            "f32": np.array([0.1, np.nan], dtype="float32"),
            "str": pd.array(["x", None], dtype="string"),
            "span": pd.to_timedelta(["1h", None]),  # pyright: ignore[reportCallIssue, reportArgumentType]
            "period": pd.PeriodIndex(["2024-01", None], freq="M"),
            "row": [1, 2],
        }
    )
    assert rows_of(published(tmp_path, frame).path)[1:] == [
        [1, True, "a", 0.1, "x", dt.timedelta(hours=1), "2024-01", 1],
        [*[None] * 7, 2],
    ]


def test_index_levels_and_column_levels_are_flattened(tmp_path: Path) -> None:
    columns = pd.MultiIndex.from_tuples([("Q1", "收入"), ("Q1", ""), ("", "n")])
    frame = pd.DataFrame([[1, 2, 3]], columns=columns, index=pd.Index(["朝阳店"], name="门店"))
    assert rows_of(published(tmp_path, frame).path) == [["门店", "Q1/收入", "Q1", "n"], ["朝阳店", 1, 2, 3]]


def test_repeated_headers_stay_and_are_said(tmp_path: Path) -> None:
    done = published(tmp_path, pd.DataFrame([[1, 2]], columns=["额", "额"]))
    assert rows_of(done.path) == [["额", "额"], [1, 2]]
    assert "'额' stands over several columns" in done.notices[0]


@pytest.mark.parametrize(
    ("frame", "rows"),
    [
        (pd.DataFrame({"a": [], "b": []}), [["a", "b"]]),
        (pd.DataFrame(), []),
        (pd.DataFrame(index=range(3)), []),
    ],
)
def test_empty_frames_give_their_header(tmp_path: Path, frame: pd.DataFrame, rows: list[Any]) -> None:
    assert rows_of(published(tmp_path, frame).path) == rows


def test_a_single_value_has_a_label(tmp_path: Path) -> None:
    assert rows_of(published(tmp_path, 12.5, name="销售额合计").path) == [["销售额合计"], [12.5]]
    assert rows_of(published(tmp_path, "=x").path) == [["Result"], ["=x"]]


@pytest.mark.parametrize("result", [None, {}])
def test_nothing_is_not_published(tmp_path: Path, result: Result) -> None:
    with pytest.raises(UsageError, match="result"):
        published(tmp_path, result)
    assert not list(tmp_path.iterdir())


def test_tables_become_sheets_and_changed_names_are_listed(tmp_path: Path) -> None:
    one = pd.DataFrame({"a": [1]})
    done = published(tmp_path, {"华东/华南": one, "Data": one, "DATA": one})
    assert done.sheet_name_map == {"华东/华南": "华东_华南", "Data": "Data", "DATA": "DATA (2)"}
    assert openpyxl.load_workbook(done.path).sheetnames == ["华东_华南", "Data", "DATA (2)"]
    assert "'华东/华南' is on the sheet '华东_华南'" in done.notices


def test_more_rows_than_a_sheet_holds_go_on_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_writer, "MOST_ROWS", 4)
    done = published(tmp_path, pd.DataFrame({"n": range(7)}), name="明细")
    assert list(done.sheet_name_map.values()) == ["明细", "明细 (2)", "明细 (3)"]
    parts = [rows_of(done.path, name) for name in done.sheet_name_map.values()]
    assert parts == [[["n"], [0], [1], [2]], [["n"], [3], [4], [5]], [["n"], [6]]]
    assert any("go on in sheets" in notice for notice in done.notices)


def test_too_many_columns_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="16384"):
        published(tmp_path, pd.DataFrame(np.zeros((1, 16_385))))
    assert not list(tmp_path.iterdir())


def test_streamed_rows_give_the_same_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame(
        {"t": ["=1", " x", None], "n": [1.5, None, 3], "d": pd.to_datetime(["2024-01-01"] * 3)}
    )
    plain = rows_of(published(tmp_path, frame).path)
    monkeypatch.setattr(workbook_writer, "_STREAMED_CELLS", 0)
    assert rows_of(published(tmp_path, frame).path) == plain


def test_the_looks_of_the_source_are_taken_over(tmp_path: Path) -> None:
    template = Template(
        columns={
            "销售额": ColumnLook(width=30, number_format="#,##0.00", type="number"),
            "日期": ColumnLook(number_format="yyyy年m月d日", type="date"),
            "编号": ColumnLook(number_format="@"),
        },
        header=HeaderStyle(bold=True, fill="4472C4", color="FFFFFF", size=14, horizontal="center"),
    )
    frame = pd.DataFrame(
        {
            "销售额": [1.5],
            "日期": [at(2024, 1, 2)],
            "编号": ["A"],
            "毛利率": [0.25],
            "名称": ["上海浦东"],
        }
    )
    sheet = sheet_of(published(tmp_path, frame, template=template).path)
    assert [cell.number_format for cell in sheet[2]] == ["#,##0.00", "yyyy年m月d日", "@", "0.00%", "General"]
    header = sheet["A1"]
    assert (header.font.b, header.font.sz, header.font.color.rgb) == (True, 14, "FFFFFFFF")
    assert (header.fill.fgColor.rgb, header.alignment.horizontal) == ("FF4472C4", "center")
    assert sheet.column_dimensions["A"].width == pytest.approx(30.7, abs=0.05)
    assert sheet.column_dimensions["E"].width == pytest.approx(
        10.7, abs=0.05
    )  # four wide characters and room
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:E2"


@pytest.mark.parametrize(
    ("header", "values", "expected"),
    [
        ("环比增长率", [0.1, -0.5, 3.0], "0.00%"),
        ("占比", [0.1], "0.00%"),
        ("YoY growth", [0.1], "0.00%"),
        ("增长率(%)", [0.1], "General"),
        ("汇率", [7.1, 7.2], "General"),
        ("duration", [0.1], "General"),
        ("数量", [0.1], "General"),
    ],
)
def test_shares_and_rates_are_percentages(
    tmp_path: Path, header: str, values: list[float], expected: str
) -> None:
    sheet = sheet_of(published(tmp_path, pd.DataFrame({header: values})).path)
    assert sheet["A2"].number_format == expected


def test_a_source_format_that_does_not_fit_is_left(tmp_path: Path) -> None:
    template = Template(
        columns={"x": ColumnLook(number_format="yyyy-mm-dd"), "y": ColumnLook(number_format="0.0")}
    )
    frame = pd.DataFrame({"x": [5], "y": [at(2024, 1, 1, 8)]})
    sheet = sheet_of(published(tmp_path, frame, template=template).path)
    assert [cell.number_format for cell in sheet[2]] == ["General", "yyyy-mm-dd hh:mm:ss"]


def test_the_same_result_gives_the_same_bytes(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    digests = [
        hashlib.sha256(publish(frame, out=tmp_path / name).path.read_bytes()).hexdigest()
        for name in ("1.xlsx", "2.xlsx")
    ]
    assert digests[0] == digests[1]


def test_files_are_named_after_the_tables(tmp_path: Path) -> None:
    one = pd.DataFrame({"a": [1]})
    done = publish_files({"华东/华南": one, "b": one}, folder=tmp_path / "parts")
    assert [path.name for path in done.paths] == ["华东_华南.xlsx", "b.xlsx"]
    assert done.sheet_name_map == {"华东/华南": "华东_华南.xlsx", "b": "b.xlsx"}
    assert rows_of(done.paths[1]) == [["a"], [1]]
    listed = publish_files({"x": one}, folder=tmp_path, suffix=".csv")
    assert listed.path.read_bytes() == b"\xef\xbb\xbfa\r\n1\r\n"


TEXTS = st.text(
    alphabet=st.one_of(
        st.sampled_from("=+-@\t\n\r\x00\x0b\x1f\x7f\x85\u2028\ufffe\ud800_x0041_'\" 0,%"),
        st.characters(codec=None),
    ),
    max_size=30,
)
VALUES = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.decimals(),
    st.datetimes(timezones=st.none() | st.just(UTC)),
    st.dates(),
    st.times(),
    st.timedeltas(),
    st.lists(st.integers(), max_size=2),
    st.binary(max_size=4),
)


def expected_text(text: str) -> str | None:
    kept = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = "".join(char for char in kept if char >= " " or char in "\t\n")
    kept = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in kept)
    return kept.replace("\ufffe", "").replace("\uffff", "") or None


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_text_comes_back_equal_but_for_what_is_documented(tmp_path: Path, texts: list[str]) -> None:
    done = published(tmp_path, pd.DataFrame({"x": pd.Series(texts, dtype=object), "end": 1}))
    expected = [expected_text(text) for text in texts]
    assert [row[0] for row in rows_of(done.path)[1:]] == expected
    assert [row[0] or None for row in calamine_rows(done.path)[1:]] == expected


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(TEXTS, min_size=1, max_size=4),
    st.lists(st.lists(VALUES, min_size=4, max_size=4), max_size=5),
    st.lists(TEXTS, min_size=1, max_size=3, unique=True),
)
def test_nothing_crashes_the_writers(
    tmp_path: Path, headers: list[str], rows: list[list[object]], names: list[str]
) -> None:
    frame = pd.DataFrame([row[: len(headers)] for row in rows], columns=range(len(headers)), dtype=object)
    frame.columns = pd.Index(headers, dtype=object)
    done = published(
        tmp_path, dict.fromkeys(names, frame), chart={"type": "bar", "x": headers[0], "y": headers[-1]}
    )
    book = openpyxl.load_workbook(done.path)
    assert book.sheetnames == list(done.sheet_name_map.values())
    CalamineWorkbook.from_path(done.path)
    assert publish(frame, out=tmp_path / "out.csv").path.read_text(encoding="utf-8-sig")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.datetimes(min_value=at(1900, 3, 1)).map(lambda d: d.replace(microsecond=0)), min_size=1))
def test_dates_come_back_to_the_second(tmp_path: Path, moments: list[dt.datetime]) -> None:
    found, _ = column(tmp_path, [*moments, at(2024, 1, 1, 0, 0, 1)])
    assert found[:-1] == moments
