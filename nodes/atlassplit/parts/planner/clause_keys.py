"""The groups that a clause names: columns, units of time, and values or times to be taken one by one."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import (
    ConditionAsk,
    GroupAsk,
    GrowthAsk,
    RelationBoundAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.clause import Clause
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.filtering import (
    date_spans,
)
from mindatlas.nodes.atlassplit.parts.planner.groupings import key_of_field, key_of_unit
from mindatlas.nodes.atlassplit.parts.planner.operations import Key
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Unit
from mindatlas.nodes.atlassplit.parts.planner.spans import unit_of


def keys_of(draft: Draft, clause: Clause, conditions: list[ConditionAsk]) -> list[Key]:
    """Return the groups that were named, among them values that are to be taken one by one (分别)."""
    named = [key for ask in clause.all(GroupAsk) for key in ask.keys]
    if "g" in clause.letters:
        listed = [column for ask in conditions for column in ask.listed]
        fields = [item for item in draft.fields if item.column in listed]
        named = [*(_listed_key(draft, item, conditions) for item in fields), *named]
    keys = list(dict.fromkeys([*draft.keys, *named]))
    units: list[Unit] = [ask.unit for ask in clause.all(GrowthAsk) if ask.unit is not None]
    if units and draft.stage == "rows" and not any(key.unit for key in keys):
        keys.append(key_of_unit(units[0], draft, clause.text))
    bound = clause.one(draft, RelationBoundAsk)
    if bound is not None and bound.entity is not None:
        _check_entity(draft, bound, keys)
        keys = keys or ([bound.entity] if draft.stage == "rows" else [])
    draft.keys = ()
    return keys


def _listed_key(draft: Draft, item: Field, conditions: list[ConditionAsk]) -> Key:
    """Return the key of values that are to be taken one by one; times are, in the unit they are given in."""
    if not item.is_date:
        return key_of_field(draft, item, item.title)
    listed = [ask for ask in conditions if item.column in ask.listed]
    unit = unit_of(date_spans(ask.condition for ask in listed))
    if unit is None:
        draft.refuse("ambiguous", "which_period", listed[0].text)
    return key_of_unit(unit, draft, listed[0].text, item)


def _check_entity(draft: Draft, bound: RelationBoundAsk, keys: list[Key]) -> None:
    """Refuse a bound on other things than the groups: 各门店环比超过10%的商品."""
    known = {key.column for key in keys} | {item.column for item in draft.fields if item.role == "key"}
    units = {key.unit for key in keys} | {item.unit for item in draft.fields if item.role == "key"}
    entity = bound.entity
    assert entity is not None
    if known and entity.column not in known and (entity.unit is None or entity.unit not in units):
        draft.refuse("ambiguous", "which_group", bound.text)
