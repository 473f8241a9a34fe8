"""The cases that exist already: what a new draft is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from mindatlas.evals.cases import Case
from mindatlas.evals.learning.near_duplicates import Wording, most_alike, wording_of
from mindatlas.evals.learning.question_kinds import question_kind
from mindatlas.evals.learning.question_reading import QuestionReader
from mindatlas.evals.suite import read_suite


@dataclass(frozen=True, kw_only=True)
class KnownCases:
    """The cases of one graph, read for comparison.

    Attributes:
        wordings: id and wording of each case.
        kinds: how many cases each question kind has.
    """

    wordings: Sequence[tuple[str, Wording]]
    kinds: Counter[str]

    def like(self, asked: Wording) -> str | None:
        """Return the id of the case that asks the same, None where there is none."""
        return most_alike(asked, self.wordings)


def bundled_suites() -> list[str]:
    """Return the names of the suites that come with the package, sorted."""
    folder = Path(str(files("mindatlas.evals").joinpath("suites")))
    return sorted(path.stem for path in folder.glob("*.yaml"))


def known_cases(suites: Sequence[str], graph: str, reader: QuestionReader | None) -> KnownCases:
    """Return the cases of `graph` in `suites`; with a reader their kinds come from the question, else from the case.

    Raises:
        UsageError: there is no such suite, or a case id stands twice.
        FileReadError: a file cannot be read.
    """
    read = [read_suite(name) for name in suites]
    cases = {case.id: case for suite in read if suite.graph == graph for case in suite.read_cases()}
    return KnownCases(
        wordings=[(name, wording_of(case.query, reader)) for name, case in cases.items()],
        kinds=Counter(_kind(case, reader) for case in cases.values()),
    )


def _kind(case: Case, reader: QuestionReader | None) -> str:
    return question_kind(reader.light_read(case.query)) if reader else case.case_type
