"""A canary planted anywhere in what a release is made from never comes out of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from mindatlas.evals.release import make_release
from mindatlas.evals.release.checks import literal_findings, seen_terms, term_findings
from mindatlas.evals.release.keys import hasher
from mindatlas.evals.release.record_schema import schema_fault
from mindatlas.evals.release.records import SetAside, records_of
from mindatlas.evals.release.seen import seen_in
from mindatlas.nodes.atlassplit.parts.publishing.audit import audit_file
from tests.evals.audits import audit_line, error, write_log

# Each holds the canary as a name ({n}), inside a text ({t}) or as a number ({d}).
PLACES = {
    "column": "result = df['{t}'].sum()",
    "column attribute": "result = df.{n}.sum()",
    "columns": "result = df[['{t}', 'b']].groupby('{t}').sum()",
    "sheet": "result = sheets['{t}']['a']",
    "book": "result = books['{t}.xlsx']['{t}']",
    "string": "x = '{t}'",
    "raw string": "x = r'{t}'",
    "triple": 'x = """a\n{t}\n"""',
    "bytes": "x = b'{a}'",
    "f-string": "x = f'{t} {{df}} {t}'",
    "f-string name": "x = f'a {{{n}!r:>{{{n}}}}} b'",
    "f-string format": "x = f'{{df:{a}}}'",
    "joined": "x = 'a' '{t}' f'{t}'",
    "number": "x = {d}",
    "float": "x = {d}.{d}e3",
    "complex": "x = {d}j",
    "hexadecimal": "x = 0x{d}",
    "comment": "x = 1  # {t}",
    "type comment": "x = 1  # type: {n}",
    "docstring": 'def f():\n    """{t}"""',
    "class docstring": "class {n}(Exception):\n    '{t}'",
    "variable": "{n} = 1",
    "function": "def {n}(): return {n}",
    "async function": "async def {n}(): pass",
    "parameter": "def f({n}, *, {n}2=1, **{n}3): return {n}",
    "lambda": "f = lambda {n}: {n}",
    "annotation": "{n}: '{t}' = 1",
    "attribute": "x.{n}.{n}2 = 1",
    "method": "x.{n}()",
    "keyword": "f({n}=1)",
    "made column": "result = df.assign({n}=1).agg({n}=('{t}', 'sum'))",
    "dict key": "x = {{'{t}': 1, {d}: 2, {n}: 3}}",
    "import": "import {n}",
    "import alias": "import pandas as {n}",
    "import part": "import os.{n} as x",
    "import from": "from {n}.{n}2 import {n}3 as {n}4",
    "import of": "from pandas import {n}",
    "relative import": "from .{n} import x",
    "decorator": "@{n}.x('{t}')\ndef f(): pass",
    "except": "try:\n    pass\nexcept {n} as {n}2:\n    raise",
    "global": "def f():\n    global {n}\n    nonlocal_ = {n}",
    "match value": "match x:\n    case '{t}' | {d} | -{d}: pass",
    "match capture": "match x:\n    case {{'{t}': {n}, {d}: 1, **{n}2}}: pass\n    case [{n}, *{n}3]: pass",
    "match class": "match x:\n    case {n}({n}2={d}): pass",
    "with": "with {n}() as {n}2: pass",
    "comprehension": "x = [{n} for {n} in df if {n} := 1]",
    "walrus": "(({n} := {d}))",
    "path": "open('/home/{t}/file.csv')",
    "query": "df.query('{t} > {d}')",
    "slice": "df['{t}':'{t}', {d}:{d}]",
    "escaped": "x = '\\\\{t}'",
    "star": "print(*{n}, **{n}2)",
    "class keyword": "class A({n}, metaclass={n}2, {n}3=1): pass",
    "delete": "del {n}",
    "unclosed": "x = ('{t}'\n{n} = '{t}",
    "unclosed triple": "x = '''{t}\n {n} {d}",
    "wrong indent": "if x:\n{n} = '{t}' # {t}\n  {n}",
    "not Python": "SELECT {n} FROM {t} WHERE ￥{d} $ {n}; ` {t}",
    "masked": "df['{t}'.…] = ⟨{t}⟩ {d}",
}  # fmt: skip
ERRORS = {
    "key": ("KeyError", "'{t}'"),
    "key list": ("KeyError", "\"['{t}', '{n}'] not in index\""),
    "none of": (
        "KeyError",
        "\"None of [Index(['{t}'], dtype='object')] are in the [columns]\"",
    ),
    "number key": ("KeyError", "{d}"),
    "tuple key": ("KeyError", "('{t}', {d}, b'{a}')"),
    "time key": ("KeyError", "Timestamp('{t}')"),
    "value": ("ValueError", "could not convert string to float: '{t}'"),
    "date": ("ValueError", "Unknown datetime string format, unable to parse: {t}, at position {d}"),
    "length": ("ValueError", "Length of values ({d}) does not match length of index ({d})"),
    "name": ("NameError", "name '{n}' is not defined"),
    "attribute": ("AttributeError", "'{n}' object has no attribute '{n}2'"),
    "frame attribute": ("AttributeError", "'DataFrame' object has no attribute '{n}'"),
    "module attribute": ("AttributeError", "module '{n}' has no attribute '{n}2'"),
    "module": ("ModuleNotFoundError", "No module named '{n}'"),
    "own class": ("{n}", "{t}"),
    "own module's class": ("{n}.{n}Error", "{t} {d}"),
    "types": ("TypeError", "unsupported operand type(s) for +: '{n}' and 'str'"),
    "keyword": ("TypeError", "f() got an unexpected keyword argument '{n}'"),
    "file": ("FileNotFoundError", "[Errno 2] No such file or directory: '/home/{t}.csv'"),
    "assertion": ("AssertionError", "{t}"),
    "none": ("RuntimeError", "{t}\n{n}\n{d}"),
}
TRACEBACK = (
    'Traceback\n  File "/home/{t}.py", line 1, in {n}\n    {n}({d})\n  File "<code>", line 1, in {n}\nE: {t}'
)

names = st.from_regex(r"[Qq]z[a-z0-9_]{5,9}|机密[一-龠]{2,4}[0-9]{0,2}", fullmatch=True)
numbers = st.integers(min_value=10**8, max_value=10**14)
asides = st.sampled_from(["", " ", "  ", "-", ".", "（", " '", ' "', "\\n", "{", "}", "%", "#", "🙂"])


def planted(template: str, name: str, number: int, aside: str = "") -> str:
    latin = "".join(f"qz{ord(sign):x}" for sign in name[:3])
    return template.format(n=name, t=f"{name}{aside.replace(chr(39), '')}", d=number, a=latin)


def canaries(name: str, number: int) -> tuple[str, ...]:
    return name, name.casefold(), str(number), "".join(f"qz{ord(sign):x}" for sign in name[:3])


def released(run: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = records_of(run, None, hasher(b"k" * 32))
    return [record for record in made if not isinstance(record, SetAside)]


def assert_clean(records: list[dict[str, Any]], told: tuple[str, ...], run: list[dict[str, Any]]) -> None:
    text = json.dumps(records, ensure_ascii=False)
    escaped = json.dumps(records)
    for canary in told:
        assert canary not in text.casefold(), text
        assert canary.casefold() not in escaped.casefold()
    for record in records:
        assert schema_fault(record) is None
        assert list(literal_findings(record)) == []
        assert list(term_findings(record, seen_terms(seen_in(run)), "seen_in_the_run")) == []


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=6)
@given(name=names, number=numbers, aside=asides)
def test_no_canary_in_a_program_comes_out(place: str, name: str, number: int, aside: str) -> None:
    code = planted(PLACES[place], name, number, aside)
    run = [audit_line(error_type="E0", code=code, error=error("RuntimeError", "x"), status="failed")]
    records = released(run)
    assert len(records) == 1
    assert_clean(records, canaries(name, number), run)


@pytest.mark.parametrize("place", ERRORS)
@settings(max_examples=6)
@given(name=names, number=numbers, kind=st.sampled_from(["E0", "E1", "E2", "E4", "E6"]))
def test_no_canary_in_an_error_comes_out(place: str, name: str, number: int, kind: str) -> None:
    error_kind, message = (planted(text, name, number) for text in ERRORS[place])
    told = error(error_kind, message, traceback=planted(TRACEBACK, name, number))
    run = [audit_line(error_type=kind, code="result = f(df)", error=told, evidence=message, status="failed")]
    assert_clean(released(run), canaries(name, number), run)


@given(
    lines=st.lists(st.sampled_from(sorted(PLACES.values())), min_size=1, max_size=6),
    name=names,
    number=numbers,
    cut=st.integers(0, 400),
    noise=st.text(max_size=8),
)
@example(lines=[PLACES["f-string"]], name="qzabcdef", number=10**9, cut=400, noise="\x00")
@example(lines=[PLACES["string"]], name="qzabcdef", number=10**9, cut=400, noise="\ud800")
def test_no_canary_in_a_broken_program_comes_out(
    lines: list[str], name: str, number: int, cut: int, noise: str
) -> None:
    code = "\n".join(planted(line, name, number) for line in lines)
    code = code[:cut] + noise + code[cut:]
    run = [audit_line(error_type="E0", code=code, error=error("SyntaxError", code), status="failed")]
    assert_clean(released(run), (name, str(number)), run)


@given(name=names, number=numbers)
def test_no_canary_in_another_field_comes_out(name: str, number: int) -> None:
    text = f"{name} {number}"
    assertion = {
        "kind": text, "source": text, "description": text, "expected": [text], "actual": {text: text},
        "difference": None, "tolerance": None, "passed": False, "reason": text,
    }  # fmt: skip
    precheck = {"missing": [name], "unknown": [text], "suggestions": {text: [{"column": text, "score": 1}]}}
    common: dict[str, Any] = {
        "run_id": text, "request": text, "strategy": text, "model": text, "prompt_hash": text, "active": name,
        "versions": {"python": text, "pandas": text, "mindatlas": text}, "stop_reason": text,
        "inputs": [{"path": f"/{text}\x00.xlsx", "sha256": "0" * 64}], "chart": {text: text},
        "assertions": [assertion], "precheck": [precheck], "evidence": {text: text},
    }  # fmt: skip
    run = [
        audit_line(error_type="E3", **common),
        audit_line(number=2, error_type=None, status="pass", **common),
    ]
    records = released(run)
    assert len(records) == 1
    assert_clean(records, canaries(name, number), run)


def test_nothing_of_a_workbook_comes_out_of_a_whole_release(tmp_path: Path, home: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "机密表"
    rows: list[list[Any]] = [
        ["机密列", "Qzcolumn", "机密三"],
        *([f"Qzcell{n}", 880000017 + n, "机密格"] for n in range(4)),
    ]
    for row in rows:
        sheet.append(row)
    path = tmp_path / "Qzfile.xlsx"
    book.save(path)
    code = "# Qzcomment\nx = sheets['机密表']['机密列']\nresult = df.Qzcolumn.astype(float) + x.Qzcell1\n"
    told = error("AttributeError", "'Series' object has no attribute 'Qzcell1'", line=3)
    line = audit_line(
        error_type="E2", code=code, error=told, status="failed", inputs=[audit_file(path)], active="机密表"
    )
    log = write_log(tmp_path / "Qzrun.audit.jsonl", [line])
    outcome = make_release([log], tmp_path / "out")
    assert (outcome.folder, outcome.findings, outcome.counts.unread) == (tmp_path / "out", (), 0)
    for file in (tmp_path / "out").rglob("*"):
        content = file.read_text(encoding="utf-8").casefold() if file.is_file() else ""
        for canary in ("qz", "机密", "8800000"):
            assert canary not in content, (file.name, canary)
    record = json.loads((tmp_path / "out" / "records.jsonl").read_text(encoding="utf-8"))
    assert record["metadata"]["df_shape"] == {"rows": "1-10", "columns": "1-5"}
    assert record["metadata"]["dtypes"]["sheets['V2']"] == record["metadata"]["dtypes"]["df"]
