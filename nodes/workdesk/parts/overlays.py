"""Overlay files: one YAML file for each server, read strictly, so that a misspelt field is told and not passed over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from mindatlas.nodes.errors import FileReadError, UsageError
from mindatlas.nodes.workdesk.parts.overlay_model import ServerOverlay

_ENDINGS = (".yaml", ".yml")
_SHOWN = 5  # problems of one file that a message lists


def load_overlays(folders: Sequence[Path] = ()) -> dict[str, ServerOverlay]:
    """Return what is known of the servers' tools, by server: the shipped files and those in `folders`.

    A file of `folders` replaces the shipped one of the same server as a whole, and one of a later folder that of
    an earlier. A path may also name a single file.

    Raises:
        UsageError: a folder is missing, or two files of one folder are for the same server.
        FileReadError: a file is no YAML, or has a field that overlays do not have or a value of another form; the
            message names the file and each field.
    """
    shipped = files("mindatlas.nodes.workdesk").joinpath("overlays")
    found = _of_folder(sorted(shipped.iterdir(), key=lambda file: file.name))
    for folder in folders:
        found.update(_of_folder(_listed(folder)))
    return found


def shipped_servers() -> dict[str, ServerOverlay]:
    """Return the overlays that ship with mindatlas, by server."""
    return load_overlays()


def read_overlay(text: str, name: str) -> ServerOverlay:
    """Return the overlay in `text`; `name` stands for the file in messages.

    Raises:
        FileReadError: see `load_overlays`.
    """
    try:
        content = yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise FileReadError(f"The overlay {name!r} is no YAML: {_said(error)}") from error
    if not isinstance(content, dict):
        raise FileReadError(
            f"The overlay {name!r} must hold 'server' and 'tools', not {type(content).__name__}"
        )
    try:
        overlay = ServerOverlay.model_validate(content)
    except ValidationError as error:
        raise FileReadError(f"The overlay {name!r} cannot be used: {_problems(error)}") from error
    _check_hidden(overlay, name)
    return overlay


def _listed(folder: Path) -> list[Traversable]:
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise UsageError(f"There is no overlay folder {str(folder)!r}")
    return sorted(folder.iterdir(), key=lambda file: file.name)


def _of_folder(listed: Iterable[Traversable]) -> dict[str, ServerOverlay]:
    found: dict[str, ServerOverlay] = {}
    names: dict[str, str] = {}
    for file in listed:
        if not file.name.lower().endswith(_ENDINGS) or not file.is_file():
            continue
        overlay = read_overlay(_text(file), str(file))
        if overlay.server in found:
            raise UsageError(
                f"The overlays {names[overlay.server]!r} and {str(file)!r} are both for the server "
                f"{overlay.server!r}: keep one"
            )
        found[overlay.server], names[overlay.server] = overlay, str(file)
    return found


def _text(file: Traversable) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileReadError(f"The overlay {str(file)!r} cannot be read as UTF-8 text: {error}") from error


def _check_hidden(overlay: ServerOverlay, name: str) -> None:
    """Refuse a parameter that a call needs and that nobody can give."""
    for tool, known in overlay.tools.items():
        for parameter in known.hidden:
            if parameter in (known.required or ()) and parameter not in known.defaults:
                raise FileReadError(
                    f"The overlay {name!r} cannot be used: tools.{tool}.hidden: {parameter!r} is required and has "
                    "no value under 'defaults', so no call could give it"
                )


def _problems(error: ValidationError) -> str:
    problems = error.errors(include_url=False)
    lines = [f"{_where(one['loc'])}: {one['msg']}, not {one['input']!r:.60}" for one in problems[:_SHOWN]]
    if (more := len(problems) - _SHOWN) > 0:
        lines.append(f"and {more} more")
    return "; ".join(lines)


def _where(location: Sequence[int | str]) -> str:
    return ".".join(str(step) for step in location if step != "[key]") or "the file"


def _said(error: yaml.YAMLError) -> str:
    return " ".join(str(error).split())


class _Loader(yaml.SafeLoader):
    """Reads keys as the text that stands there (`0`, `on`, `no`), refuses a key twice, and knows no dates."""

    yaml_implicit_resolvers = {  # noqa: RUF012  as the base class has it
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: ARG002  overrides
        """Return the mapping under `node`; `<<` takes over another one.

        Raises:
            yaml.constructor.ConstructorError: a key stands twice, or is no plain text.
        """
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key must be plain text", key.start_mark
                )
            if key.value in seen:
                problem = f"the key {key.value!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        self.flatten_mapping(node)  # what `<<` brings comes first, so that the mapping's own keys win
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}
