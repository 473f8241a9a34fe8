"""Workers: processes that run cases side by side, and what is done when one of them dies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty, Queue
from typing import Any, Protocol

from mindatlas.evals.cases import Case
from mindatlas.evals.files import json_line
from mindatlas.nodes import errors

Reply = dict[str, Any]


class Pool(Protocol):
    """Runs cases and says what decides their outputs."""

    def identity(self) -> dict[str, Any]:
        """Return what decides an output beside the case, JSON-like."""
        ...

    def run(self, cases: Sequence[Case]) -> Iterator[tuple[Case, Reply]]:
        """Yield each case with its reply, in order of completion."""
        ...


class Worker:
    """One process with an open runner.

    Raises:
        MindatlasError: the runner cannot be opened; the kind and the message are those of the worker.
    """

    def __init__(self, graph: str, settings: Mapping[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mindatlas.evals.regression.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "LANGSMITH_TRACING": "false"},
        )
        reply = self._ask({"graph": graph, "settings": dict(settings)})
        if "identity" not in reply:
            self.close()
            raise errors.SetupError(f"A worker for {graph!r} could not start: {reply['error']}")
        self.identity: dict[str, Any] = reply["identity"]

    def run(self, case: Case) -> Reply:
        """Return the reply for a case; a worker that dies over it is an infrastructure error."""
        folder = None if case.folder is None else str(case.folder)  # where the case's own files lie
        return self._ask({"case": case.to_dict(), "folder": folder})

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # a dead worker does not take what was still to be written
                    pipe.close()
        self._process.wait(timeout=30)

    def _ask(self, question: Mapping[str, Any]) -> Reply:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json_line(question))
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = self._process.wait(timeout=30)
            return {"output": None, "duration_s": 0.0, "cost": None, "error": f"the worker died with {code}"}
        reply: Reply = json.loads(line)
        if "fatal" in reply:
            self.close()
            raise getattr(errors, reply["fatal"]["type"], errors.UsageError)(reply["fatal"]["message"])
        return reply


class ProcessPool:
    """Runs cases in up to `size` processes; the first opens what all of them share before the others start."""

    def __init__(self, graph: str, settings: Mapping[str, Any], *, size: int) -> None:
        self._graph, self._settings, self._size = graph, settings, size
        self._first: Worker | None = Worker(graph, settings)
        self._identity = self._first.identity

    def identity(self) -> dict[str, Any]:
        """Return what the first worker said."""
        return self._identity

    def run(self, cases: Sequence[Case]) -> Iterator[tuple[Case, Reply]]:
        """Yield each case with its reply, in order of completion; a fatal error of a worker is raised."""
        todo: Queue[Case] = Queue()
        for case in cases:
            todo.put(case)
        done: Queue[tuple[Case, Reply] | BaseException | None] = Queue()
        size = min(self._size, len(cases))
        threads = [threading.Thread(target=self._work, args=(todo, done), daemon=True) for _ in range(size)]
        for thread in threads:
            thread.start()
        running = len(threads)
        while running:
            result = done.get()
            if isinstance(result, BaseException):
                raise result
            if result is None:
                running -= 1
            else:
                yield result

    def close(self) -> None:
        """End the first worker where no case was left for it."""
        if self._first is not None:
            self._first.close()
            self._first = None

    def _work(self, todo: Queue[Case], done: Queue[tuple[Case, Reply] | BaseException | None]) -> None:
        worker: Worker | None = None
        try:
            while True:
                case = todo.get_nowait()
                if worker is not None and not worker.alive:
                    worker.close()
                    worker = None
                worker = worker or self._open()
                done.put((case, worker.run(case)))
        except Empty:
            done.put(None)
        except BaseException as error:  # handed to the caller's thread, which raises it
            done.put(error)
        finally:
            if worker is not None:
                worker.close()

    def _open(self) -> Worker:
        first, self._first = self._first, None
        if first is not None and first.alive:
            return first
        if first is not None:
            first.close()
        return Worker(self._graph, self._settings)
