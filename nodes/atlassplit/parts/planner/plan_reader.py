"""Reads a request into a plan, or says why it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import DeriveAsk
from mindatlas.nodes.atlassplit.parts.planner.assembly import assemble
from mindatlas.nodes.atlassplit.parts.planner.charting import chart_of
from mindatlas.nodes.atlassplit.parts.planner.clauses import first_clause, join_commas
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.lexer import cut
from mindatlas.nodes.atlassplit.parts.planner.lexicon import Lexicon
from mindatlas.nodes.atlassplit.parts.planner.lookups import read_lookup
from mindatlas.nodes.atlassplit.parts.planner.messages import Refused
from mindatlas.nodes.atlassplit.parts.planner.phrases import read_phrases
from mindatlas.nodes.atlassplit.parts.planner.plan import Language, Plan, Refusal
from mindatlas.nodes.atlassplit.parts.planner.reshaping import finish_pivot, join
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token
from mindatlas.nodes.atlassplit.parts.workbook_model import SchemaCard
from mindatlas.nodes.text import language_of

LONGEST_REQUEST = 500  # characters


def read_plan(request: str, card: SchemaCard, *, today: date) -> Plan | Refusal:
    """Return the plan for a request, or the refusal that says what about it is not understood, and why.

    Every word must be read by some rule, and in one way only; else the request is refused as a whole.

    Args:
        request: What the user asks for, in Chinese or English.
        card: The schema card of the tables; its active table is the one that is meant.
        today: What 今年 and last month are counted from.
    """
    language: Language = "zh" if language_of(request) == "zh" else "en"
    draft = Draft.of(card.active_table, card, today, language)
    try:
        _read(request, draft)
        return _finished(draft, request)
    except Refused as refused:
        return refused.refusal


def _read(request: str, draft: Draft) -> None:
    if not request.strip():
        draft.refuse("outside", "empty_request")
    if len(request) > LONGEST_REQUEST:
        draft.refuse("outside", "too_long", limit=str(LONGEST_REQUEST))
    if not draft.fields:
        draft.refuse("outside", "no_columns")
    rest = request.strip()
    while rest:
        clause, rest = first_clause(_tokens(rest, draft), rest)
        left = _read_clause(clause, draft)
        rest = f"{left}，{rest}" if left and rest else left or rest


def _read_clause(clause: str, draft: Draft) -> str:
    """Add the operations of a clause; return what is left of it to be read anew."""
    if not clause:
        return ""
    lookup = read_lookup(clause, draft)
    if lookup is not None:
        join(draft, lookup)
        return ""
    cursor = Cursor(_tokens(clause, draft), clause)
    asks = list(read_phrases(cursor, draft))
    assemble(draft, asks, clause)
    return cursor.rest() if asks and isinstance(asks[-1], DeriveAsk) else ""


def _tokens(text: str, draft: Draft) -> Sequence[Token]:
    lexicon = Lexicon(draft.fields, draft.card.tables, draft.earlier, draft.records)
    return join_commas(cut(text, lexicon, draft.today))


def _finished(draft: Draft, request: str) -> Plan:
    if draft.pivot.wanted:
        finish_pivot(draft, request)
    if draft.keys:
        draft.refuse("ambiguous", "which_figure", request, draft.numeric_titles())
    if not draft.operations:
        draft.refuse("outside", "not_understood", request)
    plan = Plan(
        base=draft.table.key,
        base_is_df=draft.table.key == draft.card.active,
        operations=tuple(draft.operations),
        column_map=dict(draft.column_map),
        notices=tuple(draft.notices),
        language=draft.language,
    )
    return replace(plan, chart=chart_of(draft, request)) if draft.chart_kind else plan
