"""What a run sees, what comes back, and how it says what went wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from mindatlas.nodes.atlassplit.parts.frames import write_frame
from mindatlas.nodes.atlassplit.parts.sandbox import ExecutionError, Inputs, Sandbox
from mindatlas.nodes.errors import FileReadError, UsageError

SALES = pd.DataFrame({"门店": ["a", "b", "a"], "销量": [1, 2, 3], "备注": ["x", 1, None]})


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    folder = tmp_path_factory.mktemp("tables")
    write_frame(SALES, folder / "sales.parquet")
    write_frame(pd.DataFrame({"门店": ["a"], "城市": ["三亚"]}), folder / "stores.parquet")
    frames = {"销售": folder / "sales.parquet", "门店": folder / "stores.parquet"}
    return Inputs(
        frames=frames, active="销售", books={"一.xlsx": frames, "二.csv": {"二": folder / "stores.parquet"}}
    )


def _error(sandbox: Sandbox, code: str, inputs: Inputs) -> ExecutionError:
    done = sandbox.run(code, inputs)
    assert done.error is not None
    assert done.result is None
    return done.error


def test_code_sees_the_active_sheet_all_sheets_and_all_books(sandbox: Sandbox, inputs: Inputs) -> None:
    done = sandbox.run(
        "assert df is sheets['销售'] is books['一.xlsx']['销售']\n"
        "assert sheets['门店'] is books['二.csv']['二']\n"
        "assert list(df['备注']) == ['x', 1, None] and np.sum(df['销量']) == 6\n"
        "result = df.merge(sheets['门店'], on='门店')[['门店', '城市', '销量']]",
        inputs,
    )
    assert done.error is None
    assert isinstance(done.result, pd.DataFrame)
    assert done.result.to_dict("list") == {"门店": ["a", "a"], "城市": ["三亚", "三亚"], "销量": [1, 3]}
    assert done.tier == "landlock"
    assert done.input_intact


def test_books_are_missing_when_there_is_one_workbook(sandbox: Sandbox, inputs: Inputs) -> None:
    alone = Inputs(frames=inputs.frames, active="门店")
    assert (
        sandbox.run("result = list(df) == ['门店', '城市'] and 'books' not in globals()", alone).result
        is True
    )


def test_mixed_columns_come_back_as_they_went_in(sandbox: Sandbox, inputs: Inputs) -> None:
    done = sandbox.run("result = df", inputs)
    assert isinstance(done.result, pd.DataFrame)
    assert_frame_equal(done.result, SALES)


def test_dict_of_frames_keeps_order_and_turns_keys_into_text(sandbox: Sandbox, inputs: Inputs) -> None:
    done = sandbox.run(
        "result = {2024: df, '乙': df['销量'], pd.Timestamp('2024-03-01'): df.head(0)}", inputs
    )
    assert isinstance(done.result, dict)
    assert [(name, list(frame), len(frame)) for name, frame in done.result.items()] == [
        ("2024", ["门店", "销量", "备注"], 3),
        ("乙", ["销量"], 3),
        ("2024-03-01", ["门店", "销量", "备注"], 0),
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("None", None),
        ("True", True),
        ("np.bool_(False)", False),
        ("12345678901234567890123", 12345678901234567890123),
        ("df['销量'].sum()", 6),
        ("df['销量'].mean()", 2.0),
        ("float('inf')", float("inf")),
        ("float('nan')", None),
        ("pd.NaT", None),
        ("pd.NA", None),
        ("'三亚'", "三亚"),
        ("pd.Timestamp('2024-02-01 08:30')", "2024-02-01T08:30:00"),
        ("np.datetime64('2024-02-01')", "2024-02-01T00:00:00"),
        ("pd.Timestamp('2024-02-01').date()", "2024-02-01"),
        ("pd.Period('2024-02', 'M')", "2024-02"),
        ("pd.Timedelta('1 days 2 hours')", "P1DT2H0M0S"),
        ("__import__('decimal').Decimal('1.10')", 1.1),
        ("__import__('decimal').Decimal('12345678901234567.89')", "12345678901234567.89"),
    ],
)
def test_scalars_become_json_values(sandbox: Sandbox, inputs: Inputs, code: str, expected: object) -> None:
    done = sandbox.run(f"result = {code}", inputs)
    assert done.error is None
    assert done.result == expected
    assert type(done.result) is type(expected)


def test_no_result_is_no_error(sandbox: Sandbox, inputs: Inputs) -> None:
    done = sandbox.run("x = 1", inputs)
    assert (done.error, done.result, done.chart) == (None, None, None)


def test_chart_comes_back_as_plain_data(sandbox: Sandbox, inputs: Inputs) -> None:
    done = sandbox.run("chart = {'kind': 'bar', 'y': ('销量',), 'max': df['销量'].max()}", inputs)
    assert done.chart == {"kind": "bar", "y": ["销量"], "max": 3}


def test_error_names_type_message_line_and_only_user_frames(sandbox: Sandbox, inputs: Inputs) -> None:
    error = _error(sandbox, "def f(frame):\n    return frame['销售数量']\n\nresult = f(df)\n", inputs)
    assert (error.kind, error.message, error.line) == ("KeyError", "'销售数量'", 2)
    assert "return frame['销售数量']" in error.traceback
    assert error.traceback.count("File ") == error.traceback.count('File "<code>"') == 2


def test_syntax_error_has_its_line(sandbox: Sandbox, inputs: Inputs) -> None:
    error = _error(sandbox, "x = 1\nresult = (df\n", inputs)
    assert (error.kind, error.line) == ("SyntaxError", 2)
    assert "never closed" in error.message


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("result = [1]", "result is a list"),
        ("result = df.groupby('门店')", "result is a DataFrameGroupBy"),
        ("result = {'合计': 6}", "result['合计'] is a int"),
        ("result = pd.DataFrame({'明细': [[1, 2]]})", "column '明细': a cell cannot hold a list"),
        ("result = {1: df, '1': df}", "two tables named '1'"),
        ("chart = 'bar'", "chart is a str"),
    ],
)
def test_bad_result_names_what_it_is(sandbox: Sandbox, inputs: Inputs, code: str, said: str) -> None:
    error = _error(sandbox, code, inputs)
    assert error.kind == "bad_result"
    assert said in error.message


def test_output_is_kept_in_order_up_to_its_limit(sandbox: Sandbox, inputs: Inputs) -> None:
    done = sandbox.run("import sys\nprint('一')\nprint('二', file=sys.stderr)\nprint('三')", inputs)
    assert (done.stdout, done.truncated) == ("一\n二\n三\n", False)

    flooded = sandbox.run("print('x' * 10**6)\nresult = 1", inputs)
    assert (len(flooded.stdout), flooded.truncated, flooded.result) == (64 * 1024, True, 1)


@pytest.mark.parametrize(
    ("code", "intact"),
    [
        ("df = df[df['销量'] > 1].copy()\ndf['x'] = 1", True),
        ("df.assign(x=1).sort_values('销量')", True),
        ("df['x'] = 1", False),
        ("df.loc[0, '备注'] = 'y'", False),
        ("df.loc[0, '销量'] = 9", False),
        ("df.drop(columns='备注', inplace=True)", False),
        ("df.sort_values('销量', ascending=False, inplace=True)", False),
        ("df.columns = ['a', 'b', 'c']", False),
        ("df['销量'] = df['销量'].astype(float)", False),
        ("df.set_index('门店', inplace=True)", False),
        ("sheets['门店'].loc[0, '城市'] = '海口'", False),
        ("df['x'] = 1\n1 / 0", False),
        ("df['x'] = [1]", True),
    ],
)
def test_changed_input_is_noticed(sandbox: Sandbox, inputs: Inputs, code: str, intact: bool) -> None:
    assert sandbox.run(code, inputs).input_intact is intact
    assert sandbox.run("result = df.shape == (3, 3)", inputs).result is True


def test_runs_leave_nothing_to_each_other(sandbox: Sandbox, inputs: Inputs) -> None:
    sandbox.run(
        "import builtins\nbuiltins.leak = 1\nopen('file', 'w').close()\nleft = 1\npd.leak = 1", inputs
    )
    done = sandbox.run(
        "import os\nresult = str((os.listdir(), 'left' in globals(), hasattr(pd, 'leak')))", inputs
    )
    assert done.result == "([], False, False)"


def test_usual_libraries_work(sandbox: Sandbox, inputs: Inputs) -> None:
    done = sandbox.run(
        "import datetime, decimal, json, math, re, statistics, tempfile, threading, zoneinfo\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "df.to_excel('out.xlsx', index=False)\n"
        "again = pd.read_excel('out.xlsx')\n"
        "df.to_csv('out.csv', index=False, encoding='gb18030')\n"
        "assert list(pd.read_csv('out.csv', encoding='gb18030')) == list(df)\n"
        "assert sum(ThreadPoolExecutor(2).map(int, '123')) == 6\n"
        "with tempfile.TemporaryFile() as file: file.write(b'x')\n"
        "pd.Timestamp('2024-01-01', tz=zoneinfo.ZoneInfo('Asia/Shanghai'))\n"
        "result = again[['门店', '销量']]",
        inputs,
    )
    assert done.error is None
    assert isinstance(done.result, pd.DataFrame)
    assert_frame_equal(done.result, SALES[["门店", "销量"]])


def test_runs_of_many_threads_queue(sandbox: Sandbox, inputs: Inputs) -> None:
    results: dict[int, Any] = {}

    def run(number: int) -> None:
        results[number] = sandbox.run(f"result = {number}", inputs).result

    threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: number for number in range(6)}


def test_unreadable_tables_are_named(sandbox: Sandbox, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1 no")
    for path, said in ((tmp_path / "missing.parquet", "No such file"), (damaged, "no Parquet table")):
        with pytest.raises(FileReadError, match=said) as caught:
            sandbox.run("result = 1", Inputs(frames={"s": path}, active="s"))
        assert str(path) in str(caught.value)


def test_active_sheet_must_exist(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'二' is none of"):
        Inputs(frames={"一": tmp_path / "x"}, active="二")
