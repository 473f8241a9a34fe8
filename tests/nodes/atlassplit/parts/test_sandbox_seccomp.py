"""The system-call filter, run here by an interpreter of its instructions, for both kinds of machine."""

from __future__ import annotations

import errno
import struct

import pytest

from mindatlas.nodes.atlassplit.parts.seccomp import program
from mindatlas.nodes.atlassplit.parts.syscalls import Machine, checked_numbers, free_numbers

ALLOW, KILL = 0x7FFF0000, 0x80000000
ARCHITECTURES: dict[Machine, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
PID = 4321
MACHINES = pytest.mark.parametrize("machine", ["x86_64", "aarch64"])


def _answer(machine: Machine, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Return the filter's verdict as the kernel computes it."""
    words = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<iIQ6Q", number, architecture or ARCHITECTURES[machine], 0, *words)
    steps = list(struct.iter_unpack("<HBBI", program(machine, PID)))
    accumulator = at = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("<I", data, value)[0]
        elif code == 0x54:
            accumulator &= value
        elif code in (0x15, 0x35):
            holds = accumulator == value if code == 0x15 else accumulator >= value
            at += if_true if holds else if_false
        else:
            assert code == 0x06
            return int(value)


def _error(answer: int) -> int:
    assert answer & 0xFFFF0000 == 0x00050000
    return answer & 0xFFFF


@MACHINES
def test_program_fits_the_kernel(machine: Machine) -> None:
    assert 0 < len(program(machine, PID)) // 8 <= 4096  # BPF_MAXINSNS


@MACHINES
def test_everything_not_listed_is_refused(machine: Machine) -> None:
    listed = {*free_numbers(machine), *checked_numbers(machine).values()}
    for number in range(600):
        answer = _answer(machine, number, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
        if number in free_numbers(machine):
            assert answer == ALLOW
        elif number in listed or number < 424:
            assert _error(answer) in (errno.EPERM, 0)
        else:
            assert _error(answer) == errno.ENOSYS


@MACHINES
def test_calls_of_another_machine_end_the_process(machine: Machine) -> None:
    assert _answer(machine, 0, architecture=0x40000003) == KILL
    assert _answer("x86_64", 0x40000000) == KILL


@pytest.mark.parametrize(
    ("name", "arguments", "allowed"),
    [
        ("clone", (0x3D0F00,), True),  # a thread of glibc
        ("clone", (0x7D0F00,), True),  # a thread of musl
        ("clone", (0x01200011,), False),  # fork
        ("clone", (0x4111,), False),  # vfork
        ("clone", (0x10000 | 0x10000000,), False),  # a user namespace
        ("clone", (0x10000 | 0x00000080,), False),  # a time namespace
        ("openat", (-100 & 0xFFFFFFFF, 0, 0o0), True),
        ("openat", (0, 0, 0o1101), True),  # write, create, truncate
        ("openat", (0, 0, 0o1000), False),  # read and truncate
        ("openat", (0, 0, 0xFFFFFFFF_00001200), False),
        ("fcntl", (3, 1030), True),
        ("fcntl", (3, 8), False),
        ("fcntl", (3, 0xFFFFFFFF_00000008), False),
        ("ioctl", (1, 0x5401), True),
        ("ioctl", (1, 0x5412), False),  # TIOCSTI
        ("prctl", (15,), True),
        ("prctl", (38,), False),
        ("prlimit64", (0,), True),
        ("prlimit64", (PID,), True),
        ("prlimit64", (1,), False),
        ("kill", (PID,), True),
        ("kill", (0,), False),
        ("kill", (0xFFFFFFFF,), False),
        ("tgkill", (PID,), True),
        ("tgkill", (PID + 1,), False),
    ],
)
@MACHINES
def test_arguments_decide(machine: Machine, name: str, arguments: tuple[int, ...], allowed: bool) -> None:
    answer = _answer(machine, checked_numbers(machine)[name], *arguments)
    assert answer == ALLOW if allowed else _error(answer) == errno.EPERM


@pytest.mark.parametrize(
    ("machine", "numbers"), [("x86_64", (90, 91, 268, 132, 235, 261, 280)), ("aarch64", (52, 53, 88))]
)
def test_changes_of_mode_and_times_are_pretended(machine: Machine, numbers: tuple[int, ...]) -> None:
    assert {_error(_answer(machine, number)) for number in numbers} == {0}
