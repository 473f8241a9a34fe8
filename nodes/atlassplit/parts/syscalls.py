"""The system calls a sandboxed program may make, with their numbers per machine.

A list of what is allowed, not of what is forbidden: a call that a later kernel adds is refused until
someone has read about it. Numbers are the kernel's own tables (arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h); None where a machine has no such call.
"""

from __future__ import annotations

import platform
from typing import Final, Literal

Machine = Literal["x86_64", "aarch64"]

_COLUMN: Final[dict[Machine, int]] = {"x86_64": 0, "aarch64": 1}

# name: (x86_64, aarch64)
_FREE: Final[dict[str, tuple[int | None, int | None]]] = {
    # reading and writing: which file may be opened at all is for Landlock to say
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "lseek": (8, 62),
    "pread64": (17, 67),
    "pwrite64": (18, 68),
    "readv": (19, 65),
    "writev": (20, 66),
    "preadv": (295, 69),
    "pwritev": (296, 70),
    "sendfile": (40, 71),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "flock": (73, 32),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "ftruncate": (77, 46),
    "fadvise64": (221, 223),
    "close_range": (436, 436),
    # files by name; no link, chown, mknod, truncate or xattr
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "getdents": (78, None),
    "getdents64": (217, 61),
    "getcwd": (79, 17),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "umask": (95, 166),
    # memory; no memfd, which would hold data outside every quota
    "brk": (12, 214),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "msync": (26, 227),
    "mincore": (27, 232),
    "madvise": (28, 233),
    # threads and own signals
    "futex": (202, 98),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "set_tid_address": (218, 96),
    "arch_prctl": (158, None),
    "gettid": (186, 178),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "getcpu": (309, 168),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    "wait4": (61, 260),
    "exit": (60, 93),
    "exit_group": (231, 94),
    # clocks
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "alarm": (37, None),
    "getitimer": (36, 102),
    "setitimer": (38, 103),
    # what a process may know about itself
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getpgrp": (111, None),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getgroups": (115, 158),
    "getpriority": (140, 141),
    "getrlimit": (97, 163),
    "setrlimit": (160, 164),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "uname": (63, 160),
    "getrandom": (318, 278),
}

# Allowed only with certain arguments, see seccomp.py.
_CHECKED: Final[dict[str, tuple[int | None, int | None]]] = {
    "clone": (56, 220),
    "open": (2, None),
    "openat": (257, 56),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "kill": (62, 129),
    "tgkill": (234, 131),
}

# Answered with success and not done: what lies outside must not change, and in the run's own directory a
# file's mode and times mean nothing, but copying a file or writing a workbook sets them.
_PRETENDED: Final[dict[str, tuple[int | None, int | None]]] = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}

# From this number on the tables of all machines agree (kernel 5.1 and later).
FIRST_SHARED_NUMBER: Final = 424


def machine() -> Machine | None:
    """Return this machine's name in the tables, or None when there is no table for it."""
    name = platform.machine()
    return name if name in ("x86_64", "aarch64") else None  # type: ignore[return-value]


def free_numbers(on: Machine) -> list[int]:
    """Return the numbers of the calls that are allowed with any argument, ascending."""
    return _numbers(_FREE, on)


def pretended_numbers(on: Machine) -> list[int]:
    """Return the numbers of the calls that are answered with success and not done, ascending."""
    return _numbers(_PRETENDED, on)


def checked_numbers(on: Machine) -> dict[str, int]:
    """Return name and number of the calls whose arguments decide."""
    column = _COLUMN[on]
    return {name: number for name, row in _CHECKED.items() if (number := row[column]) is not None}


def _numbers(table: dict[str, tuple[int | None, int | None]], on: Machine) -> list[int]:
    column = _COLUMN[on]
    return sorted(number for row in table.values() if (number := row[column]) is not None)
