from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.atlassplit.parts.precheck import precheck

BENCH = os.environ.get("MINDATLAS_BENCH")
COLUMNS = ["门店", "日期", "数量", "销售额"]
FORMS = [
    "result = df['{c}']",
    "result = df[['门店', '{c}']]",
    "result = df.loc[:, '{c}']",
    "result = df.loc[df['数量'] > 1, ['{c}']]",
    "result = df.groupby('{c}')['数量'].sum()",
    "result = df.groupby(['门店', '{c}']).size()",
    "result = df.groupby('门店')['{c}'].sum()",
    "result = df.groupby('门店').agg({{'{c}': 'sum'}})",
    "result = df.groupby('门店').agg(x=('{c}', 'sum'))",
    "result = df.sort_values('{c}')",
    "result = df.sort_values(by=['门店', '{c}'])",
    "result = df.pivot_table(index='门店', columns='日期', values='{c}')",
    "result = df.set_index('{c}')",
    "result = df.drop(columns=['{c}'])",
    "result = df.melt(id_vars=['{c}'])",
    "result = df.merge(df, on='{c}')",
    "result = df.astype({{'{c}': 'float'}})",
    "result = df.assign(x=lambda t: t['{c}'] * 2)",
    "result = df.apply(lambda row: row['{c}'], axis=1)",
    "result = df.query('{c} > 1')",
    "result = df.dropna(subset=['{c}'])",
    "result = df.nlargest(3, '{c}')",
    "t = df.copy()\nresult = t['{c}']",
    "def f(t):\n    return t['{c}'].sum()\nresult = f(df)",
    "for c in ['门店', '{c}']:\n    df[c].nunique()\nresult = 1",
    "c = '{c}'\nresult = df[c]",
]
GUARDED = [
    "if '金额' in df.columns:\n    result = df['金额']\nelse:\n    result = 0",
    "try:\n    result = df['金额']\nexcept KeyError:\n    result = 0",
    "result = df.get('金额')",
    "result = df.drop(columns=['金额'], errors='ignore')",
    "df['金额'] = 1\nresult = df['金额']",
    "df = df.rename(columns={'销售额': '金额'})\nresult = df['金额']",
    "result = df.groupby('门店').size().reset_index(name='金额')['金额']",
    "df.columns = ['a', 'b', 'c', '金额']\nresult = df['金额']",
    "d = {'金额': 1}\nresult = d['金额']",
    "result = df['门店'].value_counts()['金额']",
    "cols = compute()\ndf[cols] = 1\nresult = df['金额']",
]


@pytest.mark.parametrize("form", FORMS)
def test_a_missing_column_is_found_in_every_form_and_a_real_one_never_is(form: str) -> None:
    wrong = precheck(form.format(c="金额"), {"df": COLUMNS})
    assert (wrong.ok, wrong.missing) == (False, ("金额",))
    assert wrong.suggestions["金额"][0].column == "销售额"
    assert "销售额" in wrong.feedback
    right = precheck(form.format(c="销售额"), {"df": COLUMNS})
    assert (right.ok, right.missing) == (True, ())


@pytest.mark.parametrize("code", GUARDED)
def test_what_may_be_right_is_not_missing(code: str) -> None:
    assert precheck(code, {"df": COLUMNS}).missing == ()


def test_several_frames_and_sheets_are_told_apart() -> None:
    frames = {"df": ["a"], "sheets['订单']": ["b"]}
    assert precheck("result = sheets['订单']['b']", frames).ok
    assert precheck("result = sheets['订单']['a']", frames).missing == ("a",)


def test_numbers_and_texts_are_told_apart() -> None:
    assert precheck("result = df[2024]", {"df": [2024]}).ok
    assert not precheck("result = df['2024']", {"df": [2024]}).ok


@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")
@pytest.mark.skipif(not BENCH, reason="MINDATLAS_BENCH does not name the folder of benchmark data")
def test_no_right_program_of_dseval_is_refused() -> None:
    correct = [row["code"] for row in _dseval() if row["verdict"] == "CORRECT"]
    assert len(correct) == 560
    assert [code for code in correct if not precheck(code, {}).ok] == []


def _dseval() -> list[dict[str, Any]]:
    files = sorted((Path(BENCH or "") / "dseval").glob("*.jsonl"))
    return [
        json.loads(line)
        for path in files
        for line in re.split("\n", path.read_text(encoding="utf-8"))
        if line
    ]
