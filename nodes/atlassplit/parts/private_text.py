"""What may be told of a run: in private ones texts of the program are masked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindatlas.nodes.atlassplit.parts.book_reader import inputs_of
from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.publishing import Masker
from mindatlas.nodes.atlassplit.parts.rounds import ErrorView
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class Teller:
    """Returns texts as they may leave the machine and enter the audit: unchanged unless the run is private."""

    def __init__(self, masker: Masker | None, code: str) -> None:
        self._masker = masker
        self._code = code

    @classmethod
    def of(cls, state: Mapping[str, Any], parts: AtlasSplitParts, *, strictly: bool = False) -> Teller:
        """Return the teller for a state.

        Words of the request stay readable, since the user wrote them and a model got them; `strictly`, for what is
        kept, those go too that are cell values.
        """
        if not parts.settings.private:
            return cls(None, state["code"])
        books = parts.reader.recall(state["files"], state["request"])
        frames = {key: read_frame(path) for key, path in inputs_of(books).frames.items()}
        names = [file.book for file in books.files]
        request = "" if strictly else state["request"]
        return cls(Masker(frames, request=request, names=names), state["code"])

    def text(self, text: str) -> str:
        """Return a text that the program wrote."""
        return text if self._masker is None else self._masker.text(text, code=self._code)

    def code(self, code: str) -> str:
        """Return a program; a masked one may no longer run."""
        return code if self._masker is None else self._masker.code(code)

    def error(self, error: ErrorView | None) -> ErrorView | None:
        """Return an error; its line stays."""
        if error is None or self._masker is None:
            return error
        message, traceback = self.text(error["message"]), self.text(error["traceback"])
        return {
            **error,
            "kind": self._masker.kind(error["kind"]),
            "message": message,
            "traceback": traceback,
        }

    def chart(self, chart: dict[str, Any] | None) -> dict[str, Any] | None:
        """Return a chart's spec, its texts as any other text of the program."""
        if chart is None or self._masker is None:
            return chart
        return {name: self.text(value) if isinstance(value, str) else value for name, value in chart.items()}
