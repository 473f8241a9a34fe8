"""Every repair as a log event, and as a draft of an evaluation case."""

from __future__ import annotations

import functools
import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from mindatlas.nodes.tracing import Node
from mindatlas.nodes.workdesk.parts.calls import Repair

LOGGER = logging.getLogger("mindatlas.workdesk.repairs")


def logged(node: Node) -> Node:
    """Return `node`, logging each repair that it adds to the state: at INFO, with `repair` and `tool` as extras."""

    @functools.wraps(node)
    def run(state: Any, parts: Any) -> Mapping[str, Any]:
        update = node(state, parts)
        for repair in update.get("repairs", [])[len(state.get("repairs") or []) :]:
            _log(repair)
        return update

    return run


def _log(repair: Repair) -> None:
    LOGGER.info(
        "%s: %s",
        repair["kind"],
        repair["reason"],
        extra={"repair": repair["kind"], "tool": repair.get("tool", "")},
    )


def draft_cases(question: str, repairs: Sequence[Repair], created: date) -> list[dict[str, Any]]:
    """Return a draft evaluation case for each repair of a run; nobody has reviewed them yet.

    The id follows from question and repair alone, so that the same repair drafted twice is one case.
    """
    return [_draft(question, repair, created) for repair in repairs]


def _draft(question: str, repair: Repair, created: date) -> dict[str, Any]:
    content = json.dumps([question, repair], ensure_ascii=False, sort_keys=True, default=str)
    return {
        "id": f"desk-{hashlib.sha256(content.encode()).hexdigest()[:12]}",
        "query": question,
        "expected_entities": [],
        "expected_context": [],
        "forbidden_entities": [],
        "expected": {"repairs": [repair["kind"]], "before": repair["before"], "after": repair["after"]},
        "case_type": repair["kind"],
        "source": "import",
        "reviewed": False,
        "created": created.isoformat(),
        "note": repair["reason"],
    }
