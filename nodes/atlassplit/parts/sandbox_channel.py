"""Messages between this process and the sandbox's parent: JSON behind a length of four bytes."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any, Final

# Code, paths and what a program printed; tables never travel here.
_LARGEST: Final = 256 * 1024 * 1024


def send(channel: socket.socket, message: dict[str, Any]) -> None:
    """Send one message.

    Raises:
        OSError: The other end is gone.
    """
    body = json.dumps(message).encode()
    channel.sendall(struct.pack(">I", len(body)) + body)


def receive(channel: socket.socket) -> dict[str, Any]:
    """Return the next message.

    Raises:
        EOFError: The other end is gone.
        TimeoutError: The channel's timeout passed.
    """
    size: int = struct.unpack(">I", _read(channel, 4))[0]
    if size > _LARGEST:
        raise EOFError(f"a message of {size} bytes cannot be one of ours")
    message: dict[str, Any] = json.loads(_read(channel, size))
    return message


def _read(channel: socket.socket, size: int) -> bytes:
    pieces = bytearray()
    while len(pieces) < size:
        piece = channel.recv(min(size - len(pieces), 1 << 20))
        if not piece:
            raise EOFError("the sandbox's other end closed the channel")
        pieces += piece
    return bytes(pieces)
