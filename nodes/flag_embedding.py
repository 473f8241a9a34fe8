"""Loading BGE models through FlagEmbedding: late, offline unless told otherwise, and never as a surprise."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mindatlas.nodes.errors import SetupError

# Other formats of the same weights, which these classes do not read.
_UNREAD = ["*.onnx", "*.onnx_data", "onnx/*", "flax_model.msgpack", "rust_model.ot", "tf_model.h5"]


def require_extra(what: str) -> None:
    """Return if FlagEmbedding is installed; nothing is imported, for that takes 5 to 16 seconds.

    Raises:
        SetupError: it is not; `what` needs it.
    """
    if find_spec("FlagEmbedding") is None:
        raise SetupError(f"{what} needs FlagEmbedding and torch: pip install 'mindatlas[bge]'")


def weights_folder(model: str, *, allow_download: bool) -> Path:
    """Return the folder with the weights of `model`: itself, or where the hub's cache has it.

    Without `allow_download` no request is made.

    Raises:
        SetupError: the weights are not on this machine, or could not be fetched.
    """
    if (folder := Path(model).expanduser()).is_dir():
        return folder
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, local_files_only=not allow_download, ignore_patterns=_UNREAD))
    except HFValidationError as error:
        raise SetupError(f"There is no folder {model!r}, and it is no name of a model on the hub") from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError) as error:
        raise SetupError(
            f"The weights of {model!r} are not on this machine: run hf download {model}, or name their folder"
        ) from error


def load(kind: str, folder: Path, **arguments: Any) -> Any:
    """Return an object of FlagEmbedding's class `kind` with the weights in `folder`, on the best device here.

    Half precision is used on an accelerator only: on a CPU it is not faster, or not supported.

    Raises:
        SetupError: FlagEmbedding does not import, or the folder holds no such model.
    """
    try:
        import FlagEmbedding
        import torch
    except ImportError as error:
        raise SetupError(
            f"FlagEmbedding cannot be imported ({error}): pip install 'mindatlas[bge]'"
        ) from error
    device = _device(torch)
    try:
        return getattr(FlagEmbedding, kind)(
            str(folder), devices=device, use_fp16=device != "cpu", **arguments
        )
    except (OSError, ValueError, KeyError) as error:
        raise SetupError(f"The folder {str(folder)!r} holds no model that can be loaded: {error}") from error


def _device(torch: Any) -> str:
    """Return one device: FlagEmbedding would start a pool of processes for several."""
    if torch.cuda.is_available():
        return "cuda:0"
    return "mps" if torch.backends.mps.is_available() else "cpu"
