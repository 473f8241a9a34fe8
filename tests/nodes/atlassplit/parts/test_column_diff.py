from __future__ import annotations

import pytest

from mindatlas.nodes.atlassplit.parts.column_diff import only_columns_changed

SAME_LOGIC = [
    ("result = df['金额'].sum()", "result = df['销售额'].sum()", (("金额", "销售额"),)),
    ("result = df.groupby('店')['额'].sum()", "result = df.groupby('门店')['销售额'].sum()", (("店", "门店"), ("额", "销售额"))),
    ("result = df.sort_values(by='a')", "result = df.sort_values(by='b')", (("a", "b"),)),
    ("result = df[['a', 'b']]", "result = df[['a', 'c']]", (("b", "c"),)),
    ("result = df.a.sum()", "result = df['b'].sum()", (("a", "b"),)),
    ("result = df['a']", "# the same\nresult  =  df['a']", ()),
]  # fmt: skip
OTHER_LOGIC = [
    ("result = df['a'].sum()", "result = df['b'].mean()"),
    ("result = df['a'].astype('float')", "result = df['b'].astype('int')"),
    ("result = df['a']", "result = df['b'].fillna(0)"),
    ("result = df[df['a'] > 1]", "result = df[df['b'] > 2]"),
    ("result = df['a']", "x = 1\nresult = df['b']"),
    ("result = df['a'].head(3)", "result = df['a'].head(5)"),
]


@pytest.mark.parametrize(("before", "after", "columns"), SAME_LOGIC)
def test_a_repair_of_names_is_one(before: str, after: str, columns: tuple[tuple[str, str], ...]) -> None:
    found = only_columns_changed(before, after)
    assert found.ok
    assert found.columns == columns


@pytest.mark.parametrize(("before", "after"), OTHER_LOGIC)
def test_what_else_changed_is_told(before: str, after: str) -> None:
    found = only_columns_changed(before, after)
    assert not found.ok
    assert found.other
