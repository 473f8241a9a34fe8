"""The builtin answerer: selects and orders sentences of the passages, each quoted as written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.mindtrip.parts.answers import AnswerRequest, Claim, PassageView, names_whole
from mindatlas.nodes.mindtrip.parts.content_terms import content_terms
from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.text import fold, is_cjk, sentences

QuestionKind = Literal["options", "figure", "comparison", "facts"]

_COMPARISON = re.compile(
    r"哪个更|哪个比较|哪里更|哪儿更|哪个好|区别|不同|相比|对比|比较一下|还是.{0,12}(好|合适)"
    r"|(和|跟|与|还是).{1,14}哪[个里儿边]"
    r"|versus|\bvs\b|compare|difference|which is (better|more|\w+er\b)|better than",
    re.I,
)
_FIGURE = re.compile(
    r"多少|几点|多久|多长时间|多长|多远|多高|多大|几个小时|几小时|几天|几公里|营业时间|开放时间|什么时候|几月|门票|票价|电话|地址|评分|人均"
    r"|how much|how long|how far|how many|what time|when|price|cost|ticket|opening hours|hours|phone|address",
    re.I,
)
_OPTIONS = re.compile(
    r"哪些|有什么|有啥|[玩吃买做逛看住][什啥]|哪里|哪儿|什么地方|推荐|还有|哪几|哪家|哪座|哪处|还能|列出|找|别的|其他|what|which|where|recommend|suggest|any|other|list|options",
    re.I,
)
_NOUN_PHRASE = re.compile(  # 适合老人的公园: a question by its head alone
    r"的[^，。？?]{0,4}(地方|去处|景点|公园|海湾|海滩|沙滩|海岛|古镇|村[子寨]|博物馆|餐[馆厅]|酒店|民宿|市场)[？?。]*$"
)
_VOLATILE = re.compile(
    r"门票|票价|价格|多少钱|费用|几点|营业|开放时间|开门|关门|hours|price|cost|ticket|how much|open", re.I
)
_DIGIT = re.compile(r"\d|[一二三四五六七八九十百两半]+(个|小时|分钟|元|公里|点|月|天|岁|米)")
MOST_CLAIMS = 4


def kind_of(question: str) -> QuestionKind:
    """Return what form of answer the question asks for."""
    if _COMPARISON.search(question):
        return "comparison"
    if _FIGURE.search(question) and not re.search(r"哪些|推荐|有什么|which|recommend", question, re.I):
        return "figure"
    return "options" if _OPTIONS.search(question) or _NOUN_PHRASE.search(question) else "facts"


def is_volatile(question: str) -> bool:
    """Return whether the answer concerns prices or hours, which change."""
    return bool(_VOLATILE.search(question))


@dataclass(frozen=True, kw_only=True)
class _Sentence:
    text: str
    passage: PassageView
    score: float
    position: int


class ExtractiveAnswerer:
    """Answers with sentences of the passages, so that no word of an answer is invented.

    A sentence that names what the user excluded is never used. In an English answer the Chinese sentence is
    quoted after the English name of its subject.

    Args:
        entities: the names of the knowledge base.
        english_name: the English name of a subject, or the subject itself.
    """

    def __init__(
        self, entities: EntityIndex, english_name: Callable[[str], str] = lambda entity: entity
    ) -> None:
        self._entities = entities
        self._english_name = english_name

    def answer(self, request: AnswerRequest) -> Sequence[Claim]:
        """Return one claim a passage for options, the best figures or facts otherwise."""
        kind = kind_of(request.question)
        ranked = [
            found
            for place, passage in enumerate(request.passages)
            if (found := self._ranked(passage, place, request, kind))
        ]
        match kind:
            case "options" | "comparison":
                chosen = [self._lead(found) for found in ranked]
            case "figure":
                chosen = sorted((s for found in ranked for s in found[:2]), key=lambda s: -s.score)[:2]
            case "facts":
                best = max((found[0].score for found in ranked), default=0.0)
                chosen = [s for found in ranked[:2] for s in _in_order(found[:2]) if s.score >= 0.6 * best]
        return [self._claim(sentence, request.language) for sentence in chosen[:MOST_CLAIMS]]

    def _ranked(
        self, passage: PassageView, place: int, request: AnswerRequest, kind: QuestionKind
    ) -> list[_Sentence]:
        """Return the usable sentences of the passage at `place`, best first; those of later passages count less."""
        terms = content_terms(request.question)
        usable = [
            (position, text)
            for position, text in enumerate(sentences(passage["text"]))
            if not any(names_whole(name, text, self._entities) for name in request.excluded)
        ]
        found = [
            _Sentence(
                text=text,
                passage=passage,
                position=position,
                score=_score(text, position, terms, kind) - 0.6 * place,
            )
            for position, text in usable
        ]
        return sorted(found, key=lambda sentence: (-sentence.score, sentence.position))

    def _lead(self, found: Sequence[_Sentence]) -> _Sentence:
        """Return the best sentence, as long as it says more than a heading."""
        return next((sentence for sentence in found if len(sentence.text) > 8), found[0])

    def _claim(self, sentence: _Sentence, language: str) -> Claim:
        entity = sentence.passage["entity"]
        if language == "en" and is_cjk(sentence.text):
            text = f"{self._english_name(entity)}: “{sentence.text}”"
        elif names_whole(entity, sentence.text, self._entities):
            text = sentence.text
        else:
            text = f"{entity}{'：' if language == 'zh' else ': '}{sentence.text}"
        return Claim(text=text, passage_id=sentence.passage["id"], quote=sentence.text)


def _score(text: str, position: int, terms: Sequence[str], kind: QuestionKind) -> float:
    """Return how well a sentence answers: terms held, figures where asked for, earlier sentences first."""
    folded = fold(text)
    held = sum(term in folded for term in terms)
    figure = 1.5 if kind == "figure" and _DIGIT.search(text) else 0.0
    return held + figure - 0.1 * position


def _in_order(found: Sequence[_Sentence]) -> list[_Sentence]:
    return sorted(found, key=lambda sentence: sentence.position)
