"""The command `mindatlas`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an expected error ends with its message and exit code, never a traceback."""
    from mindatlas.graphs.cli import app
    from mindatlas.graphs.console import report_error
    from mindatlas.nodes.errors import MindatlasError

    try:
        app()
    except MindatlasError as error:
        report_error(error, as_json="--json" in sys.argv)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(1)


if __name__ == "__main__":
    main()
