"""What a release keeps: the kind of failure, the structure of a program, the same token for the same name."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindatlas.evals.release import records_of, type_of_record
from mindatlas.evals.release.keys import hasher
from mindatlas.evals.release.programs import rewrite_program
from mindatlas.evals.release.records import SetAside
from mindatlas.evals.release.tokens import Tokens
from mindatlas.evals.release.workbooks import BookShelf, SeenBooks
from mindatlas.nodes.atlassplit.parts.error_classes import classify
from mindatlas.nodes.atlassplit.parts.execution import ExecutionError
from mindatlas.nodes.atlassplit.parts.publishing.audit import audit_file
from tests.evals.audits import audit_line, error

# A program that fails when it is run over a frame with the columns {a} (text), {b} (number) and 7.
FAILURES = [
    "result = df['{x}'].sum()",
    "result = df[['{a}', '{x}']]",
    "result = df[['{x}']]",
    "result = df.{x}.sum()",
    "result = df.groupby('{x}')['{b}'].sum()",
    "result = df.groupby('{a}').agg(k=('{x}', 'sum'))",
    "result = df.groupby('{a}')['{x}'].sum()",
    "result = df.drop(columns=['{x}'])",
    "result = df.sort_values('{x}')",
    "result = df.merge(df, on='{x}')",
    "result = df.set_index('{a}').loc['{x}']",
    "result = df.set_index('{a}').loc[['{x}']]",
    "result = df['{b}'].loc[99]",
    "result = df[99]",
    "result = df.groupby('{a}').get_group('{x}')",
    "names = {{'{a}': 1}}\nresult = names['{x}']",
    "names = {{1: '{a}'}}\nresult = names[5]",
    "result = df.query('{x} > 1')",
    "result = df['{a}'].astype(float)",
    "result = df['{a}'] + 1",
    "result = df['{a}'].append(df['{b}'])",
    "result = df['{b}'].{x}",
    "result = pd.{x}(df)",
    "result = df.iloc[99]",
    "df['{x}'] = [1, 2]\nresult = df",
    "result = pd.concat([])",
    "result = int('{x}')",
    "result = pd.to_datetime(df['{a}'], format='%Y')",
    "import {x}\nresult = 1",
    "result = {x}",
    "result = json.dumps('{x}')",
    "class {x}(Exception): pass\nraise {x}('{a}')",
    "result = 1 / 0",
    "assert '{x}' in df, '{x}'",
    "open('/{x}')",
    "def f(values, {x}=3):\n    return values['{x}']\nresult = f(df)",
    "result = (df\n  .assign(k=1)\n  .groupby('{a}')\n  ['{x}'].sum())",
    "for name in ['{a}', '{x}']:\n    result = df[name]",
    "result = df.rename(columns={{'{a}': '{x}'}})['{a}']",
    "result = df.pivot(index='{b}', columns='{b}', values='{a}').reindex([1, 1]).reindex([2])",
    "result = df.set_axis(['k'], axis=1)",
]
names = st.from_regex(r"q[a-z]{4,7}|列[一-龠]{2,4}", fullmatch=True)


def outcome_of(code: str, frame: pd.DataFrame) -> ExecutionError:
    try:
        exec(compile(code, "<code>", "exec"), {"df": frame.copy(), "pd": pd})
    except Exception as raised:
        steps = raised.__traceback__
        lines = []
        while steps is not None:
            if steps.tb_frame.f_code.co_filename == "<code>":
                lines.append(steps.tb_lineno)
            steps = steps.tb_next
        return ExecutionError(
            kind=type(raised).__name__, message=str(raised), line=lines[-1] if lines else None
        )
    raise AssertionError(f"{code!r} does not fail")


def books_of(a: str, b: str) -> SeenBooks:
    columns: list[Any] = [a, b, 7]
    return SeenBooks(
        frames={"df": columns, "sheets['s']": columns},
        types={key: ["text", "number", "integer"] for key in ("df", "sheets['s']")},
        rows=3,
        columns=3,
        sheets=("s",),
        terms=frozenset(),
    )


@pytest.mark.parametrize("template", FAILURES)
@settings(max_examples=3)
@given(drawn=st.lists(names, min_size=3, max_size=3, unique=True))
def test_the_classifier_tells_the_same_kind_from_the_record(template: str, drawn: list[str]) -> None:
    a, b, x = drawn
    code = "# first\n\n" + template.format(a=a, b=b, x=x)
    failed = outcome_of(code, pd.DataFrame({a: ["u", "v", "w"], b: [1.5, 2.5, 3.5], 7: [1, 2, 3]}))
    books = books_of(a, b)
    kind = classify(failed, code=code, frames=dict(books.frames)).error_type
    line = audit_line(
        error_type=kind, code=code, error=error(failed.kind, failed.message, failed.line), status="failed"
    )
    (record,) = records_of([line], books, hasher(b"k" * 32))
    assert not isinstance(record, SetAside)
    assert record["error_type"] == kind == type_of_record(record)
    if kind == "E1":  # the sentence names the column that the program names
        assert any(token in record["error_description"] for token in ("COL", "NUM"))


@pytest.mark.parametrize("failed", [["columns_present"], ["sheet_set", "columns_present"], ["row_count"],
                                    ["columns_present", "unique_key"]])  # fmt: skip
def test_failed_assertions_keep_their_kind(failed: list[str]) -> None:
    assertions = [
        dict.fromkeys(("source", "description", "expected", "actual", "difference", "tolerance"))
        | {"kind": kind, "passed": False}
        for kind in failed
    ]
    kind = classify(None, code="", frames={}, failed_assertions=failed).error_type
    (record,) = records_of([audit_line(error_type=kind, assertions=assertions)], None, hasher(b"k" * 32))
    assert not isinstance(record, SetAside)
    assert record["error_pattern"] == f"assertion_{failed[0]}"
    assert type_of_record(record) == kind


def test_structure_stays_and_names_are_one_token_each() -> None:
    code = "总 = df.groupby('店')['额'].sum()  # 汇总\n总.name = '额'\nresult = 总[总 > 1_000]"
    program = rewrite_program(code, Tokens({"店", "额"}))
    assert program.text == ("V1 = df.groupby('COL1')['COL2'].sum()\nV1.name = 'COL2'\nresult = V1[V1 > NUM]")


def test_a_program_that_does_not_parse_looks_the_same() -> None:
    code = "# 汇总\n总 = df.groupby('店')['额'.sum()\nif 总 > 3:\n    print(f'共{总}', end='')"
    program = rewrite_program(code, Tokens({"店", "额"}))
    assert not program.parsed
    assert program.text.splitlines() == [
        "", "V1 = df.groupby('COL1')['COL2'.sum()", "if V1 > NUM:", "    print('STR', end='STR')",
    ]  # fmt: skip


def test_lines_of_the_original_lead_to_their_statements() -> None:
    code = '"""doc"""\n# note\nx = (1 +\n   2)\n\n\n@f\ndef g():\n    # note\n    return x\n'
    program = rewrite_program(code, Tokens())
    lines = program.text.splitlines()
    assert lines[(program.line(4) or 0) - 1] == "V1 = NUM + NUM"
    assert lines[(program.line(10) or 0) - 1].strip() == "return V1"
    assert lines[(program.line(8) or 0) - 1].startswith("def ")
    assert program.line(1) is None  # the docstring is gone
    assert program.line(None) is None


@given(st.text(alphabet="df['a金 \n\t()=:.#\"'+1xé\\", max_size=60))
def test_any_text_is_rewritten_and_a_program_stays_one(code: str) -> None:
    program = rewrite_program(code, Tokens({"a"}))
    assert "金" not in program.text
    assert "é" not in program.text
    if program.parsed:
        ast.parse(program.text)


def test_deep_nesting_falls_back() -> None:
    assert not rewrite_program("x = " + "-" * 100_000 + "1", Tokens()).parsed


def test_a_program_of_comments_alone_has_nothing_left() -> None:
    assert rewrite_program("# 客户\n'客户'", Tokens()).text == "pass"


def test_course_of_a_run() -> None:
    run = [
        audit_line(error_type="E1", code="result = df['x']", error=error("KeyError", "'x'")),
        audit_line(
            number=2, error_type="E0", code="result = y", error=error("NameError", "name 'y' is not defined")
        ),
        audit_line(number=3, error_type=None, strategy="secret", status="pass"),
    ]
    made = records_of(run, None, hasher(b"k" * 32))
    first, second = (record for record in made if not isinstance(record, SetAside))
    assert first["repair_path"] == ["E1", "repair", "E0", "other", "pass"]
    assert (first["repair_attempts"], second["repair_attempts"]) == (2, 1)
    assert first["success"] is second["success"] is True
    assert first["task_id"].split("-")[0] == second["task_id"].split("-")[0]
    assert first["metadata"]["df_shape"] == {"rows": "unknown", "columns": "unknown"}


def test_unfinished_runs_and_rounds_without_program() -> None:
    lines = [audit_line(error_type="E7", error=error("timeout", "20 s")), audit_line(number=2, code=None)]
    made = records_of(lines, None, hasher(b"k" * 32))
    assert not isinstance(made[0], SetAside)
    assert (made[0]["success"], made[0]["repair_path"][-1]) == (None, "unfinished")
    assert made[1] == SetAside(reason="the audit holds no program")


def test_a_workbook_that_changed_or_went_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    path.write_text("店,额\n甲,1\n乙,2\n", encoding="utf-8")
    line = audit_line(inputs=[audit_file(path)])
    books = BookShelf(tmp_path / "cache").get(line)
    assert books is not None
    assert {"店", "额", "甲", "乙", "1"} <= books.terms
    path.write_text("店,额\n丙,1\n", encoding="utf-8")
    assert BookShelf(tmp_path / "cache").get(line) is None
    path.unlink()
    assert BookShelf(tmp_path / "cache").get(line) is None
