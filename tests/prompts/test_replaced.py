from __future__ import annotations

import pytest

from mindatlas.nodes.errors import UsageError
from mindatlas.prompts import render, replaced, source, variables, version


def test_a_replaced_prompt_is_rendered_and_versioned_by_its_text() -> None:
    before = version("mindtrip/rewrite_negation")
    with replaced({"mindtrip/rewrite_negation": "Q: $question"}):
        assert render("mindtrip/rewrite_negation", question="where?") == "Q: where?"
        assert version("mindtrip/rewrite_negation") != before
    assert version("mindtrip/rewrite_negation") == before


def test_a_block_inside_a_block_ends_with_it() -> None:
    with replaced({"mindtrip/answer": "outer"}):
        with replaced({"mindtrip/answer": "inner"}):
            assert source("mindtrip/answer") == "inner"
        assert source("mindtrip/answer") == "outer"


@pytest.mark.parametrize(("name", "text"), [("mindtrip/nothing", "x"), ("mindtrip/answer", "$colour")])
def test_neither_an_unknown_prompt_nor_an_unknown_variable_is_taken(name: str, text: str) -> None:
    with pytest.raises(UsageError), replaced({name: text}):
        pass


def test_variables_of_a_text() -> None:
    assert variables("$a ${b} $$c") == {"a", "b"}
