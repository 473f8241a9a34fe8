"""The command `verify-reply`: check replies of any agent, or calibrate the rule on labelled ones."""

from __future__ import annotations

from pathlib import Path

from mindatlas.graphs.batch import Line, read_lines, run_batch_file
from mindatlas.graphs.console import print_json, print_text
from mindatlas.nodes.workdesk.parts.calibration import calibrate as calibrated
from mindatlas.nodes.workdesk.parts.verify_reply_lines import verify_line


def verify_batch(batch: Path, out: Path | None, *, resume: bool, length: int, coverage: float) -> int:
    """Check a JSONL of replies and return the exit code: 1 when a line failed, whatever the verdicts.

    Raises:
        UsageError: `resume` without `out`, or a threshold out of range.
    """

    def work(line: Line) -> Line:
        return verify_line(line, length=length, coverage=coverage)

    return run_batch_file(batch, out, work, resume=resume)


def calibrate(labelled: Path, *, as_json: bool) -> int:
    """Print the thresholds that labelled replies suggest, and return 0."""
    proposal = calibrated(list(read_lines(labelled)))
    if as_json:
        print_json(proposal)
    else:
        print_text("\n".join(f"{name}: {value}" for name, value in proposal.items()))
    return 0
