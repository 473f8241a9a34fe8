"""An event loop in a thread of its own, for code that is not asynchronous."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Returned = TypeVar("Returned")
Work = Callable[[], Coroutine[Any, Any, Returned]]
_CANCEL_S = 5.0


class LoopThread:
    """Runs coroutines on one loop, which starts at once and ends with `close`."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._ended = False
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Work[Returned], timeout_s: float) -> Returned:
        """Return what `work` brings.

        Raises:
            TimeoutError: it takes longer than `timeout_s`; it is cancelled then.
            ConnectionAbortedError: the loop was closed meanwhile, or before.
        """
        with self._lock:
            if self._ended:
                raise ConnectionAbortedError("The sessions were closed")
            future = asyncio.run_coroutine_threadsafe(work(), self._loop)
        return _outcome(future, timeout_s)

    def close(self, last: Work[None], timeout_s: float) -> None:
        """Run `last`, cancel what still runs, and end the loop; after `timeout_s` it ends all the same."""
        with self._lock:
            self._ended = True
        try:
            for work in (last, _cancel_others):
                _outcome(asyncio.run_coroutine_threadsafe(work(), self._loop), timeout_s)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=timeout_s)
            if not self._thread.is_alive():
                self._loop.close()


def _outcome(future: concurrent.futures.Future[Returned], timeout_s: float) -> Returned:
    try:
        return future.result(timeout_s)
    except concurrent.futures.CancelledError as error:
        raise ConnectionAbortedError("The sessions were closed meanwhile") from error
    finally:
        future.cancel()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=_CANCEL_S)
