"""No right program may be refused: each runs with pandas, and the precheck finds nothing missing in it."""

from __future__ import annotations

import pytest

from mindatlas.nodes.atlassplit.parts.precheck import precheck
from tests.nodes.atlassplit.parts.frame_flow.frames import columns
from tests.nodes.atlassplit.parts.frame_flow.programs import right_programs, run


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", right_programs())
def test_a_program_that_pandas_runs_is_not_refused(code: str) -> None:
    assert run(code) is None
    found = precheck(code, columns())
    assert (found.missing, found.ok) == ((), True), found.feedback


@pytest.mark.parametrize("code", right_programs())
def test_nothing_is_missing_where_no_column_is_known(code: str) -> None:
    assert precheck(code, {}).missing == ()
