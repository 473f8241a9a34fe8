"""Follow-up questions: what “还有别的吗” inherits from the conversation, and what was shown already."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.content_terms import content_terms
from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.text import fold

_OTHERS = re.compile(
    r"还有(没有|什么|哪些)?(别的|其他|其它|另外|更多)|(别的|其他的?|其它的?)(呢|吗|有|地方|选择|推荐)|^还有(吗|呢|没有)?[?？。!！]*$"
    r"|换(一[个家处座]?|个|家|点|别)|再(推荐|来|给|介绍|找|说)|另外(的|一|再|还)|除此之外|除了(这|那)(些|个|几个|里|家)|下一个|还有(没有)?推荐"
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
_ORDINAL = re.compile(
    r"第?(?P<zh>[一二三123])(个|家|处|座)(地方|景点|酒店|餐馆|餐厅)?(?!月|天|晚|人|小时)|\bthe (?P<en>first|second|third) (one|place|option)\b",
    re.I,
)
_ORDINALS = {"一": 0, "1": 0, "first": 0, "二": 1, "2": 1, "second": 1, "三": 2, "3": 2, "third": 2}
_ATTRIBUTE = re.compile(
    r"(那|那么)?(要)?(门票|票价|价格|人均|电话|地址|评分|营业时间|开放时间|交通|大概|一般|是|要|得|需要|多少钱?|几点|开门|关门|到|怎么(去|走|样)"
    r"|在哪里?|在哪儿|远|贵|好玩|人多|要?多久|玩|免费|吗|呢|的|啊|什么时候|去|最好|合适|适合)+[?？。]*"
    r"|(and )?(how much( is it)?|how do i get there|where is it|when( is it open)?|opening hours|price|address|phone)\??",
    re.I,
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
    listed: list[str]


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
    if (lifted := _LIFT.match(question.strip())) and (
        kept := _kept(lifted["zh"] or lifted["en"], turn, entities)
    ) is not None:
        return _asked_again(turn, kept)
    named = [mention.entity for mention in entities.find(question)]
    if _OTHERS.search(question) or (
        _OTHERS_LOOSE.search(question) and _NEARBY.search(question) and not named
    ):
        return _others(question, turn, named)
    if picked := _picked(question, turn):
        return FollowUp(question=picked, reason=turn["query"])
    if not named and turn["focus"] and _ATTRIBUTE.fullmatch(question.strip()):
        return FollowUp(question=f"{turn['focus'][0]}{question}", reason=turn["focus"][0])
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
        return FollowUp(
            question=_swapped(place, turn, entities),
            exclude_entities=tuple(turn["exclude_entities"]),
            reason=f"{place}: {turn['query']}",
        )
    return FollowUp(question=question)


def turn_of(state: Mapping[str, Any]) -> Turn:
    """Return what the conversation keeps of the question answered, or refused, in `state`.

    A refused question that names nothing leaves the focus of the conversation where it was.
    """
    entities = list(dict.fromkeys(passage["entity"] for passage in state["passages"]))
    focus = list(dict.fromkeys((*state["named"], *entities[:1])))
    before: Turn | None = state.get("turn")
    return Turn(
        query=state["rewritten_query"],
        conditions=state["conditions"],
        exclude_entities=state["exclude_entities"],
        focus=focus or (before["focus"] if before else []),
        near=state["near"],
        shown=list(dict.fromkeys((*state["already_shown"], *entities))),
        listed=entities,
    )


def turn_of_history(history: Sequence[Mapping[str, str]], entities: EntityIndex) -> Turn | None:
    """Return the last turn of a conversation held elsewhere, given as `{"role", "content"}` messages.

    Every entity named in it, by either side, counts as shown; the last one is its focus.
    """
    asked = [message["content"] for message in history if message.get("role") == "user"]
    if not asked:
        return None
    named = [mention.entity for message in history for mention in entities.find(message["content"])]
    shown = list(dict.fromkeys(named))
    return Turn(
        query=asked[-1],
        conditions=[],
        exclude_entities=[],
        focus=named[-1:],
        near=[],
        shown=shown,
        listed=shown,
    )


def _kept(name: str, turn: Turn, entities: EntityIndex) -> tuple[str, ...] | None:
    """Return the exclusions that stay when that of `name` (any name of its entity) is lifted; None: it is none."""
    target = entities.resolve(name) or fold(name)
    kept = tuple(x for x in turn["exclude_entities"] if (entities.resolve(x) or fold(x)) != target)
    return kept if len(kept) < len(turn["exclude_entities"]) else None


def _asked_again(turn: Turn, excluded: tuple[str, ...]) -> FollowUp:
    return FollowUp(
        question=turn["query"],
        inherits_conditions=True,
        exclude_entities=excluded,
        near=tuple(turn["near"]),
        reason=turn["query"],
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


def _picked(question: str, turn: Turn) -> str | None:
    """Return the question with “第二个” replaced by the second subject that the last answer listed."""
    match = _ORDINAL.search(question)
    if not match or not (match["en"] or match[0].startswith("第")):
        return None
    place = _ORDINALS[(match["zh"] or match["en"]).lower()]
    if place >= len(turn["listed"]):
        return None
    return question[: match.start()] + turn["listed"][place] + question[match.end() :]


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
    """Return the last query asked of `place`, which takes the place of the name the query ended on."""
    query = turn["query"]
    conditions = (condition for condition in turn["conditions"] if condition["strength"] == "hard")
    cities = [mention for c in conditions for mention in EntityIndex({str(c["surface"]): ()}).find(query)]
    mentions = [*entities.find(query), *cities]
    if not mentions:
        return f"{place}{query}"
    last = max(mentions, key=lambda mention: mention.start)
    return query[: last.start] + place + query[last.end :]
