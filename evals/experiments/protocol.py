"""The protocol: everything that decides an experiment, written down and hashed before the first run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.experiments.effective_inputs import effective_inputs, switches_of
from mindatlas.evals.experiments.plan import Plan, check_repetitions
from mindatlas.evals.experiments.variant import Variant, check_pair
from mindatlas.evals.files import canonical, digest, read_json, write_file, write_json
from mindatlas.evals.fixtures import fixtures_of
from mindatlas.evals.measures.registry import measures_of
from mindatlas.evals.suite import Suite
from mindatlas.nodes.errors import UsageError

FORMAT = 1
FILE, PLAN_FILE = "protocol.json", "plan.json"
_OF_A_MACHINE = ("kb", "mcp", "overlays", "record", "replay")  # paths; what lies there is hashed by content


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """A protocol and its hash.

    Attributes:
        content: JSON-like; the same on every machine with the same inputs.
        sha256: of the content as canonical JSON.
    """

    content: Mapping[str, Any]
    sha256: str

    def plan(self) -> Plan:
        """Return the plan that follows from the protocol."""
        content = self.content
        clusters = {case["id"]: case["cluster"] for case in content["cases"] if case["cluster"] is not None}
        return Plan(
            protocol=self.sha256,
            cases=tuple(case["id"] for case in content["cases"]),
            repetitions=content["repetitions"],
            variants=tuple(content["variants"]),
            budget=content["budget"],
            seed=content["seed"],
            clusters=clusters if len(clusters) == len(content["cases"]) else {},
            switches=tuple(content["switches"]),
        )


def make_protocol(
    suite: Suite,
    cases: Sequence[Case],
    variants: Mapping[str, Variant],
    identities: Mapping[str, Mapping[str, Any]],
    *,
    repetitions: int,
    seed: int,
) -> Protocol:
    """Return the protocol of an experiment.

    Args:
        suite: which measures count, and when a case passes.
        cases: what is asked, in order.
        variants: by name, the baseline first.
        identities: what the runner of each variant says decides its outputs.
        repetitions: runs of each case and variant, 1 to 10.
        seed: of the bootstrap and the sign flips.

    Raises:
        UsageError: the variants differ in suite, budget or judge, or a figure is impossible.
    """
    check_repetitions(repetitions)
    check_pair(variants)
    first = next(iter(variants.values()))
    inputs = {
        name: effective_inputs(suite.graph, identities[name], variant.prompts)
        for name, variant in variants.items()
    }
    content = {
        "format": FORMAT,
        "suite": {"name": suite.name, "graph": suite.graph, "version": suite.protocol_version},
        "cases": [
            {"id": case.id, "sha256": case.content_hash, "cluster": case.extra.get("cluster")} for case in cases
        ],
        "fixtures": fixtures_of(cases, identities),
        "measures": {name: measure.version for name, measure in measures_of(suite.graph).items()},
        "passes_when": {name: vars(bound) for name, bound in suite.passes_when.items()},
        "thresholds": {name: vars(threshold) for name, threshold in suite.measures.items()},
        "primary": suite.primary,
        "judge": first.judge,
        "budget": first.budget,
        "seed": seed,
        "repetitions": repetitions,
        "variants": list(variants),
        "settings": {name: _resolved(identity) for name, identity in identities.items()},
        "inputs": inputs,
        "switches": switches_of(inputs),
        "code": {"version": version("mindatlas"), **{n: identity["code"] for n, identity in identities.items()}},
    }  # fmt: skip
    return Protocol(content=content, sha256=digest(content))


def write_protocol(protocol: Protocol, folder: Path) -> None:
    """Write the protocol and its plan to `folder`, before the first run."""
    write_file(
        folder / FILE, f'{{"sha256": "{protocol.sha256}", "protocol": {canonical(protocol.content)}}}\n'
    )
    write_json(folder / PLAN_FILE, protocol.plan().to_dict())


def read_protocol(folder: Path) -> Protocol:
    """Return the protocol in `folder`.

    Raises:
        FileReadError: there is none that can be read.
        UsageError: the content is not the one that was hashed.
    """
    data = read_json(folder / FILE)
    if digest(data.get("protocol")) != data.get("sha256"):
        raise UsageError(
            f"{str(folder / FILE)!r} was changed after it was hashed: its runs cannot be trusted"
        )
    return Protocol(content=data["protocol"], sha256=data["sha256"])


def changed_keys(before: Protocol, after: Protocol) -> list[str]:
    """Return the top-level entries in which two protocols differ, sorted."""
    names = {*before.content, *after.content}
    return sorted(name for name in names if before.content.get(name) != after.content.get(name))


def _resolved(identity: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with `auto` resolved and without the paths of this machine."""
    settings = {key: value for key, value in identity["settings"].items() if key not in _OF_A_MACHINE}
    return {**settings, **({"reranker": identity["reranker"]} if "reranker" in identity else {})}
