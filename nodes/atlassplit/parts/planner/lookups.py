"""Reads lookups in another table: 把商品表的类别匹配到订单表, look up region from Stores, join A with B on id."""

from __future__ import annotations

from dataclasses import dataclass

from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import JoinAsk
from mindatlas.nodes.atlassplit.parts.planner.column_match import names_of
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field, fields_of
from mindatlas.nodes.atlassplit.parts.planner.lexer import cut
from mindatlas.nodes.atlassplit.parts.planner.lexicon import Lexicon
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token
from mindatlas.nodes.atlassplit.parts.workbook_model import TableCard

_ALLOWED = (
    "filler",
    "lookup",
    "from",
    "by",
    "join",
    "verb",
    "new_column",
    "where",
    "noun",
    "to",
    "also",
    "first",
    "compare",
)
_INTO = ("到", "into", "to", "onto", "填到", "加到", "合并到", "补充到", "匹配到", "带到", "关联到", "in")
_LEADS_TO_TABLE = ("从", "from", "with", "join", "merge", "关联", "连接", "合并", "到", "into", "to", "and")
_MOST_NAMED = 12


@dataclass(frozen=True, kw_only=True)
class _Sides:
    base: TableCard
    source: TableCard


def read_lookup(clause: str, draft: Draft) -> JoinAsk | None:
    """Return the lookup that a whole clause asks for, None when it asks for none.

    Raises:
        Refused: The table, the columns or the key cannot be told, or the key is not unique.
    """
    if len(draft.card.tables) < 2:
        return None
    tables = {table.key: table for table in draft.card.tables}
    everywhere = [field for table in draft.card.tables for field in fields_of(table)]
    cursor = Cursor(cut(clause, Lexicon(everywhere, draft.card.tables), draft.today), clause)
    named = [
        token
        for place, token in enumerate(cursor.tokens)
        if _table_of(token, cursor.peek(place - 1 - cursor.at).folded, tables, draft)
    ]
    looks_up = any("lookup" in token.classes for token in cursor.tokens)
    if not looks_up or not named or len(cursor.tokens) > _MOST_NAMED + 10:
        return None
    if not all(_is_allowed(token, named) for token in cursor.tokens):
        return None
    sides = _sides(cursor.tokens, named, tables, draft)
    if sides is None:
        return None
    return _ask(clause, cursor.tokens, named, sides, draft)


def _is_allowed(token: Token, named: list[Token]) -> bool:
    if token in named or token.fields:
        return True
    return any(name in token.classes for name in _ALLOWED)


def _table_of(token: Token, before: str, tables: dict[str, TableCard], draft: Draft) -> TableCard | None:
    """Return the table that a token names; a column's name is one only with 表 behind it, or behind 从 or from."""
    if not token.tables:
        return None
    if token.fields and before not in _LEADS_TO_TABLE and not token.folded.endswith(("表", "sheet", "table")):
        return None
    if len(token.tables) > 1:
        draft.refuse("ambiguous", "which_table", token.text, token.tables)
    return tables[next(iter(token.tables))]


def _sides(
    tokens: list[Token], named: list[Token], tables: dict[str, TableCard], draft: Draft
) -> _Sides | None:
    """Return the table that gets columns and the one that gives them, by the words around their names."""
    keys = list(dict.fromkeys(token.tables[0] for token in named))
    if len(keys) > 2:
        draft.refuse("ambiguous", "which_table", ", ".join(keys), tuple(keys))
    into = [token.tables[0] for token in named if _before(tokens, token) in _INTO]
    if len(keys) == 1:
        if into:
            return None
        source = tables[keys[0]]
        if keys[0] != draft.table.key:
            return _Sides(base=draft.table, source=source)
        return None if draft.operations else _Sides(base=_only_base(source, tables, draft), source=source)
    if draft.operations and draft.table.key not in keys:
        return None
    key = into[-1] if into else keys[0] if _is_join(tokens) else None
    if key is None:
        key = draft.table.key if draft.table.key in keys else None
    if key is None:
        draft.refuse("ambiguous", "which_table", ", ".join(keys), tuple(keys))
    other = keys[0] if keys[1] == key else keys[1]
    return _Sides(base=tables[key], source=tables[other])


