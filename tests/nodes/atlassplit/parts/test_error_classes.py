from __future__ import annotations

from dataclasses import dataclass

import pytest

from mindatlas.nodes.atlassplit.parts.error_classes import classify
from mindatlas.nodes.errors import UsageError

FRAMES = {"df": ["门店", "销售额", "日期"]}


@dataclass(frozen=True)
class Failure:
    kind: str
    message: str
    line: int | None = 1


CASES = [
    ("E1", Failure("KeyError", "'金额'"), "result = df['金额'].sum()"),
    ("E1", Failure("KeyError", "\"['金额'] not in index\""), "result = df[['门店', '金额']]"),
    ("E4", Failure("KeyError", "'朝阳店'"), "result = df.groupby('门店')['销售额'].sum()['朝阳店']"),
    ("E4", Failure("KeyError", "'x'"), "names = {'a': 1}\nresult = names['x']", ),
    ("E4", Failure("IndexError", "list index out of range"), "result = [][1]"),
    ("E4", Failure("ValueError", "Length mismatch: Expected axis has 7 elements, new values have 3"), "df.columns = ['a']"),
    ("E2", Failure("TypeError", "unsupported operand type(s) for /: 'str' and 'str'"), "result = df['销售额'] / df['销售额']"),
    ("E2", Failure("ValueError", "could not convert string to float: '1,050'"), "result = df['销售额'].astype(float)"),
    ("E4", Failure("KeyError", "'丁'"), "result = df.set_index(['日期', '门店']).loc[('1月', '丁')]"),
    ("E1", Failure("KeyError", "'金额'"), "result = df.set_index(['日期', '门店']).loc[('1月', '丁'), '金额']"),
    ("E4", Failure("ValueError", "matmul: Input operand 1 has a mismatch in its core dimension 0"), "result = a @ b"),
    ("E4", Failure("ValueError", "too many values to unpack (expected 2)"), "a, b = [1, 2, 3]"),
    ("E4", Failure("ValueError", "1 columns passed, passed data had 2 columns"), "pd.DataFrame([[1, 2]], columns=['a'])"),
    ("E4", Failure("ValueError", "Item wrong length 1 instead of 2."), "df[[True]]"),
    ("E6", Failure("URLError", "<urlopen error [Errno -3] name resolution>"), "urlopen('http://x.y')"),
    ("E6", Failure("gaierror", "[Errno -3] name resolution"), "socket.create_connection(('x.y', 80))"),
    ("E6", Failure("ImportError", "cannot import name 'x' from 'y'"), "from y import x"),
    ("E6", Failure("ModuleNotFoundError", "No module named 'requests'"), "import requests"),
    ("E6", Failure("PermissionError", "[Errno 13] Permission denied: '/etc/passwd'"), "open('/etc/passwd')"),
    ("E7", Failure("timeout", "20 s"), "while True: pass"),
    ("E7", Failure("memory", ""), "x = bytearray(1 << 40)"),
    ("E7", Failure("MemoryError", ""), "x = bytearray(1 << 40)"),
    ("E0", Failure("SyntaxError", "invalid syntax"), "result = ="),
    ("E0", Failure("NameError", "name 'x' is not defined"), "result = x"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "failure", "code"), CASES)
def test_each_failure_has_its_kind_and_evidence(kind: str, failure: Failure, code: str) -> None:
    found = classify(failure, code=code, frames=FRAMES)
    assert found.error_type == kind, found.evidence
    assert found.evidence


def test_a_missing_column_is_named() -> None:
    assert classify(Failure("KeyError", "'金额'"), code="result = df['金额']", frames=FRAMES).column == "金额"


def test_what_ran_to_its_end() -> None:
    assert classify(None, code="result = 1", frames=FRAMES, missing_output="a result").error_type == "E5"
    wrong = classify(None, code="", frames=FRAMES, failed_assertions=["total_sum_match: total of 销售额"])
    assert (wrong.error_type, "total_sum_match" in wrong.evidence) == ("E3", True)
    assert (
        classify(None, code="", frames=FRAMES, failed_assertions=["columns_present: 增长率"]).error_type
        == "E5"
    )
    with pytest.raises(UsageError, match="this round passed"):
        classify(None, code="", frames=FRAMES)
