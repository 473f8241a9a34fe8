"""Ablation: every repair of a graph off in turn, by layer, and all at once, each against all on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

from mindatlas.evals.experiments.comparison import Comparison, compare_variants
from mindatlas.evals.experiments.completeness import Checked, Defect
from mindatlas.evals.experiments.plan import Plan
from mindatlas.evals.experiments.variant import Variant
from mindatlas.evals.files import read_yaml
from mindatlas.evals.statistics import holm
from mindatlas.nodes.errors import UsageError

ALL_ON, ALL_OFF = "all on", "all off"
LAYERS = Path(__file__).with_name("layers.yaml")
_LITERALS = {  # where each graph says which repairs its setting `disabled` takes
    "atlassplit": ("mindatlas.nodes.atlassplit.parts.toolkit", "Repair"),
    "mindtrip": ("mindatlas.nodes.mindtrip.parts.toolkit", "Repair"),
    "workdesk": ("mindatlas.nodes.workdesk.parts.calls", "RepairKind"),
}


@dataclass(frozen=True, kw_only=True)
class AblationRow:
    """What switching something off does, as a comparison with all on.

    Attributes:
        p_holm: corrected for the number of rows; None while the experiment is incomplete.
    """

    name: str
    off: tuple[str, ...]
    comparison: Comparison
    p_holm: float | None


@dataclass(frozen=True, kw_only=True)
class Ablation:
    """All rows, in the order of the plan; a defect of any run blocks every figure."""

    plan: Plan
    rows: tuple[AblationRow, ...]
    defects: tuple[Defect, ...]

    @property
    def complete(self) -> bool:
        """Whether every planned run has a valid result."""
        return not self.defects

    def to_dict(self) -> dict[str, Any]:
        """Return the ablation as its JSON report holds it."""
        rows = [
            {"name": row.name, "off": list(row.off), "p_holm": row.p_holm, **row.comparison.to_dict()}
            for row in self.rows
        ]
        told = [{key: value for key, value in row.items() if key not in _ONCE} for row in rows]
        return {
            "complete": self.complete,
            "protocol": self.plan.protocol,
            "cases": len(self.plan.cases),
            "repetitions": self.plan.repetitions,
            "defects": [asdict(defect) for defect in self.defects],
            "rows": told,
            "does_not_show": rows[0]["does_not_show"] if rows else [],
        }


_ONCE = ("protocol", "cases", "repetitions", "switches", "defects", "does_not_show", "rows")


def repairs_of(graph: str) -> tuple[str, ...]:
    """Return the repairs of `graph` that can be switched off.

    Raises:
        UsageError: there is no such graph.
    """
    if graph not in _LITERALS:
        raise UsageError(
            f"There is no graph {graph!r} to ablate; expected one of: {', '.join(sorted(_LITERALS))}"
        )
    module, name = _LITERALS[graph]
    return get_args(getattr(import_module(module), name))


def layers_of(graph: str) -> dict[str, tuple[str, ...]]:
    """Return the layers of `graph` that hold more than one repair; a repair alone has its own row.

    Raises:
        UsageError: a layer names a repair that the graph does not have.
    """
    known = repairs_of(graph)
    layers = {name: tuple(repairs) for name, repairs in read_yaml(LAYERS).get(graph, {}).items()}
    for name, repairs in layers.items():
        if unknown := sorted(set(repairs) - set(known)):
            raise UsageError(f"The layer {name!r} of {graph} names {unknown[0]!r}, which is no repair of it")
    return {name: repairs for name, repairs in layers.items() if 1 < len(repairs) < len(known)}


def switched_off(graph: str) -> dict[str, tuple[str, ...]]:
    """Return what each variant of an ablation switches off: nothing first, then each repair, each layer, and all."""
    repairs = repairs_of(graph)
    singles = {f"without {repair}": (repair,) for repair in repairs}
    layers = {f"without layer {name}": members for name, members in layers_of(graph).items()}
    return {ALL_ON: (), **singles, **layers, ALL_OFF: repairs}


def ablation_variants(graph: str, suite: Path, settings: Mapping[str, Any]) -> dict[str, Variant]:
    """Return the variants of an ablation of `graph` on a suite, with `settings` in all of them."""
    return {
        name: Variant(suite=suite, settings={**settings, "disabled": list(off)})
        for name, off in switched_off(graph).items()
    }


def analyse(graph: str, plan: Plan, checked: Checked) -> Ablation:
    """Return the ablation that the valid results of `plan` make."""
    off = switched_off(graph)
    found = {name: compare_variants(plan, checked, ALL_ON, name) for name in plan.variants[1:]}
    adjusted = holm({name: one.lift.test.p for name, one in found.items() if one.lift is not None})
    rows = tuple(
        AblationRow(name=name, off=off[name], comparison=one, p_holm=adjusted.get(name))
        for name, one in found.items()
    )
    return Ablation(plan=plan, rows=rows, defects=checked.defects)
