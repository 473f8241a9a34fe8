"""A process that runs cases: JSON lines in on stdin, JSON lines out on stdout, over at the end of stdin.

A process of its own because the graphs' rules are Python: threads would share one core. When the parent is killed
its end of the pipe closes, so no worker outlives a run.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from mindatlas.evals.cases import Case
from mindatlas.evals.files import json_line
from mindatlas.evals.runners import CaseRunner, open_runner
from mindatlas.nodes.errors import MindatlasError


def main() -> None:
    """Open the runner that the first line asks for, say what decides its outputs, then run one case a line."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints must not stand between the replies
    try:
        asked = json.loads(sys.stdin.readline())
        runner = open_runner(asked["graph"], asked["settings"])
        _reply(replies, {"identity": runner.identity()})
        for line in sys.stdin:
            _reply(replies, _run(runner, _case(json.loads(line))))
    except MindatlasError as error:
        _reply(replies, {"fatal": {"type": type(error).__name__, "message": str(error)}})


def _case(sent: Mapping[str, Any]) -> Case:
    return Case.from_dict(sent["case"], Path(sent["folder"]) if sent["folder"] else None)


def _run(runner: CaseRunner, case: Case) -> dict[str, object]:
    started, clock = datetime.now(UTC).isoformat(timespec="milliseconds"), time.perf_counter()
    try:
        return {**asdict(runner.run(case)), "started": started}
    except MindatlasError:
        raise
    except Exception as error:  # a bug in a graph is no result; the other cases still have one
        reason = f"{type(error).__name__}: {error}"
        seconds = time.perf_counter() - clock
        return {"output": None, "duration_s": seconds, "cost": None, "error": reason, "started": started}


def _reply(replies: TextIO, reply: dict[str, object]) -> None:
    replies.write(json_line(reply))
    replies.flush()


if __name__ == "__main__":
    main()
