"""What a child gives up before it runs foreign code: limits, privileges, files, system calls.

The order matters: each step needs something that a later one takes away.
"""

from __future__ import annotations

import functools
import os
import resource
import signal
import sys
import sysconfig
import zoneinfo
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mindatlas.nodes.atlassplit.parts import landlock, seccomp
from mindatlas.nodes.atlassplit.parts.execution import Limits, Tier
from mindatlas.nodes.atlassplit.parts.kernel import permitted_capabilities, prctl, set_capabilities

# Above every range that systemd's table of user ids gives to somebody (systemd.io/UIDS-GIDS).
_FIRST_UNUSED_UID: Final = 1_900_000_000
_NOBODY: Final = 65534

_READ_ANYWHERE: Final = 1 << 2  # CAP_DAC_READ_SEARCH
_CHANGE_IDS: Final = 1 << 6 | 1 << 7  # CAP_SETGID, CAP_SETUID
_PR_SET_PDEATHSIG, _PR_SET_KEEPCAPS, _PR_SET_NO_NEW_PRIVS = 1, 8, 38

_SYSTEM_FILES: Final = (
    "/usr/lib",
    "/usr/lib64",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/mime.types",
    "/etc/localtime",
    "/dev/urandom",
)

_MB: Final = 1024 * 1024
_SPARE_FILES: Final = 2


@dataclass(frozen=True, kw_only=True)
class Confinement:
    """How a child is confined.

    Attributes:
        tier: `landlock` adds the file and system-call boundary; `subprocess` has none.
        uid: The user and group to become, None to stay.
        directory: The run's own directory, the only one that can be written.
    """

    tier: Tier
    uid: int | None
    directory: Path
    limits: Limits

    def enter(self) -> None:
        """Confine the calling process for good; it must have a single thread.

        Raises:
            OSError: A step failed; the process must not run foreign code.
        """
        parent = os.getppid()
        os.chdir(self.directory)
        _limit_resources(self.limits, alone=self.uid is not None)
        if sys.platform == "linux":
            _drop_privileges(self.uid)
        die_with(parent)
        if self.tier == "landlock":
            landlock.restrict(readable=readable_paths(), writable=[self.directory, Path(os.devnull)])
            seccomp.restrict()


def foreign_uid() -> int | None:
    """Return a user id that nobody else has, None when this process may not change its own.

    In a user namespace that maps few ids it is that of nobody, if mapped.
    """
    if sys.platform != "linux" or permitted_capabilities() & _CHANGE_IDS != _CHANGE_IDS:
        return None
    wanted = _FIRST_UNUSED_UID + os.getpid()
    for uid in (wanted, _NOBODY):
        if _is_mapped(uid, "uid") and _is_mapped(uid, "gid"):
            return uid
    return None


def die_with(parent: int) -> None:
    """Have the kernel kill this process when `parent` dies; a change of user ids undoes it. Linux only."""
    if sys.platform == "linux":
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # it died before the signal was asked for


def release_spare_files() -> None:
    """Let this process open the files of its result, even when the program has used up its descriptors."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@functools.cache
def readable_paths() -> tuple[Path, ...]:
    """Return the files and trees that a Python program with pandas needs for reading and nothing more."""
    libraries = {entry for entry in sys.path if _holds_libraries(Path(entry))}
    python = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found = libraries | python | {f"{sys.base_prefix}/lib"} | {*_SYSTEM_FILES, *zoneinfo.TZPATH}
    return tuple(Path(path) for path in sorted(found))


def _holds_libraries(entry: Path) -> bool:
    """Return whether a part of the search path holds installed packages, rather than somebody's project."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    if entry.name in ("site-packages", "dist-packages"):
        return True
    inside = any(entry.is_relative_to(Path(prefix) / "lib") for prefix in prefixes)
    return inside or next(entry.glob("*.dist-info"), None) is not None


def _limit_resources(limits: Limits, *, alone: bool) -> None:
    bounds: dict[int, tuple[int, int]] = {
        resource.RLIMIT_FSIZE: (limits.file_mb * _MB, limits.file_mb * _MB),
        resource.RLIMIT_NOFILE: (limits.open_files, limits.open_files + _SPARE_FILES),
        # a first signal that says why, and one second later one that nobody can ignore
        resource.RLIMIT_CPU: (limits.cpu_s, limits.cpu_s + 1),
        resource.RLIMIT_CORE: (0, 0),
    }
    if mapped := _mapped_bytes():
        allowed = mapped + limits.memory_mb * _MB
        bounds[resource.RLIMIT_AS] = (allowed, allowed)
    if alone:  # counted per user: beside other processes of the same user it would stop the threads
        bounds[resource.RLIMIT_NPROC] = (limits.open_files, limits.open_files)
    for kind, wanted in bounds.items():
        _, most = resource.getrlimit(kind)
        bounded = most != resource.RLIM_INFINITY
        soft, hard = (min(bound, most) if bounded else bound for bound in wanted)
        resource.setrlimit(kind, (soft, hard))


def _mapped_bytes() -> int:
    """Return the address space already in use, 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except FileNotFoundError:
        return 0


def _drop_privileges(uid: int | None) -> None:
    prctl(_PR_SET_KEEPCAPS, 1)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    spare = permitted_capabilities() & _READ_ANYWHERE
    set_capabilities(effective=0, permitted=spare)
    # An interpreter below a closed home (/root/.pyenv) is out of a foreign user's reach. Reading past file
    # modes keeps it in reach; what can be opened for reading at all stays Landlock's decision.
    needed = 0 if _can_read_interpreter() else spare
    set_capabilities(effective=needed, permitted=needed)
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def _can_read_interpreter() -> bool:
    import pandas as pd  # at hand in the preloaded parent, and not needed to import this module

    try:
        for module in (os, pd):
            with Path(str(module.__file__)).open("rb"):
                pass
    except PermissionError:
        return False
    return True


def _is_mapped(identity: int, kind: str) -> bool:
    for line in Path(f"/proc/self/{kind}_map").read_text().splitlines():
        first, _, count = map(int, line.split())
        if first <= identity < first + count:
            return True
    return False
