"""The folder of a release: written aside, made whole, then moved to its place in one step."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from mindatlas.evals.release.counts import Counts
from mindatlas.evals.release.data_card import data_card
from mindatlas.evals.release.record_schema import record_schema
from mindatlas.nodes.errors import SetupError, UsageError

CHECKSUMS: Final = "SHA256SUMS"


def require_empty(folder: Path) -> None:
    """Raise unless `folder` is new or empty: a release is never changed once it is written.

    Raises:
        UsageError: It is a file, or holds something.
        SetupError: It cannot be looked into.
    """
    try:
        if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
            raise UsageError(f"{str(folder)!r} is there already; name a new folder for the release")
    except OSError as error:
        raise SetupError(f"cannot look into {str(folder)!r}: {error.strerror}") from error


@contextmanager
def aside(folder: Path) -> Iterator[Path]:
    """Give a folder beside `folder` to write in; whatever is still there at the end is removed.

    Raises:
        SetupError: Nothing can be written there, or the disk is full.
    """
    place: Path | None = None
    try:
        folder.absolute().parent.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(dir=folder.absolute().parent, prefix=f".{folder.name}."))
        yield place
    except OSError as error:
        raise SetupError(
            f"cannot write the release {str(folder)!r}: {error.strerror or error}; nothing of it was kept"
        ) from error
    finally:
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)


def complete(
    place: Path, folder: Path, counts: Counts, sample: Sequence[str], looked_for: tuple[int, int]
) -> None:
    """Write everything beside the records, and move the whole to `folder`.

    Args:
        place: Where records.jsonl lies.
        folder: Where the release shall lie.
        counts: Of the records.
        sample: Lines of the review sample.
        looked_for: How many business terms, and how many names and cells.
    """
    terms, seen = looked_for
    checksum = _sha256(place / "records.jsonl")
    schema = json.dumps(record_schema(), ensure_ascii=False, indent=1)
    form = Template(_text("review_form.md")).substitute(
        sampled=len(sample), records=counts.records, checksum=checksum
    )
    contents = {
        "schema.json": schema + "\n",
        "README.md": data_card(counts, sampled=len(sample), terms=terms, seen=seen),
        "LICENSE": _text("licence.md"),
        "review/sample.jsonl": "".join(sample),
        "review/SIGN.md": form,
    }
    for name, content in contents.items():
        _write(place / name, content)
    names = sorted(["records.jsonl", *contents])
    _write(place / CHECKSUMS, "".join(f"{_sha256(place / name)}  {name}\n" for name in names))
    _move(place, folder)


def _move(place: Path, folder: Path) -> None:
    for path in (place, *(path for path in place.rglob("*"))):
        _to_disk(path)
    place.chmod(0o755)
    place.replace(folder.absolute())
    _to_disk(folder.absolute().parent)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _text(name: str) -> str:
    return files("mindatlas.evals.release").joinpath(name).read_text(encoding="utf-8")
