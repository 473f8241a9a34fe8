"""Linux calls that the standard library lacks, as Python functions raising OSError."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Final

_libc = ctypes.CDLL(None, use_errno=True)

_CAPABILITY_VERSION: Final = 0x20080522


def syscall(number: int, *arguments: int | bytes | None) -> int:
    """Return the result of a system call; `bytes` are passed as a pointer to them.

    Raises:
        OSError: The call failed.
    """
    _libc.syscall.restype = ctypes.c_long
    return _checked(_libc.syscall(ctypes.c_long(number), *map(_word, arguments)))


def prctl(option: int, *arguments: int | bytes) -> int:
    """Return what the call gives for `option`, missing arguments being zero as some options demand.

    Raises:
        OSError: The call failed.
    """
    padded = [*arguments, 0, 0, 0, 0][:4]
    return _checked(_libc.prctl(ctypes.c_int(option), *map(_word, padded)))


def permitted_capabilities() -> int:
    """Return this thread's permitted capabilities as a bit set."""
    sets = ctypes.create_string_buffer(24)
    _checked(_libc.capget(struct.pack("Ii", _CAPABILITY_VERSION, 0), sets))
    low, high = struct.unpack_from("I", sets, 4)[0], struct.unpack_from("I", sets, 16)[0]
    return int(low | high << 32)


def set_capabilities(*, effective: int, permitted: int) -> None:
    """Set this thread's capabilities; inheritable and ambient ones end empty.

    Raises:
        OSError: `permitted` holds one that the thread does not have.
    """
    halves = [
        struct.pack("III", effective >> shift & 0xFFFFFFFF, permitted >> shift & 0xFFFFFFFF, 0)
        for shift in (0, 32)
    ]
    _checked(_libc.capset(struct.pack("Ii", _CAPABILITY_VERSION, 0), b"".join(halves)))


def _word(value: int | bytes | None) -> ctypes.c_long | bytes | None:
    return ctypes.c_long(value) if isinstance(value, int) else value


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
