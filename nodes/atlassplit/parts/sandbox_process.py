"""The preloaded parent as seen from the process that uses it: started, asked, ended."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from mindatlas.nodes.atlassplit.parts import job_directory
from mindatlas.nodes.atlassplit.parts.sandbox_channel import receive, send
from mindatlas.nodes.errors import SetupError

_START_TIMEOUT_S: Final = 60
_END_TIMEOUT_S: Final = 5

# Nothing of this process's environment; what is here keeps the parent from starting threads.
_ENVIRONMENT: Final = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}

# With -I neither the working directory nor PYTHONPATH counts, so the search path comes over the channel:
# the parent must find the libraries that this process uses.
_START: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.stdin.readline()); "
    "from mindatlas.nodes.atlassplit.parts.sandbox_parent import main; main()"
)


class ParentDied(Exception):
    """The preloaded parent ended or stopped answering; it has been cleared away."""


class ParentProcess:
    """A running preloaded parent and the directory under which its runs have theirs.

    Not thread safe: one exchange at a time.
    """

    def __init__(self) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="mindatlas-sandbox-"))
        self.base.chmod(0o711)  # a run's foreign user passes through and sees no other run
        self._tables: object = None
        self._channel, far_end = socket.socketpair()
        with far_end:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", "-c", _START, str(self.base)],
                stdin=far_end.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=_ENVIRONMENT,
                cwd="/",
                start_new_session=True,  # Ctrl-C in a terminal is for this process, which then ends the run
            )
        try:
            self._channel.sendall(json.dumps(_search_path()).encode() + b"\n")
            self._channel.settimeout(_START_TIMEOUT_S)
            self.abilities = receive(self._channel)
        except (EOFError, OSError) as error:
            said = self._end_and_listen()
            raise SetupError(f"the sandbox's parent process did not start: {said or error}") from error
        except BaseException:
            self.close()
            raise

    @property
    def uid(self) -> int | None:
        """The user id that runs get, None when it is that of this process."""
        uid: int | None = self.abilities["uid"]
        return uid

    def is_alive(self) -> bool:
        """Return whether the process still runs."""
        return self._process.poll() is None

    def new_directory(self) -> Path:
        """Return a new directory that only a run's user can enter.

        Raises:
            ParentDied: The process is gone, and the directory of its runs with it.
        """
        try:
            directory = Path(tempfile.mkdtemp(prefix="run-", dir=self.base))
        except FileNotFoundError as error:
            self.close()
            raise ParentDied("it ended before the run") from error
        if self.uid is not None:
            os.chown(directory, self.uid, self.uid)
        return directory

    def exchange(self, request: dict[str, Any], *, timeout_s: float) -> dict[str, Any]:
        """Send the request for a run and return its report.

        Raises:
            ParentDied: No report came in time, or the process is gone; it has been cleared away.
        """
        tables = (request["frames"], request["books"])
        try:
            self._channel.settimeout(timeout_s)
            if self._tables not in (None, tables):
                send(self._channel, {"forget": True})
            self._tables = tables
            send(self._channel, request)
            return receive(self._channel)
        except (EOFError, OSError) as error:
            self.close()
            raise ParentDied(str(error)) from error
        except BaseException:  # Ctrl-C: the report would be taken for that of the next request
            self.close()
            raise

    def close(self) -> None:
        """End the process and its run, if there is one, and remove the directory; again is nothing."""
        self._channel.close()
        try:
            self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()  # the kernel ends keeper and run with it
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        job_directory.remove(self.base)

    def _end_and_listen(self) -> str:
        self._channel.close()
        self._process.kill()
        _, said = self._process.communicate()
        job_directory.remove(self.base)
        lines: list[str] = said.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


def _search_path() -> list[str]:
    """Return where modules are found; an entry that is no path is the hook of an editable installation."""
    return [str(Path(entry).absolute()) if Path(entry).exists() else entry for entry in sys.path if entry]
