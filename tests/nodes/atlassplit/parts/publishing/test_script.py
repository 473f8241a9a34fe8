"""Scripts that make a result again: run by another Python process, without this package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.publishing.portable_reader import _read_table
from mindatlas.nodes.atlassplit.parts.publishing.reading_recipe import recipes_of
from mindatlas.nodes.atlassplit.parts.publishing.script import write_script
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from mindatlas.nodes.errors import UsageError

EXAMPLES = Path(__file__).parents[5] / "examples"
BOOKS = sorted(path for path in EXAMPLES.iterdir() if path.suffix in (".xlsx", ".csv"))
SUMMARY = """
df["额"] = df["销售额"].str.replace(",", "").astype(float)
result = df.groupby("门店", as_index=False)["额"].sum()
"""


def read(folder: Path, *paths: Path) -> Books:
    return read_workbooks(paths, cache=folder / "cache")


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, "-W", "error::SyntaxWarning", str(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=kept, check=False)


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_recipes_read_the_examples_to_the_same_frames(tmp_path: Path, path: Path) -> None:
    books = read(tmp_path, path)
    recipes = recipes_of(books)
    assert recipes is not None
    for table in books.card.tables:
        pd.testing.assert_frame_equal(_read_table(path, recipes[table.key]), read_frame(Path(table.parquet)))


ODD_TABLES = {
    "types": pd.DataFrame(
        {
            "text": ["007", "NA", None],
            "day": pd.to_datetime(["2024-01-05", "NaT", "2024-02-01"]),
            "mixed": [1, "x", None],
            "flags": [True, None, False],
            "parts": [1, 2.5, "y"],
            "span": pd.to_timedelta(["1h", "30min", None]),  # pyright: ignore[reportCallIssue, reportArgumentType]
            "whole": [1, None, 3],
        }
    ),
    "long": pd.DataFrame({"id": ["440101199001011234", "1"], "n": [1, 2]}),
}


@pytest.mark.parametrize("name", ODD_TABLES)
@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
def test_recipes_keep_types(tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / f"in{suffix}"
    if suffix == ".xlsx":
        ODD_TABLES[name].to_excel(path, index=False)
    else:
        path.write_bytes(b"sep=;\r\n" + ODD_TABLES[name].to_csv(index=False, sep=";").encode("utf-8-sig")[3:])
    books = read(tmp_path, path)
    recipes = recipes_of(books)
    assert recipes is not None
    (table,) = books.card.tables
    pd.testing.assert_frame_equal(_read_table(path, recipes[table.key]), read_frame(Path(table.parquet)))


@pytest.mark.slow
def test_a_script_runs_by_itself_and_gives_the_same_values(tmp_path: Path) -> None:
    source = EXAMPLES / "sales_by_store.xlsx"
    path = tmp_path / "sub" / "out.py"
    told = write_script(
        path, code=SUMMARY, books=read(tmp_path, source), request='按门店\n"""汇总', versions="pandas 3"
    )
    assert told == []
    assert "mindatlas" not in path.read_text(encoding="utf-8")
    done = run(path)
    assert done.returncode == 0, done.stderr
    found = pd.read_excel(tmp_path / "sub" / "out.rerun.xlsx", engine="openpyxl")
    frame = pd.read_excel(source, engine="openpyxl")
    expected = frame["销售额"].str.replace(",", "").astype(float).groupby(frame["门店"]).sum()
    assert dict(zip(found["门店"], found["额"].round(2), strict=True)) == expected.round(2).to_dict()


@pytest.mark.slow
def test_a_script_over_several_books_knows_all_names_and_hides_nothing(tmp_path: Path) -> None:
    code = (
        "tables = books['several_sheets.xlsx']\n"
        "result = {'a/b': tables['订单'].assign(f='=1+1', id=10**16), 'A_B': df, 'History': sheets['商品'].set_index('类别'),"
        " 's': df['门店'].value_counts(), 'n': pd.DataFrame({('x', 'y'): [float('inf')]})}\n"
    )
    books = read(tmp_path, EXAMPLES / "sales_by_store.xlsx", EXAMPLES / "several_sheets.xlsx")
    path = tmp_path / "out.py"
    write_script(path, code=code, books=books, request="合并")
    done = run(path, str(tmp_path / "x.xlsx"))
    assert done.returncode == 0, done.stderr
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    assert book.sheetnames == ["a_b", "A_B (2)", "History_", "s", "n"]
    headers = {name: [cell.value for cell in next(iter(book[name].rows))] for name in book.sheetnames}
    assert [cell.value for cell in list(book["a_b"].rows)[1]][-2:] == ["=1+1", "1" + "0" * 16]
    assert headers["History_"][0] == "类别"
    assert headers["n"] == ["x/y"]
    assert headers["s"] == ["门店", "count"]


def test_what_pandas_alone_reads_otherwise_is_read_with_mindatlas(tmp_path: Path) -> None:
    page = tmp_path / "in.xls"
    page.write_text("<table><tr><th>a</th></tr><tr><td>1</td></tr></table>", encoding="utf-8")
    path = tmp_path / "out.py"
    (told,) = write_script(
        path, code="result = df", books=read(tmp_path, page), request="all", include_hidden=True
    )
    assert "needs mindatlas" in told
    text = path.read_text(encoding="utf-8")
    compile(text, "out.py", "exec")
    assert 'dependencies = ["mindatlas"]' in text
    assert "include_hidden=True" in text


def test_the_script_is_never_an_input(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_text("a\n1\n2\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is the input"):
        write_script(source, code="result = 1", books=read(tmp_path, source), request="")
