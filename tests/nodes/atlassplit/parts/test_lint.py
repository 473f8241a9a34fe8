from __future__ import annotations

import pytest

from mindatlas.nodes.atlassplit.parts.lint import lint

ERRORS = [
    ("result = =", "E0"),
    ("import os\nresult = os.listdir()", "E6"),
    ("import subprocess\nresult = 1", "E6"),
    ("import requests\nresult = 1", "E6"),
    ("result = eval('1')", "E6"),
    ("exec('x = 1')\nresult = 1", "E6"),
    ("result = open('x').read()", "E6"),
    ("result = pd.read_pickle('x')", "E6"),
    ("result = __import__('os')", "E6"),
    ("x = 1", "E5"),
]
CLEAN = [
    "import pandas as pd\nimport numpy as np\nresult = df",
    "import re, math, datetime\nresult = df.head()",
    "from decimal import Decimal\nresult = Decimal(1)",
    "def f(t):\n    return t\nresult = f(df)",
    "for x in [1]:\n    result = x",
    "if True:\n    result = 1\nelse:\n    result = 2",
]


@pytest.mark.parametrize(("code", "kind"), ERRORS)
def test_errors_say_what_they_would_lead_to(code: str, kind: str) -> None:
    errors = [finding for finding in lint(code, convention=True) if finding.severity == "error"]
    assert kind in {finding.error_type for finding in errors}
    assert all(finding.line >= 1 and finding.message for finding in errors)


@pytest.mark.parametrize("code", CLEAN)
def test_right_programs_have_no_error(code: str) -> None:
    assert [finding for finding in lint(code, convention=True) if finding.severity == "error"] == []


@pytest.mark.parametrize(
    "code",
    [
        "for i, row in df.iterrows():\n    df.loc[i, 'a'] = 1\nresult = df",
        "result = df.append({'a': 1})",
        "result = df.resample('M').sum()",
    ],
)
def test_what_works_badly_is_a_warning(code: str) -> None:
    found = lint(code, convention=True)
    assert found
    assert {finding.severity for finding in found} == {"warning"}


def test_outside_the_convention_a_result_is_not_asked_for() -> None:
    assert [finding for finding in lint("x = df['a']") if finding.severity == "error"] == []
