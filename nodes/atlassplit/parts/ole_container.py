"""Streams of an OLE container, the file system inside .xls files (MS-CFB)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_FIRST_MARK = 0xFFFFFFFA  # from here on numbers mark ends and free sectors
_DIRECTORY_AT, _CUTOFF_AT, _MINI_FAT_AT, _DIFAT_AT = 48, 56, 60, 68
_FIRST_FATS_AT, _FIRST_FATS = 76, 109
_ENTRY = 128
_ROOT = 5


def find_stream(data: bytes, *names: str) -> bytes | None:
    """Return the first stream called one of `names`, whatever the case; None when there is none.

    A damaged container gives a shorter stream or none, never an error.

    Args:
        data: The whole file, starting with `MAGIC`.
        names: Names of streams.
    """
    container = _Container(data)
    wanted = [name.casefold() for name in names]
    for name, kind, start, size in container.entries():
        if name.casefold() in wanted and kind != _ROOT:
            return container.stream(start, size)
    return None


class _Container:
    def __init__(self, data: bytes) -> None:
        self._data = data.ljust(512, b"\0")
        shift, mini_shift = struct.unpack_from("<HH", self._data, 30)
        self._size, self._mini_size = 1 << min(shift, 16), 1 << min(mini_shift, 16)
        self._cutoff = self._number(_CUTOFF_AT)
        fats = [number for number in self._fat_sectors() if number < _FIRST_MARK]
        self._fat = _numbers(b"".join(map(self._sector, fats)))
        self._directory = self._chain(self._number(_DIRECTORY_AT))

    def entries(self) -> Iterator[tuple[str, int, int, int]]:
        """Yield name, kind, first sector and size of each entry."""
        for at in range(0, len(self._directory) - _ENTRY + 1, _ENTRY):
            name_size, kind = struct.unpack_from("<HB", self._directory, at + 64)
            start, size = struct.unpack_from("<II", self._directory, at + 116)
            name = self._directory[at : at + max(min(name_size, 64) - 2, 0)].decode("utf-16-le", "replace")
            yield name, kind, start, size

    def stream(self, start: int, size: int) -> bytes:
        """Return a stream; a small one lies in the root's stream, in sectors of its own."""
        if size >= self._cutoff:
            return self._chain(start)[:size]
        root = next((first for _, kind, first, _ in self.entries() if kind == _ROOT), _FIRST_MARK)
        mini_fat = _numbers(self._chain(self._number(_MINI_FAT_AT)))
        small = self._chain(root)
        parts = [
            small[number * self._mini_size : (number + 1) * self._mini_size]
            for number in _follow(mini_fat, start)
        ]
        return b"".join(parts)[:size]

    def _fat_sectors(self) -> Iterator[int]:
        yield from struct.unpack_from(f"<{_FIRST_FATS}I", self._data, _FIRST_FATS_AT)
        following = self._number(_DIFAT_AT)
        for _ in range(len(self._data) // self._size):
            if following >= _FIRST_MARK:
                return
            *fats, following = _numbers(self._sector(following)) or [_FIRST_MARK]
            yield from fats

    def _chain(self, start: int) -> bytes:
        return b"".join(map(self._sector, _follow(self._fat, start)))

    def _sector(self, number: int) -> bytes:
        return self._data[(number + 1) * self._size : (number + 2) * self._size]

    def _number(self, at: int) -> int:
        (number,) = struct.unpack_from("<I", self._data, at)
        return int(number)


def _follow(table: Sequence[int], start: int) -> Iterator[int]:
    """Yield the sectors of a chain; a loop in a damaged table ends once every sector was met."""
    number = start
    for _ in table:
        if number >= len(table):
            return
        yield number
        number = table[number]


def _numbers(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
