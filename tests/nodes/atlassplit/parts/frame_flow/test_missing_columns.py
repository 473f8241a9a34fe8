"""Columns that are really missing are found, whatever form refers to them; pandas says which are."""

from __future__ import annotations

import pytest

from mindatlas.nodes.atlassplit.parts.precheck import precheck
from tests.nodes.atlassplit.parts.frame_flow.frames import columns
from tests.nodes.atlassplit.parts.frame_flow.programs import (
    WrongProgram,
    misspelt,
    right_programs,
    run,
    wrong_programs,
)

LEAST_FOUND = 0.95  # of the misspelt columns that pandas refuses


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrong", wrong_programs(), ids=lambda wrong: f"{wrong.missing}: {wrong.code[:60]}")
def test_a_missing_column_is_found_with_the_one_that_was_meant(wrong: WrongProgram) -> None:
    assert wrong.missing in str(run(wrong.code))
    found = precheck(wrong.code, columns())
    assert wrong.missing in found.missing
    assert not found.ok
    if wrong.meant is not None:
        assert str(found.suggestions[wrong.missing][0].column) == wrong.meant
    assert wrong.missing in found.feedback


@pytest.mark.filterwarnings("ignore")
def test_misspelt_columns_are_found_and_what_still_runs_is_not_refused() -> None:
    asked = found = 0
    for program in right_programs():
        for code, wrong in misspelt(program):
            error = run(code)
            missing = precheck(code, columns()).missing
            if error is None:
                assert missing == (), code
            elif isinstance(error, KeyError | NameError | AttributeError) and wrong in str(error):
                asked += 1
                found += wrong in missing
    assert asked > 500
    assert found / asked >= LEAST_FOUND