def _only_base(source: TableCard, tables: dict[str, TableCard], draft: Draft) -> TableCard:
    """Return the only table with the key of `source`, where the request names no other."""
    found = [
        table
        for table in tables.values()
        if table is not source
        and not table.hidden
        and any(_is_key(other, table, source) for other in fields_of(source))
    ]
    if len(found) != 1:
        draft.refuse("ambiguous", "which_table", source.sheet, tuple(table.key for table in found))
    return found[0]


def _is_key(item: Field, base: TableCard, source: TableCard) -> bool:
    named = any(_same_name(one, item) for one in fields_of(base))
    return named and item.column.kind in ("text", "number") and _identifies(item, source)


def _identifies(item: Field, table: TableCard) -> bool:
    """Return whether no value of a column stands in two rows of its table."""
    return item.card is not None and item.card.distinct == round(table.rows * (1 - item.card.null_rate))


def _before(tokens: list[Token], token: Token) -> str:
    place = tokens.index(token)
    return tokens[place - 1].folded if place else ""


def _is_join(tokens: list[Token]) -> bool:
    return any(
        token.folded in ("join", "merge", "left join", "关联", "连接", "合并", "enrich") for token in tokens
    )


def _ask(clause: str, tokens: list[Token], named: list[Token], sides: _Sides, draft: Draft) -> JoinAsk | None:
    base = list(draft.fields) if sides.base.key == draft.table.key else list(fields_of(sides.base))
    source = list(fields_of(sides.source))
    words = [token for token in tokens if token.fields and token not in named]
    key_words = [token for token in words if _own(token, base) and _own(token, source)]
    column_words = [token for token in words if token not in key_words]
    for token in column_words:
        if not _own(token, source):
            draft.refuse(
                "missing_column", "no_such_column", token.text, _titles(source), table=sides.source.sheet
            )
    left, right = _key(key_words, base, source, sides, draft)
    columns = [_single(token, source, draft) for token in column_words]
    if not columns:
        columns = [item for item in source if item is not right]
    taken = {item.name for item in base}
    for item in columns:
        if item.name in taken or item is right:
            draft.refuse("ambiguous", "name_taken", item.title)
    for token, item in zip(column_words, columns, strict=False):
        draft.column_map.setdefault(token.text, f"{sides.source.sheet}.{item.name}")
    draft.column_map.setdefault(left.title, str(left.name))
    return JoinAsk(
        text=clause,
        base=sides.base.key,
        table=sides.source.key,
        left_on=left.column,
        right_on=right.column,
        columns=tuple(item.name for item in columns),
        folded=left.column.kind == "text",
    )


def _key(
    words: list[Token], base: list[Field], source: list[Field], sides: _Sides, draft: Draft
) -> tuple[Field, Field]:
    """Return the columns that rows are matched by: the named ones, or the only ones of one name."""
    if words:
        pairs = [(_single(word, base, draft), _single(word, source, draft)) for word in words]
    else:
        pairs = [(one, other) for one in base for other in source if _same_name(one, other)]
    if len(pairs) != 1:
        draft.refuse(
            "ambiguous", "which_key", sides.source.sheet, tuple(dict.fromkeys(one.title for one, _ in pairs))
        )
    left, right = pairs[0]
    if left.column.kind != right.column.kind or left.column.stored != right.column.stored:
        draft.refuse("outside", "key_types", left.title)
    if left.column.kind not in ("text", "number") or left.column.stored != "value":
        draft.refuse("outside", "key_types", left.title)
    if not _identifies(right, sides.source):
        draft.refuse("ambiguous", "key_repeats", right.title, table=sides.source.sheet)
    return left, right


def _same_name(one: Field, other: Field) -> bool:
    theirs = {name for name, distance in names_of(other).items() if distance <= 1}
    return any(name in theirs for name, distance in names_of(one).items() if distance == 0)


def _own(token: Token, fields: list[Field]) -> list[Field]:
    return [
        item
        for item in fields
        if any(item.name == other.name and item.card == other.card for other in token.fields)
    ]


def _single(token: Token, fields: list[Field], draft: Draft) -> Field:
    found = _own(token, fields)
    if len(found) != 1:
        draft.refuse("ambiguous", "which_column", token.text, _titles(found))
    return found[0]


def _titles(fields: list[Field]) -> tuple[str, ...]:
    return tuple(item.title for item in fields)
