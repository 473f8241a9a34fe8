"""Simulated faults over the builtin writer, to watch and test the repairs offline; always labelled simulated."""

from __future__ import annotations

import random
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.code_faults import FAULTS
from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft, CodeRequest, CodeWriter


class FaultyCodeWriter:
    """Writes as `writer` does, with one named fault until the findings hold what is needed to mend it.

    Args:
        writer: The writer that is right.
        seed: 1 to 7 choose the faults E1 to E7; any other number chooses with the request.
    """

    def __init__(self, writer: CodeWriter, seed: int) -> None:
        self._writer = writer
        self._seed = seed

    def write(self, request: CodeRequest) -> CodeDraft:
        """Return the right program where the findings tell how, else the broken one; a refusal stays."""
        draft = self._writer.write(request)
        if draft.refusal is not None:
            return draft
        kind = self.fault_for(request.request)
        fault = FAULTS[kind]
        if request.feedback and fault.told(draft.code, request.feedback, request.books):
            return draft
        notice = f"Simulated fault {kind}: {fault.name}."
        broken = fault.spoil(draft.code, request.books)
        return replace(draft, code=broken, notices=(*draft.notices, notice))

    def fault_for(self, request: str) -> str:
        """Return the name of the fault for a request."""
        kinds = sorted(FAULTS)
        if 1 <= self._seed <= len(kinds):
            return kinds[self._seed - 1]
        return random.Random(f"{self._seed}:{request}").choice(kinds)
