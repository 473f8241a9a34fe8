"""A variant as its file describes it: the suite, and what is set otherwise than there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from mindatlas.evals.files import read_text, read_yaml
from mindatlas.evals.suite import find_suite
from mindatlas.nodes.errors import UsageError

_PATH_SETTINGS = ("kb", "mcp", "overlays", "record", "replay")


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One side of an experiment.

    Attributes:
        settings: of the graph, over those of the suite.
        prompts: texts used instead of the prompts' files, by prompt.
        budget: limits of a run (`duration_s`, `cost`, `tokens`); None = there is none.
        judge: the judge's tiers and prompts, as the judge names them; None = measures only.
    """

    suite: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    budget: Mapping[str, float] | None = None
    judge: Mapping[str, Any] | None = None

    def with_settings(self, settings: Mapping[str, Any]) -> Variant:
        """Return the variant with `settings` over its own."""
        return replace(self, settings={**self.settings, **settings})


def read_variant(path: Path) -> Variant:
    """Return the variant in a YAML file; paths in it start from its folder, unless they name nothing there.

    Raises:
        FileReadError: the file, or a prompt's file, cannot be read.
        UsageError: there is no such suite.
    """
    data = read_yaml(path, "arm")
    prompts = {name: read_text(path.parent / file) for name, file in data.get("prompts", {}).items()}
    beside = path.parent / data["suite"]
    return Variant(
        suite=find_suite(beside if beside.is_file() else data["suite"]),
        settings=_located(data.get("settings", {}), path.parent),
        prompts=prompts,
        budget=data.get("budget"),
        judge=data.get("judge"),
    )


def _located(settings: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return settings whose paths lead there from anywhere; what is no path beside the file stays as it is."""

    def located(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [located(one) for one in value]
        beside = folder / value if isinstance(value, str) and value else None
        return str(beside) if beside is not None and beside.exists() else value

    return {name: located(value) if name in _PATH_SETTINGS else value for name, value in settings.items()}


def check_pair(variants: Mapping[str, Variant]) -> None:
    """Check that variants differ in nothing that must be the same: the suite, the budget and the judge.

    Raises:
        UsageError: they do; the message names the two values.
    """
    first = next(iter(variants.values()))
    for name, other in variants.items():
        for what in ("suite", "budget", "judge"):
            ours, theirs = getattr(first, what), getattr(other, what)
            if what == "suite":
                ours, theirs = ours.resolve(), theirs.resolve()
            if ours != theirs:
                raise UsageError(
                    f"All variants need the same {what}, but {name!r} has {theirs!r}, not {ours!r}"
                )


def shipped_pair(name: str) -> tuple[Path, Path]:
    """Return the files of a shipped experiment, baseline first: `prompt`, `tool` or `context`.

    Raises:
        UsageError: there is no such experiment.
    """
    folder = Path(str(files("mindatlas.evals").joinpath("experiments_shipped")))
    pair = folder / f"{name}.baseline.yaml", folder / f"{name}.candidate.yaml"
    if not pair[0].is_file():
        known = ", ".join(sorted(path.name.split(".")[0] for path in folder.glob("*.baseline.yaml")))
        raise UsageError(f"There is no shipped experiment {name!r}; expected one of: {known}")
    return pair
