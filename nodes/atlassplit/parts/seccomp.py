"""The system-call filter of a sandboxed program, as a BPF program put in place with prctl.

Assembled here rather than through libseccomp: its Python binding is a thin wrapper over a C library
that a user's machine may lack, and the filter needs no more than five kinds of instruction.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct
from dataclasses import dataclass
from typing import Final

from mindatlas.nodes.atlassplit.parts.kernel import prctl
from mindatlas.nodes.atlassplit.parts.syscalls import (
    FIRST_SHARED_NUMBER,
    Machine,
    checked_numbers,
    free_numbers,
    machine,
    pretended_numbers,
)

_AUDIT_ARCH: Final[dict[Machine, int]] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT: Final = 0x40000000

_LOAD, _AND = 0x20, 0x54
_IF_EQUAL, _IF_AT_LEAST = 0x15, 0x35
_RETURN = 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000  # plus the error; without one the call returns 0

# struct seccomp_data: int nr; u32 arch; u64 instruction_pointer; u64 args[6]
_NUMBER_AT, _ARCH_AT, _ARGS_AT = 0, 4, 16

_CLONE_THREAD = 0x00010000
_CLONE_NAMESPACES = 0x7E020080
_O_TRUNC, _O_ACCMODE = 0o1000, 0o3
_READABLE_OR_WRITING = (0, 1, 2, _O_TRUNC | 1, _O_TRUNC | 2)
# duplicate, descriptor flags, status flags, record locks (own and open-file)
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030)
# TCGETS (isatty), TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
_IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# PR_SET_NAME, PR_GET_NAME, PR_SET_VMA (glibc names its mappings)
_PRCTL_OPTIONS = (15, 16, 0x53564D41)

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


@dataclass(frozen=True, kw_only=True)
class _Argument:
    """A call passes when `arg[index] & mask` is one of `values`.

    The kernel reads each argument checked here as 32 bits, so the low half decides.
    """

    index: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF


def _checks(pid: int) -> dict[str, _Argument]:
    truncation = _O_TRUNC | _O_ACCMODE
    return {
        # a thread, never a process or a namespace
        "clone": _Argument(index=0, mask=_CLONE_THREAD | _CLONE_NAMESPACES, values=(_CLONE_THREAD,)),
        # opening "read-only" with O_TRUNC empties a readable file where Landlock is older than ABI 3
        "open": _Argument(index=1, mask=truncation, values=_READABLE_OR_WRITING),
        "openat": _Argument(index=2, mask=truncation, values=_READABLE_OR_WRITING),
        # without F_SETOWN and F_SETSIG, by which a file sends any signal to any process of the user
        "fcntl": _Argument(index=1, values=_FCNTL_COMMANDS),
        "ioctl": _Argument(index=1, values=_IOCTL_REQUESTS),
        "prctl": _Argument(index=0, values=_PRCTL_OPTIONS),
        "prlimit64": _Argument(index=0, values=(0, pid)),
        "kill": _Argument(index=0, values=(pid,)),
        "tgkill": _Argument(index=0, values=(pid,)),
    }


def prepare() -> bool:
    """Return whether there is a filter for this machine; if so, most of it is ready for `restrict`."""
    this = machine()
    return this is not None and bool(_same_for_all(this))


def restrict() -> None:
    """Let the calling thread, and the threads it starts, make only the listed system calls.

    Other calls fail with EPERM, those that glibc replaces by an older one with ENOSYS; a change of mode or
    times is answered with success and not done. There is no way back. `no_new_privs` must be set.

    Raises:
        OSError: The kernel refused the filter, or there is none for this machine.
    """
    this = machine()
    if this is None:
        raise OSError(errno.ENOSYS, f"no system-call table for machine {os.uname().machine!r}")
    code = program(this, os.getpid())
    buffer = ctypes.create_string_buffer(code, len(code))
    # struct sock_fprog: unsigned short len; struct sock_filter *filter
    header = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer))
    prctl(_PR_SET_SECCOMP, _MODE_FILTER, header)


def program(on: Machine, pid: int) -> bytes:
    """Return the filter as BPF instructions of 8 bytes for the process `pid` on machine `on`."""
    checks = _checks(pid)
    parts = [_checked_call(number, checks[name]) for name, number in checked_numbers(on).items()]
    parts += [
        # clone3 among them: its flags lie in memory that a filter cannot read; glibc falls back on clone
        _instruction(_IF_AT_LEAST, FIRST_SHARED_NUMBER, skip_if_false=1),
        _instruction(_RETURN, _REFUSE | errno.ENOSYS),
        _instruction(_RETURN, _REFUSE | errno.EPERM),
    ]
    return _same_for_all(on) + b"".join(parts)


@functools.cache
def _same_for_all(on: Machine) -> bytes:
    """Return the first part of every process's filter: the machine, and the calls whose number decides."""
    parts = [
        _instruction(_LOAD, _ARCH_AT),
        _instruction(_IF_EQUAL, _AUDIT_ARCH[on], skip_if_true=1),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER_AT),
    ]
    if on == "x86_64":
        parts += [_instruction(_IF_AT_LEAST, _X32_BIT, skip_if_false=1), _instruction(_RETURN, _KILL)]
    for number in free_numbers(on):
        parts += [_instruction(_IF_EQUAL, number, skip_if_false=1), _instruction(_RETURN, _ALLOW)]
    for number in pretended_numbers(on):
        parts += [_instruction(_IF_EQUAL, number, skip_if_false=1), _instruction(_RETURN, _REFUSE)]
    return b"".join(parts)


def _checked_call(number: int, argument: _Argument) -> bytes:
    body = [
        _instruction(_LOAD, _ARGS_AT + 8 * argument.index),
        _instruction(_AND, argument.mask),
    ]
    for value in argument.values:
        body += [_instruction(_IF_EQUAL, value, skip_if_false=1), _instruction(_RETURN, _ALLOW)]
    body.append(_instruction(_RETURN, _REFUSE | errno.EPERM))
    return _instruction(_IF_EQUAL, number, skip_if_false=len(body)) + b"".join(body)


def _instruction(code: int, value: int, *, skip_if_true: int = 0, skip_if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, skip_if_true, skip_if_false, value)
