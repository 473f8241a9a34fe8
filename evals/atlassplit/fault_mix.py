"""Which simulated fault each task gets: drawn by its id from a mix that lies in a data file."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from mindatlas.evals.files import read_yaml
from mindatlas.nodes.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class FaultMix:
    """How often which fault is put in.

    Attributes:
        faulty_share: of the tasks, in [0, 1]; the others get the right program.
        shares: of each fault among the faulty tasks; they add up to 1.
        seed: of the draws.
    """

    faulty_share: float
    shares: Mapping[str, float]
    seed: int = 0

    def model_for(self, case_id: str) -> str:
        """Return the model name for a task: `builtin`, or `faulty:n` for the fault En.

        The draw depends on the seed and the id alone, so that no other task changes it.
        """
        rng = random.Random(f"{self.seed}:{case_id}")
        if rng.random() >= self.faulty_share:
            return "builtin"
        kind = rng.choices(list(self.shares), weights=list(self.shares.values()))[0]
        return f"faulty:{kind.removeprefix('E')}"

    def to_dict(self) -> dict[str, Any]:
        """Return the mix as JSON."""
        return {**asdict(self), "shares": dict(self.shares)}


def read_fault_mix(name: str, *, seed: int = 0) -> FaultMix:
    """Return the mix in a YAML file, or the bundled one of that name.

    Raises:
        UsageError: there is neither, or the shares do not add up to 1.
        FileReadError: the file is no fault mix.
    """
    bundled = Path(str(files("mindatlas.evals").joinpath("faults", f"{name}.yaml")))
    path = Path(name) if Path(name).is_file() else bundled
    if not path.is_file():
        raise UsageError(f"There is no fault mix {name!r}: neither a file nor a bundled one")
    data = read_yaml(path, "fault_mix")
    shares = {kind: float(entry["share"]) for kind, entry in sorted(data["faults"].items())}
    if abs(sum(shares.values()) - 1) > 1e-9:
        raise UsageError(f"The shares in {str(path)!r} add up to {sum(shares.values()):g}, not to 1")
    return FaultMix(faulty_share=float(data["faulty_share"]["share"]), shares=shares, seed=seed)
