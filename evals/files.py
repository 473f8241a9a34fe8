"""Reading and writing the bench's files: JSON lines, JSON and YAML, each checked against a schema, written atomically."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from mindatlas.nodes.errors import FileReadError
from mindatlas.nodes.storage import ensure_folder, write_atomically

_LINE_ENDS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}


def canonical(value: Any) -> str:
    """Return `value` as canonical JSON: sorted keys, no spaces, UTF-8, no NaN.

    Raises:
        ValueError: `value` holds NaN or an infinity.
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(value: Any) -> str:
    """Return the SHA-256 of `value` as canonical JSON, in hex."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def json_line(value: Mapping[str, Any]) -> str:
    """Return `value` as one line of JSON, whatever a reader takes for the end of a line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).translate(_LINE_ENDS) + "\n"


def read_jsonl(path: Path, schema: str | None = None) -> list[dict[str, Any]]:
    """Return the objects of a JSONL file, each checked against `evals/schemas/<schema>.json`.

    Raises:
        FileReadError: the file cannot be read, or a line is no such object; the message names file and line.
    """
    return [value for _, value in _lines(path, schema)]


def _lines(path: Path, schema: str | None) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, text in enumerate(read_text(path).split("\n"), start=1):
        if text.strip():
            yield number, _object(text, f"{str(path)!r}, line {number}", schema)


def _object(text: str, where: str, schema: str | None) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise FileReadError(f"{where} is no JSON: {error}") from error
    return _checked(value, where, schema)


def read_json(path: Path, schema: str | None = None) -> dict[str, Any]:
    """Return the object in a JSON file, checked against a schema.

    Raises:
        FileReadError: the file cannot be read, or holds no such object.
    """
    return _object(read_text(path), repr(str(path)), schema)


def read_yaml(path: Path, schema: str | None = None) -> dict[str, Any]:
    """Return the mapping in a YAML file, checked against a schema.

    Raises:
        FileReadError: the file cannot be read, or holds no such mapping.
    """
    try:
        value = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        raise FileReadError(f"{str(path)!r} is no YAML: {error}") from error
    return _checked(value, repr(str(path)), schema)


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file.

    Raises:
        FileReadError: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FileReadError(f"Cannot read {str(path)!r}: {error}") from error


def write_jsonl(path: Path, values: Iterable[Mapping[str, Any]]) -> None:
    """Write `values` one a line, so that a reader sees the old or the new file, never a part."""
    write_file(path, "".join(map(json_line, values)))


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write `value` indented, with sorted keys, atomically."""
    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    write_file(path, text + "\n")


def write_file(path: Path, content: str) -> None:
    """Write `content` atomically, making the folder where it is missing."""
    ensure_folder(path.parent)
    write_atomically(path, content)


def _checked(value: Any, where: str, schema: str | None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FileReadError(f"{where} holds {type(value).__name__}, expected an object")
    if schema is not None:
        fault = min(_validator(schema).iter_errors(value), key=lambda error: error.json_path, default=None)
        if fault is not None:
            raise FileReadError(f"{where} is no {schema}: {fault.json_path}: {fault.message}")
    return value


@cache
def _validator(schema: str) -> Draft202012Validator:
    source = files("mindatlas.evals").joinpath("schemas", f"{schema}.json")
    return Draft202012Validator(json.loads(source.read_text(encoding="utf-8")))
