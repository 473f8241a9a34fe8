"""Cases: what is asked and what a good answer holds; read from JSON lines, checked, and known by their content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from mindatlas.evals.files import digest, read_jsonl
from mindatlas.nodes.errors import UsageError

Source = Literal["hand", "user_feedback", "import"]
_NAMES = ("expected_entities", "expected_context", "forbidden_entities")
_OWN = ("id", *_NAMES, "expected", "case_type", "source", "reviewed", "created")
_NOT_CONTENT = ("source", "reviewed", "created")  # who made a case does not change what it asks


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case of an evaluation set.

    Attributes:
        id: unique in its set, stable.
        query: the question or request.
        case_type: the kind, by which measures are also reported.
        expected_entities: every subject that a good answer may use.
        expected_context: the passages a good answer may rest on.
        forbidden_entities: subjects that must not be recommended.
        expected: the reference answer, or the expected result.
        extra: the keys that only one graph's cases have (filters, history, workbooks …).
        folder: of the file it was read from, which paths in the case start from; no part of what it asks.
    """

    id: str
    query: str
    case_type: str
    expected_entities: tuple[str, ...] = ()
    expected_context: tuple[str, ...] = ()
    forbidden_entities: tuple[str, ...] = ()
    expected: Any = None
    source: Source = "hand"
    reviewed: bool = False
    created: str = "1970-01-01"
    extra: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = field(default=None, compare=False, repr=False)

    @cached_property
    def content_hash(self) -> str:
        """The SHA-256 of what the case asks and expects; who made it and when is no part of it."""
        return digest({name: value for name, value in self.to_dict().items() if name not in _NOT_CONTENT})

    def to_dict(self) -> dict[str, Any]:
        """Return the case as a line of its file holds it; the query stands under `query`."""
        own = {name: getattr(self, name) for name in _OWN}
        lists = {name: list(value) if isinstance(value, tuple) else value for name, value in own.items()}
        return {**self.extra, **lists, "query": self.query}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], folder: Path | None = None) -> Case:
        """Return the case in a checked line, `folder` being its file's; `request` is read as the query."""
        own: dict[str, Any] = {name: data[name] for name in _OWN if name in data}
        own |= {name: tuple(own[name]) for name in _NAMES if name in own}
        extra = {
            key: value for key, value in data.items() if key not in {*_OWN, "query", "request", "folder"}
        }
        folder = Path(data["folder"]) if "folder" in data else folder
        return cls(**own, query=str(data.get("query", data.get("request"))), extra=extra, folder=folder)


def read_cases(paths: Iterable[Path]) -> list[Case]:
    """Return the cases of JSONL files, in order.

    Raises:
        FileReadError: a file or a line cannot be read as cases.
        UsageError: two cases share an id, or there is none.
    """
    paths = list(paths)
    cases = [Case.from_dict(line, path.parent) for path in paths for line in read_jsonl(path, "case")]
    if repeated := [name for name, count in Counter(case.id for case in cases).items() if count > 1]:
        raise UsageError(f"The case id {repeated[0]!r} stands more than once; ids must be unique")
    if not cases:
        raise UsageError(f"There is no case in {', '.join(repr(str(path)) for path in paths) or 'no file'}")
    return cases


def set_hash(cases: Sequence[Case]) -> str:
    """Return one hash for a set of cases, whatever their order."""
    return digest(sorted([case.id, case.content_hash] for case in cases))
