"""Masking: no cell value in errors, tracebacks and code of a private run."""

from __future__ import annotations

import ast

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.execution import ExecutionError
from mindatlas.nodes.atlassplit.parts.publishing.masking import Masker

FRAME = pd.DataFrame(
    {
        "门店": ["朝阳店", "海淀店", "浦东店"],
        "客户": ["Alice Smith", "SO000123", "Bob"],
        "金额": ["￥1,234.5", "88", "x9"],
    }
)
MASKER = Masker({"销售": FRAME}, request="汇总朝阳店的金额，大于500", names=["总额"])
CODE = 'result = df.groupby("门店")["金额"].sum().head(12)\n'


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("could not convert string to float: '￥1,234.5'", "could not convert string to float: '￥9,999.9'"),
        ("KeyError: '海淀店'", "KeyError: '文文文'"),
        ("unable to parse: 2024年1月5日, at position 3", "unable to parse: ####文#文#文, at position #"),
        ("unsupported operand type(s) for +: 'int' and 'str'", None),
        ("could not convert Alice to numeric", "could not convert Aaaaa to numeric"),
        ("order SO000123 and SO9, José", "order AA999999 and AA9, Jos文"),
        ("no column '金额' in 销售, 总额 or 门店; 500 of 朝阳店", None),
        ("line 12, can't compare datetime64[ns] and int64", None),
        ("\"['浦东店', '金额'] not in index\"", "\"['文文文', '金额'] not in index\""),
        ("bad rows:\n  门店 客户\n0 海淀店 Bob", "bad rows:\n  门店 客户\n# 文文文 Aaa"),
        ("'not a value of any cell'", "'not a aaaaa aa aaa aaaa'"),
        ("", ""),
    ],
)
def test_text(text: str, masked: str | None) -> None:
    assert MASKER.text(text, code=CODE) == (text if masked is None else masked)


def test_errors_keep_kind_line_and_the_shape_of_the_traceback() -> None:
    error = ExecutionError(
        kind="ValueError",
        message="could not convert string to float: '海淀店'",
        line=3,
        traceback='Traceback (most recent call last):\n  File "<code>", line 3, in <module>\n    x = float("海淀店")\n',
    )
    masked = MASKER.error(error, code='x = float("海淀店")')
    assert (masked.kind, masked.line) == ("ValueError", 3)
    assert masked.message == "could not convert string to float: '文文文'"
    assert masked.traceback == (
        'Traceback (most recent call last):\n  File "<code>", line 3, in <module>\n    x = float("文文文")\n'
    )


@pytest.mark.parametrize(
    ("message", "masked"),
    [("no rows for lice", "no rows for aaaa"), ("ecilA", "aaaaA"), ("Smi th", "Aaa aa")],
)
def test_pieces_of_cells_in_errors_of_the_programs_own_making_are_masked(message: str, masked: str) -> None:
    own = 'name = df["客户"][0]\nif len(df) > 1:\n    raise ValueError(f"no rows for {name[1:5]}")\n'
    assert MASKER.text(message, code=own) == masked
    assert MASKER.text(message, code="result = df.sum()") == message


def test_an_error_may_be_named_after_a_cell() -> None:
    error = ExecutionError(kind="SO000123", message="", line=1, traceback="")
    assert MASKER.error(error, code=CODE).kind == "AA999999"
    assert MASKER.kind("ValueError") == "ValueError"


@pytest.mark.parametrize(
    ("code", "masked"),
    [
        ('df[df["门店"] == "海淀店"]', "df[df[\"门店\"] == '文文文']"),
        ('df[df["门店"] == "朝阳店"]', None),
        ('df.groupby("门店")["金额"].sum()', None),
        ("x = ['Bob', 'sum']", "x = ['Aaa', 'sum']"),
        ("x = 'Bob,Eve'", "x = 'Aaa,Aaa'"),
        ("x = '''海淀店'''\ny = 1\n", "x = '文文文'\ny = 1\n"),
        ("x = '''a,\\\n海淀店'''; y = 'Bob'", "x = 'a,文文文'; y = 'Aaa'"),
        ("x = '合并海淀店数据'", "x = '文文文文文文文'"),
        ("x = 'xAlice Smith'", "x = 'aAaaaa Aaaaa'"),
        ("x = f'{y} 海淀店'", "x = f'{y} 文文文'"),
        ("x = f\"{d['海淀店']}\"", "x = f\"{d['文文文']}\""),
        ("x = 1  # only Alice", "x = 1  # only Aaaaa"),
        ("x = df.head(88)", None),
        ("x = b'Bob'", None),
        ("x = '总额'", None),
        (
            "x = '\u2028海淀店'\ny = 2",
            "x = '\u2028海淀店'\ny = 2".replace("'\u2028海淀店'", "'\\u2028文文文'"),
        ),
    ],
)
def test_code(code: str, masked: str | None) -> None:
    found = MASKER.code(code)
    assert found == (code if masked is None else masked)
    assert ast.dump(ast.parse(found)).count("Constant") == ast.dump(ast.parse(code)).count("Constant")


@pytest.mark.parametrize(
    "code", ["x = '海淀店\n y", "df[海淀店", "x = \x00'海淀店'", "(" * 5000 + "'海淀店'"]
)
def test_code_that_python_cannot_read_is_masked_as_text(code: str) -> None:
    assert "海淀店" not in MASKER.code(code)


@given(
    st.sampled_from(["浦东店", "Alice Smith", "SO000123", "￥1,234.5"]),
    st.text(max_size=20),
    st.text(max_size=20),
)
def test_no_cell_value_survives_in_any_surroundings(value: str, before: str, after: str) -> None:
    assert value not in MASKER.text(f"{before} {value} {after}", code=CODE)
    assert value not in MASKER.text(f"{before}'{value}'{after}", code=CODE)
    assert value not in MASKER.code(f"x = {before + value!r}\ny = {value!r}  # {value}")


@given(st.text(max_size=60))
def test_lines_stay_lines_and_masking_again_changes_nothing(text: str) -> None:
    once = MASKER.text(text)
    assert once.count("\n") == text.count("\n")
    assert MASKER.text(once) == once
