"""One condition of a request, and how it was said."""

from __future__ import annotations

from dataclasses import dataclass

from mindatlas.nodes.atlassplit.parts.planner.conditions import Condition
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column


@dataclass(frozen=True, kw_only=True)
class Term:
    """One condition; `listed` is its column when its values were only named, joined by and."""

    condition: Condition
    listed: Column | None = None
    is_date: bool = False
    bare: bool = False
