from __future__ import annotations

import pytest

from mindatlas.nodes.atlassplit.parts.code_reply import read_code

PROGRAM = "result = df.head(1)"


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{PROGRAM}\n```",
        f"Here it is:\n\n```py\n{PROGRAM}\n```\nIt takes the first row.",
        f"```\n{PROGRAM}\n```",
        f"```Python\r\n{PROGRAM}\n```",
        f"```python\n{PROGRAM}\n",  # the closing fence was forgotten
        PROGRAM,
        f"```python\nimport pandas as pd\n```\nand then\n```python\n{PROGRAM}\n```",
        f"```python\n{PROGRAM}\n```\nIt prints:\n```\n   a\n0  1\n```",
    ],
)
def test_the_program_is_found(reply: str) -> None:
    assert read_code(reply).code == f"{PROGRAM}\n"


def test_of_two_programs_the_last_is_taken() -> None:
    assert read_code("```python\nresult = 1\n```\nBetter:\n```python\nresult = 2\n```").code == "result = 2\n"


def test_a_refusal_is_no_program() -> None:
    reply = read_code("CANNOT: there is no column\nwith costs")
    assert (reply.code, reply.refused) == ("", "there is no column with costs")


def test_a_program_that_mentions_the_word_is_no_refusal() -> None:
    assert not read_code("```python\n# CANNOT: not here\nresult = 1\n```").refused
