"""What a program guards, and what its text does not tell, is unknown and never missing."""

from __future__ import annotations

import pytest

from mindatlas.nodes.atlassplit.parts.precheck import precheck

FRAMES = {"df": ["门店", "销售额"]}

GUARDED = [
    "if '利润' in df.columns:\n    result = df['利润']",
    "if '利润' in df:\n    result = df['利润']",
    "if '利润' in list(df.columns):\n    result = df['利润']",
    "if '利润' in df.columns.tolist():\n    result = df.利润",
    "if '利润' in set(df.columns):\n    result = df['利润']",
    "if '利润' in df.keys():\n    result = df['利润']",
    "if '利润' not in df.columns:\n    result = 0\nelse:\n    result = df['利润']",
    "if not '利润' not in df.columns:\n    result = df['利润']",
    "if '利润' in df.columns and df['利润'].sum() > 0:\n    result = 1",
    "result = '利润' not in df.columns or df['利润'].sum()",
    "if {'利润'} <= set(df.columns):\n    result = df['利润']",
    "if {'利润'}.issubset(df.columns):\n    result = df['利润']",
    "if set(df.columns) >= {'利润'}:\n    result = df['利润']",
    "if all(c in df.columns for c in ['利润']):\n    result = df['利润']",
    "if any(c == '利润' for c in df.columns):\n    result = df['利润']",
    "if hasattr(df, '利润'):\n    result = df.利润",
    "if df.columns.isin(['利润']).any():\n    result = df['利润']",
    "if df.columns.str.contains('利').any():\n    result = df['利润']",
    "if df.get('利润') is not None:\n    result = df['利润']",
    "if len(df.columns) > 5:\n    result = df['利润']",
    "result = df['利润'] if '利润' in df.columns else df['销售额']",
    "result = getattr(df, '利润', None)",
    "result = [df[c].sum() for c in ['利润', '销售额'] if c in df.columns]",
    "for c in ['利润', '销售额']:\n    if c not in df.columns:\n        continue\n    result = df[c]",
    "try:\n    result = df['利润']\nexcept KeyError:\n    result = 0",
    "try:\n    result = df['利润']\nexcept Exception:\n    result = 0",
    "try:\n    result = df['利润']\nexcept:\n    result = 0",
    "try:\n    result = df.利润\nexcept (AttributeError, ValueError):\n    result = 0",
    "def safe():\n    return df['利润']\ntry:\n    result = safe()\nexcept KeyError:\n    result = 0",
    "from contextlib import suppress\nwith suppress(KeyError):\n    result = df['利润']",
    "assert '利润' in df.columns\nresult = df['利润']",
    "if '利润' not in df.columns:\n    raise KeyError('利润')\nresult = df['利润']",
    "def pick():\n    if '利润' not in df.columns:\n        return df['销售额']\n    return df['利润']\nresult = pick()",
    "result = df.drop(columns=['利润'], errors='ignore')",
    "result = df.reindex(columns=['利润'])['利润']",
    "result = df.filter(items=['利润'])",
    "result = df.rename(columns={'利润': '毛利'})",
    "result = df.fillna({'利润': 0}).replace({'利润': {1: 2}})",
    "row = df.iloc[0]\nresult = row['利润'] if '利润' in row.index else 0",
    "result = df.apply(lambda r: r.get('利润', 0), axis=1)",
    "if False:\n    result = df['利润']",
    "DEBUG = 0\nif DEBUG:\n    result = df['利润']",
    "def never():\n    return df['利润']",
    "result = (lambda: df['利润'])",
]  # fmt: skip

UNTOLD = [
    "result = df[input_name]",
    "result = df[f'{prefix}额']",
    "result = df[[c for c in names]]",
    "for c in names:\n    df[c] = 1\nresult = df['利润']",
    "df[name] = 1\nresult = df['利润']",
    "df.columns = names\nresult = df['利润']",
    "df = df.rename(columns=mapping)\nresult = df['利润']",
    "df = df.rename(columns=rename_one)\nresult = df['利润']",
    "df = prepare(df)\nresult = df['利润']",
    "prepare(df)\nresult = df['利润']",
    "tools.prepare(df)\nresult = df['利润']",
    "df = pd.read_excel('x.xlsx')\nresult = df['利润']",
    "df = df.pivot_table(index='门店', columns='销售额', aggfunc='size')\nresult = df['利润']",
    "df = df.T\nresult = df['利润']",
    "setattr(df, 'x', 1)\nresult = df['利润']",
    "exec(text)\nresult = df['利润']",
    "df = df.merge(other, on='门店')\nresult = df['利润']",
    "df = pd.concat([df, other])\nresult = df['利润']",
    "df = df.join(other)\nresult = df['利润']",
    "df = df.assign(**extra)\nresult = df['利润']",
    "frames = {'a': df}\nfor f in frames.values():\n    f['利润'] = 1\nresult = df['利润']",
    "frames = [df]\nframes[0]['利润'] = 1\nresult = df['利润']",
    "for f in books.values():\n    f['利润'] = 1\nresult = df['利润']",
    "class Tool:\n    def use(self, frame):\n        frame['利润'] = 1\nTool().use(df)\nresult = df['利润']",
    "x = df if flag else load()\nx['利润'] = 1\nresult = df['利润']",
    "name = '利润' if flag else '销售额'\nresult = df[name]",
    "result = other['利润']",
    "result = {'利润': 1}['利润']",
    "result = df['门店'].value_counts()['利润']",
    "result = df.groupby('门店')['销售额'].sum()['利润']",
    "result = df.set_index('门店').loc['利润']",
    "result = df['门店'].str.extract('(x)')[0]",
]  # fmt: skip


@pytest.mark.parametrize("code", [*GUARDED, *UNTOLD])
def test_it_is_not_called_missing(code: str) -> None:
    assert precheck(code, FRAMES).missing == ()


@pytest.mark.parametrize("code", GUARDED[:5] + GUARDED[24:28])
def test_an_absent_column_under_a_guard_is_unknown(code: str) -> None:
    assert precheck(code, FRAMES).unknown == ("利润",)


@pytest.mark.parametrize("code", UNTOLD[:2])
def test_a_computed_name_is_unknown_by_its_text(code: str) -> None:
    assert precheck(code, FRAMES).unknown == (code.removeprefix("result = ").replace('"', "'"),)


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    result = df['利润']\nexcept ValueError:\n    result = 0",
        "try:\n    result = df['利润']\nfinally:\n    done = True",
        "if df['销售额'].sum() > 0:\n    result = df['利润']",
        "if '利润' not in df.columns:\n    result = df['利润']",
        "name = '利润' if flag else '毛利'\nresult = df[name]",
    ],
)
def test_what_guards_nothing_leaves_it_missing(code: str) -> None:
    assert "利润" in precheck(code, FRAMES).missing
