"""What really decides a graph's output beside the case, sorted by dimension, and what differs between variants.

A prompt counts by its rendered text and only with a model that reads prompts; a knowledge base counts by its
content, not by its name; tools count by the schemas as a model is told them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Literal

from typing_extensions import TypedDict

from mindatlas.evals.files import digest
from mindatlas.nodes.models_settings import model_kind
from mindatlas.prompts import render, replaced, source, variables

Dimension = Literal["model", "prompt", "tool", "context", "repair", "limit"]
Inputs = dict[str, dict[str, Any]]

_MODEL = ("model", "base_url")
_CONTEXT = (
    "candidates",
    "passages",
    "reranker",
    "rerank_budget_s",
    "include_hidden",
    "private",
    "today",
    "tools",
)
_ELSEWHERE = (
    "disabled",
    "kb",
    "mcp",
    "overlays",
    "record",
    "replay",
)  # by content, or of no effect on a result


class Switch(TypedDict):
    """One effective input that differs; None where a variant has no such input."""

    dimension: str
    key: str
    values: dict[str, Any]


def effective_inputs(graph: str, identity: Mapping[str, Any], prompts: Mapping[str, str]) -> Inputs:
    """Return the effective inputs of one variant by dimension and key.

    Args:
        graph: its name.
        identity: what its runner says decides its outputs.
        prompts: texts used instead of the prompts' files, by prompt.
    """
    settings = identity["settings"]
    inputs: Inputs = {
        "model": {name: settings[name] for name in _MODEL if name in settings},
        "prompt": _prompt_hashes(graph, prompts) if model_kind(settings["model"]) == "chat" else {},
        "tool": dict(identity.get("tools", {})),
        "context": {name: settings[name] for name in _CONTEXT if name in settings},
        "repair": {f"without {name}": True for name in settings.get("disabled", ())},
        "limit": {},
    }
    if identity.get("simulated_faults") is not None:
        inputs["model"]["simulated_faults"] = identity["simulated_faults"]
    inputs["context"] |= {name: identity[name] for name in ("reranker", "knowledge_base") if name in identity}
    known = {*_MODEL, *_CONTEXT, *_ELSEWHERE}
    inputs["limit"] = {name: value for name, value in settings.items() if name not in known}
    return inputs


def switches_of(inputs: Mapping[str, Inputs]) -> list[Switch]:
    """Return what differs between the variants' effective inputs, by dimension and key."""
    keys = sorted({(kind, key) for one in inputs.values() for kind, held in one.items() for key in held})
    found = []
    for kind, key in keys:
        values = {variant: one.get(kind, {}).get(key) for variant, one in inputs.items()}
        if any(value != next(iter(values.values())) for value in values.values()):
            found.append(Switch(dimension=kind, key=key, values=values))
    return found


def prompt_names(graph: str) -> list[str]:
    """Return the prompts that `graph` may use, its own and those of all models, sorted."""
    root = files("mindatlas.prompts")
    folders = [folder for folder in (graph, "models") if root.joinpath(folder).is_dir()]
    found = (f"{folder}/{file.name}" for folder in folders for file in root.joinpath(folder).iterdir())
    return sorted(name.removesuffix(".md") for name in found if name.endswith(".md"))


def _prompt_hashes(graph: str, prompts: Mapping[str, str]) -> dict[str, str]:
    """Return the hash of each prompt, rendered with its variables' names for their values."""
    with replaced(prompts):
        return {name: digest(_rendered(name)) for name in prompt_names(graph)}


def _rendered(name: str) -> str:
    return render(name, **{variable: f"[{variable}]" for variable in variables(source(name))})
