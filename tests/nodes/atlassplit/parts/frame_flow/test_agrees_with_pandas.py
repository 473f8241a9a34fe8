"""The columns that the data flow knows of a frame are those that pandas gives it, whatever is done to it."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow
from mindatlas.nodes.atlassplit.parts.frame_flow.given_frames import give_frames
from tests.nodes.atlassplit.parts.frame_flow.frames import columns, namespace

Step = Callable[[Hashable, Hashable], str]

STEPS: Sequence[Step] = (
    lambda a, b: f"df = df[[{a!r}, {b!r}]]",
    lambda a, b: f"df = df.drop(columns={a!r})",
    lambda a, b: f"df = df.rename(columns={{{a!r}: 'renamed', 'absent': 'x'}})",
    lambda a, b: f"df['made'] = df[{a!r}]",
    lambda a, b: f"df = df.assign(extra=df[{a!r}], more=lambda d: d['extra'])",
    lambda a, b: f"df = df.groupby({a!r})[[{b!r}]].max()",
    lambda a, b: f"df = df.groupby({a!r}, as_index=False)[{b!r}].count()",
    lambda a, b: f"df = df.groupby([{a!r}, {b!r}]).size().reset_index(name='n')",
    lambda a, b: f"df = df.groupby({a!r}).agg(top=({b!r}, 'max'), n=({b!r}, 'count')).reset_index()",
    lambda a, b: f"df = df.groupby({a!r}).agg({{{b!r}: ['min', 'max']}})",
    lambda a, b: f"df = df.groupby({a!r}).first()",
    lambda a, b: f"df = df.groupby({a!r}).head(1)",
    lambda a, b: "df = df.reset_index()",
    lambda a, b: "df = df.reset_index(drop=True)",
    lambda a, b: f"df = df.set_index({a!r})",
    lambda a, b: f"df = df.set_index([{a!r}, {b!r}]).reset_index()",
    lambda a, b: f"df = df.melt(id_vars={a!r})",
    lambda a, b: f"df = df.melt(id_vars=[{a!r}], value_vars=[{b!r}], var_name='kind')",
    lambda a, b: f"df = df.sort_values({a!r}).drop_duplicates([{b!r}])",
    lambda a, b: f"df = df.merge(df, on={a!r})",
    lambda a, b: f"df = df.merge(df[[{a!r}, {b!r}]], left_on={a!r}, right_on={a!r}, suffixes=('', '_r'))",
    lambda a, b: "df = pd.concat([df, sales])",
    lambda a, b: "df = pd.concat([df, df.add_suffix('_2')], axis=1)",
    lambda a, b: "df = df.add_prefix('p_')",
    lambda a, b: f"df = df[{a!r}].value_counts().reset_index()",
    lambda a, b: f"df = df[{a!r}].to_frame('only')",
    lambda a, b: f"df = df.loc[:, {a!r}:]",
    lambda a, b: "df = df.iloc[:, 1:]",
    lambda a, b: "df = df.iloc[:, :-1]",
    lambda a, b: f"df = df.pivot_table(index={a!r}, values={b!r}, aggfunc='count')",
    lambda a, b: f"df = df.pivot_table(index={a!r}, columns={b!r}, aggfunc='size')",
    lambda a, b: "df.columns = [str(c) for c in df.columns]",
    lambda a, b: "df.columns = ['_'.join(map(str, c)) if isinstance(c, tuple) else c for c in df.columns]",
    lambda a, b: "df = df.describe()",
    lambda a, b: "df = df.isna()",
    lambda a, b: "df = df.T.T",
    lambda a, b: f"df.insert(0, 'first', 1)\ndf.pop({a!r})",
    lambda a, b: f"for c in [{a!r}, {b!r}]:\n    df[f'{{c}}_copy'] = df[c]",
    lambda a, b: f"if len(df) > 1:\n    df = df.drop(columns={a!r})\nelse:\n    df['few'] = 1",
    lambda a, b: f"rows = [{{'k': r[{a!r}]}} for _, r in df.iterrows()]\ndf = pd.DataFrame(rows)",
    lambda a, b: f"df = pd.DataFrame({{'k': df[{a!r}], 'v': df[{b!r}]}})",
    lambda a, b: f"df = df.apply(lambda r: pd.Series({{'s': r[{a!r}], 't': 1}}), axis=1)",
    lambda a, b: f"df = df.groupby({a!r}).apply(lambda g: pd.Series({{'n': len(g)}}))",
    lambda a, b: f"df = df.groupby({a!r})[[{b!r}]].apply(lambda g: g.head(1))",
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6)
)
def test_known_columns_are_the_real_ones(plan: list[tuple[Step, int, int]]) -> None:
    names: dict[str, Any] = {"pd": pd, **namespace(), "df": namespace()["sales"]}
    program: list[str] = []
    for step, first, second in plan:
        real = list(names["df"].columns)
        if not real:
            break
        code = step(real[first % len(real)], real[second % len(real)])
        if not _runs(code, names):
            break
        program.append(code)
    _compare("\n".join(program), names["df"])


def _runs(code: str, names: dict[str, Any]) -> bool:
    """Run one step; a step that pandas refuses leaves the frame as it may be, so the program ends before it."""
    before = names["df"]
    names["df"] = before.copy() if isinstance(before, pd.DataFrame) else before
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(code, names)
    except Exception:  # whatever pandas refuses
        names["df"] = before
        return False
    if not isinstance(names["df"], pd.DataFrame) or names["df"].size > 5_000:
        names["df"] = before
        return False
    return True


def _compare(program: str, real: pd.DataFrame) -> None:
    flow = Flow()
    give_frames(flow, {"df": columns()["sales"], "sales": columns()["sales"]})
    flow.run(ast.parse(program))
    assert [ref for ref in flow.log.refs if ref.verdict == "absent"] == [], program
    table = flow.table(flow.look_up("df") or flow.look_up("pd"))  # type: ignore[arg-type]
    if table is None or table.open:
        return
    assert not table.row, program
    assert [name for name in real.columns if table.lookup(name) == "absent"] == [], program
    if table.exact:
        assert list(table.columns) == list(real.columns), program
    if table.index is not None:
        assert list(table.index) == list(real.index.names), program
