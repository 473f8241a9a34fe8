"""Exceptions of mindatlas.

MindatlasError
├── UsageError          wrong use or bad input (exit code 2)
│   └── FileReadError   a file that cannot be read as what it claims to be
├── SetupError          a model, key, extra or index is missing (exit code 3)
├── StoreError          a store on disk is newer, locked or damaged (exit code 2)
├── ModelTransportError a model could not be reached, or failed to answer (exit code 1)
└── ModelReplyError     a model answered, but not in the form asked for (exit code 1)

An expected outcome of a run is data in the state, never an exception.
"""


class MindatlasError(Exception):
    """Base class of all errors that mindatlas raises on purpose."""

    exit_code = 1


class UsageError(MindatlasError):
    """The caller asked for something impossible; the message says what to do instead."""

    exit_code = 2


class FileReadError(UsageError):
    """A file cannot be read as what it claims to be; the message names the file and the reason."""


class SetupError(MindatlasError):
    """Something must be installed or configured first; the message holds the command."""

    exit_code = 3


class StoreError(MindatlasError):
    """A store on disk is of a newer format, locked by another writer, or damaged."""

    exit_code = 2


class ModelTransportError(MindatlasError):
    """No reply came from a model after the retries; the message names the address and what to check."""


class ModelReplyError(MindatlasError):
    """A model replied, but the reply could not be read as the form that was asked for."""
