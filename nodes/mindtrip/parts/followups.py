"""Follow-up questions: what “还有别的吗” inherits from the conversation, and what was shown already."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.content_terms import content_terms
from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.text import fold

_OTHERS = re.compile(
    r"还有(没有|什么|哪些)?(别的|其他|其它|另外|更多)|(别的|其他的?|其它的?)(呢|吗|有|地方|选择|推荐)|^还有(吗|呢|没有)?[?？。!！]*$"
    r"|换(一|个|家|点|别)|再(推荐|来|给|介绍|找|说)|另外(的|一|再|还)|除此之外|除了(这|那)(些|个|几个|里|家)|下一个|还有(没有)?推荐"
    r"|any(thing)? (others?|else|more)|what (else|other)|where else|something else|other (options?|places?|ones?|suggestions?)"
    r"|another (one|place|option)|(a few )?more (options|suggestions|places)|besides (these|those|that)",
    re.I,
)
_OTHERS_LOOSE = re.compile(r"别的|其他|其它|还有|\bother\b|\belse\b|\banother\b", re.I)
_PRONOUN = re.compile(
    r"这(个|家|座|里|儿|边)?(景点|酒店|餐馆|餐厅|饭店|地方|宾馆)|那(个|家|座)(景点|酒店|餐馆|餐厅|饭店|地方|宾馆)|该(景点|酒店|餐馆|餐厅)"
    r"|它们?|那里|那儿|那边|这里|这儿|这边|\b(it|its|there|that place|this place)\b",
    re.I,
)
_SWAP = re.compile(
    r"^(那|那么)?\s*(.{1,16}?)(呢|怎么样|如何)[?？]?$|^(and |so )?(what|how) about (.+?)\??$", re.I
)
_NEARBY = re.compile(r"附近|周边|周围|旁边|nearby|around|near", re.I)


_LIFT = re.compile(
    r"^(请)?(也|可以|还是)?(包括|算上|加上|不排除|别排除)(?P<zh>.+?)(吧|也行|也可以)?[。.!！]*$"
    r"|^(please )?(also )?include (?P<en>.+?)( too| as well)?[.!]*$",
    re.I,
)


class Turn(TypedDict):
    """What the conversation keeps of an answered question."""

    query: str
    conditions: list[dict[str, object]]
    exclude_entities: list[str]
    focus: list[str]
    near: list[str]
    shown: list[str]


@dataclass(frozen=True, kw_only=True)
class FollowUp:
    """A question as it stands alone: text, and what it takes over from the turn before."""

    question: str
    inherits_conditions: bool = False
    exclude_entities: tuple[str, ...] = ()
    already_shown: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    reason: str = ""


def resolve(question: str, turn: Turn | None, entities: EntityIndex) -> FollowUp:
    """Return `question` made independent of the conversation; unchanged when it does not lean on it.

    “还有别的吗” takes over query, conditions and exclusions and leaves out what was shown; a pronoun stands for the
    subject of the last turn, and so does 周边 without a place; “那三亚呢” asks the last question of another place.
    """
    if turn is None:
        return FollowUp(question=question)
    if lifted := _LIFT.match(question.strip()):
        return _lifted(lifted["zh"] or lifted["en"], turn)
    named = [mention.entity for mention in entities.find(question)]
    if _OTHERS.search(question) or (
        _OTHERS_LOOSE.search(question) and _NEARBY.search(question) and not named
    ):
        return _others(question, turn, named)
    pronoun = _PRONOUN.search(question)
    if pronoun and not named and turn["focus"]:
        focus = turn["focus"][0]
        text = question[: pronoun.start()] + focus + question[pronoun.end() :]
        return FollowUp(
            question=text, near=_anchor(question, turn, [focus]), reason=f"{pronoun[0]} -> {focus}"
        )
    if _NEARBY.search(question) and not named and turn["focus"]:
        return FollowUp(question=question, near=_anchor(question, turn, named), reason=turn["focus"][0])
    swap = _SWAP.match(question.strip())
    if swap and turn["query"]:
        place = swap[2] or swap[6] or ""
        return FollowUp(question=_swapped(place, turn, entities), reason=f"{place}: {turn['query']}")
    return FollowUp(question=question)


def turn_of_history(history: Sequence[Mapping[str, str]], entities: EntityIndex) -> Turn | None:
    """Return the last turn of a conversation held elsewhere, given as `{"role", "content"}` messages.

    Every entity named in it, by either side, counts as shown; the last one is its focus.
    """
    asked = [message["content"] for message in history if message.get("role") == "user"]
    if not asked:
        return None
    named = [mention.entity for message in history for mention in entities.find(message["content"])]
    shown = list(dict.fromkeys(named))
    return Turn(query=asked[-1], conditions=[], exclude_entities=[], focus=named[-1:], near=[], shown=shown)


def _lifted(name: str, turn: Turn) -> FollowUp:
    """Return the last question again, with the exclusion of `name` lifted."""
    kept = tuple(excluded for excluded in turn["exclude_entities"] if fold(excluded) != fold(name))
    return FollowUp(
        question=turn["query"],
        inherits_conditions=True,
        exclude_entities=kept,
        near=tuple(turn["near"]),
        reason=name,
    )


def _others(question: str, turn: Turn, named: Sequence[str]) -> FollowUp:
    """Return a request for others: with content of its own it is a new query, else the last one again."""
    rest = _OTHERS_LOOSE.sub("", _OTHERS.sub(" ", question))
    own = bool(content_terms(_NEARBY.sub("", rest)))
    return FollowUp(
        question=question if own else turn["query"],
        inherits_conditions=True,
        exclude_entities=tuple(turn["exclude_entities"]),
        already_shown=tuple(dict.fromkeys((*turn["shown"], *turn["focus"], *turn["near"]))),
        near=_anchor(question, turn, named),
        reason=turn["query"],
    )


def _anchor(question: str, turn: Turn, named: Sequence[str]) -> tuple[str, ...]:
    if not _NEARBY.search(question):
        return tuple(turn["near"]) if not named and _OTHERS.search(question) else ()
    if named:
        return tuple(named)
    return (
        tuple(turn["near"] or turn["focus"][:1])
        if _OTHERS_LOOSE.search(question)
        else tuple(turn["focus"][:1])
    )


def _swapped(place: str, turn: Turn, entities: EntityIndex) -> str:
    """Return the last query asked of `place` instead of the place it named."""
    query = turn["query"]
    for mention in reversed(entities.find(query)):
        query = query[: mention.start] + query[mention.end :]
    for city in {str(value) for c in turn["conditions"] if c["strength"] == "hard" for value in c["values"]}:  # type: ignore[attr-defined]
        query = query.replace(city, "")
    return f"{place}{query.lstrip('，, ')}"
