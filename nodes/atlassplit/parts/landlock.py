"""Landlock: the files that this process may still touch (Linux 5.13 and later), by plain system calls.

Numbers and bits are those of the kernel's include/uapi/linux/landlock.h.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from mindatlas.nodes.atlassplit.parts.kernel import syscall

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE

_READ: Final = _READ_FILE | _READ_DIR
# no symbolic links, devices, sockets or named pipes
_WRITE: Final = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _REFER | _TRUNCATE

# What each version of the interface can refuse: rights on files, on TCP ports, and towards processes outside.
_FILE_RIGHTS_BY_ABI: Final = ((5, (1 << 16) - 1), (3, (1 << 15) - 1), (2, (1 << 14) - 1), (1, (1 << 13) - 1))
_TCP_SINCE, _TCP_BIND_AND_CONNECT = 4, 0b11
_SCOPES_SINCE, _ABSTRACT_SOCKETS_AND_SIGNALS = 6, 0b11


def abi() -> int:
    """Return the version of the kernel's Landlock interface, 0 where it is missing or switched off."""
    if sys.platform != "linux":
        return 0
    try:
        return syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def restrict(*, readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Close the file system to the calling thread except for these files and trees; there is no way back.

    Covers opening, listing, creating, renaming and removing. Does not cover stat, chdir, chmod, chown and
    utime: those are for the system-call filter and a foreign user id. `no_new_privs` must be set. Paths that
    do not exist are left out.

    Args:
        readable: Files and directories that can be read.
        writable: Directories whose content can be read and changed, and files that can be written.

    Raises:
        OSError: The kernel has no Landlock or refused a rule.
    """
    version = abi()
    handled = next((rights for since, rights in _FILE_RIGHTS_BY_ABI if version >= since), 0)
    attributes = struct.pack(
        "QQQ",
        handled,
        _TCP_BIND_AND_CONNECT if version >= _TCP_SINCE else 0,
        _ABSTRACT_SOCKETS_AND_SIGNALS if version >= _SCOPES_SINCE else 0,
    )
    size = 24 if version >= _SCOPES_SINCE else 16 if version >= _TCP_SINCE else 8
    ruleset = syscall(_CREATE_RULESET, attributes[:size], size, 0)
    try:
        for path in readable:
            _add_rule(ruleset, path, _READ & handled)
        for path in writable:
            _add_rule(ruleset, path, _WRITE & handled)
        syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _add_rule(ruleset: int, path: Path, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _FILE_RIGHTS
        syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)
