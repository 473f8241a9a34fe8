"""The conditions of a question: codes by their words, and names, which stay the text that the user wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mindatlas.nodes.text import fold, is_cjk
from mindatlas.nodes.workdesk.parts.desk_chunks import BEFORE_NAME, looks_like_name, name_chunks, trimmed
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText, word_pattern
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, dimension_of, dimension_words
from mindatlas.nodes.workdesk.parts.desk_vocabulary import DIMENSIONS, WORDS, cue

_BEFORE_NAME_HERE = re.compile(f"{BEFORE_NAME.pattern[1:]}$")
_AFTER_PERSON = re.compile(r"(?:所?负责|处理|经手|名下|承办|接手|手上|手里)+$")
_IS = r"\s*(?:为|是|叫做?|名称|等于|:|：|=|is|of)?\s*"
_IDENTIFIER = re.compile(r"[a-z]{1,4}-?\d{1,6}")
_SHORTEST_NAME = 3  # characters that must stay when a code's word is cut off before it: 新建路站 is one name


@dataclass(frozen=True, kw_only=True)
class Item:
    """One condition as it stands in the folded question, from `start` to `end`.

    Attributes:
        parameter: empty for a name that may stand in any directory.
        value: a code, or the name as written.
        word: what the user called it.
    """

    start: int
    end: int
    parameter: str
    value: Any
    word: str
    named: bool = False
    excluded: bool = False


class ItemReader:
    """Reads the conditions that one tool can narrow to.

    Args:
        tool: the tool whose filters are meant.
    """

    def __init__(self, tool: DeskTool) -> None:
        self._tool = tool

    @cached_property
    def _codes(self) -> Mapping[str, tuple[str, str]]:
        """Word -> parameter and code; a word of two parameters is left out, because nobody can tell."""
        found: dict[str, set[tuple[str, str]]] = {}
        for name, parameter in self._tool.filters.items():
            for code, words in parameter.values.items():
                for word in words or (code,):
                    found.setdefault(fold(word), set()).add((name, code))
            self._add_alike(name, found)
        return {word: next(iter(places)) for word, places in found.items() if len(places) == 1}

    def _add_alike(self, name: str, found: dict[str, set[tuple[str, str]]]) -> None:
        """Add 逾期 where the overlay only says 超期."""
        for code, words in self._tool.filters[name].values.items():
            said = {fold(word) for word in words}
            for row in WORDS["alike"]:
                if said & set(row):
                    for word in row:
                        found.setdefault(word, set()).add((name, code))

    @cached_property
    def _code_pattern(self) -> re.Pattern[str] | None:
        return re.compile(word_pattern(list(self._codes))) if self._codes else None

    @cached_property
    def _named(self) -> Mapping[str, str]:
        """Dimension -> the parameter that takes its names."""
        return {dimension_of(name): name for name, one in self._tool.filters.items() if not one.values}

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        """Word of at least two characters that announces a value -> its parameter."""
        return {
            word: name
            for name in self._tool.filters
            for word in dimension_words(dimension_of(name), ())
            if len(word) > 1
        }

    def labelled_codes(self, text: QuestionText) -> list[Item]:
        """Return the codes that stand beside their label, taken out of `text`: 状态为已完成, 紧急优先级, status 3."""
        if not self._codes or not self._labels:
            return []
        label, code = word_pattern(list(self._labels)), word_pattern(list(self._codes))
        items = []
        for shape in (
            rf"(?P<label>{label}){_IS}(?P<code>{code})(?:的)?",
            rf"(?P<code>{code})的?\s*(?P<label>{label})(?:的)?",
        ):
            for match in re.finditer(shape, text.left):
                parameter, _ = self._codes[match["code"]]
                if self._labels[match["label"]] == parameter:
                    items.append(self._coded(text, match.start(), match.end(), match["code"]))
                    text.take(match.start(), match.end())
        return items

    def codes(self, text: QuestionText) -> list[Item]:
        """Return the codes whose words are left, taken out of `text`."""
        if self._code_pattern is None:
            return []
        return [
            self._coded(text, match.start(), match.end(), match[0])
            for match in text.take_all(self._code_pattern)
        ]

    def _coded(self, text: QuestionText, start: int, end: int, word: str) -> Item:
        parameter, code = self._codes[word]
        item = Item(
            start=start, end=end, parameter=parameter, value=self._tool.coded(parameter, code), word=word
        )
        negated = re.search(rf"(?:{cue('exclude.negation').pattern})\s*$", text.left[:start])
        if negated:
            text.take(negated.start(), negated.end())
            item = replace(item, excluded=True, start=negated.start())
        return item

    def names(self, text: QuestionText) -> list[Item]:
        """Return the names in what is left, taken out of `text`; what looks like no name stays.

        A name of a known kind has its parameter; another may stand in any directory.
        """
        items: list[Item] = []
        for chunk in list(name_chunks(text)):
            start, end = self._without_codes(text, *chunk)
            if item := self._name(text, start, end):
                announced = _BEFORE_NAME_HERE.search(text.left[:start])
                text.take(announced.start() if announced else start, end)
                items.append(item)
        return items

    def _without_codes(self, text: QuestionText, start: int, end: int) -> tuple[int, int]:
        """Return the chunk without the codes' words at its ends, which are conditions of their own."""
        if self._code_pattern is None:
            return start, end
        changed = True
        while changed and start < end:
            changed = False
            chunk = text.left[start:end]
            for match in self._code_pattern.finditer(chunk):
                rest = len(chunk) - (match.end() - match.start())
                if match.end() == len(chunk) and match.start() > 0 and not self._kind(chunk):
                    end, changed = _before_negation(chunk, start, match.start()), True
                elif match.end() == len(chunk) and match.start() == 0:
                    return start, start
                elif match.start() == 0 and (rest >= _SHORTEST_NAME or not self._kind(chunk)):
                    start, changed = start + match.end(), True
                else:
                    continue
                start, end = trimmed(text, start, end)
                break
        return start, end

    def _name(self, text: QuestionText, start: int, end: int) -> Item | None:
        chunk = text.left[start:end]
        label = (
            re.match(rf"(?P<label>{word_pattern(list(self._labels))}){_IS}(?=\S)", chunk)
            if self._labels
            else None
        )
        if label and label.end() < len(chunk):
            parameter, start = self._labels[label["label"]], start + label.end()
        else:
            parameter, end = self._typed(chunk, end)
        chunk = text.left[start:end]
        if self._tool.filters.get(parameter) is not None and self._tool.filters[parameter].values:
            return None  # a code that its parameter does not have
        if not looks_like_name(chunk) or (_IDENTIFIER.fullmatch(chunk) and not parameter):
            return None
        word = text.as_written(start, end)
        return Item(start=start, end=end, parameter=parameter, value=word, word=word, named=True)

    def _typed(self, chunk: str, end: int) -> tuple[str, int]:
        """Return the parameter that the name's ending tells, and the name's end."""
        person = self._named.get("person")
        if person and (after := _AFTER_PERSON.search(chunk)) and after.start() >= 2:
            kept = chunk[: after.start()]
            return self._kind(kept) or person, end - len(after[0])
        dimension = self._kind_of(chunk)
        suffix = _suffix(chunk, dimension)
        coded = _IDENTIFIER.fullmatch(chunk.removesuffix(suffix).strip())
        if suffix and (dimension == "type" or coded):  # 抢修类型 is called 抢修, T-021班组 T-021
            return self._named[dimension], end - len(suffix)
        return self._named.get(dimension, ""), end

    def _kind(self, chunk: str) -> str:
        return self._named.get(self._kind_of(chunk), "")

    def _kind_of(self, chunk: str) -> str:
        """Return the dimension whose ending is the longest that the chunk has, empty when it has none."""
        endings = [(len(_suffix(chunk, dimension)), dimension) for dimension in self._named]
        size, dimension = max(endings, default=(0, ""))
        return dimension if 0 < size < len(chunk) else ""


def _before_negation(chunk: str, start: int, end: int) -> int:
    """Return where the name ends that a code follows, without the 非 or “not” that belongs to the code."""
    negated = re.search(rf"(?:{cue('exclude.negation').pattern})\s*$", chunk[:end])
    return start + (negated.start() if negated else end)


def _suffix(chunk: str, dimension: str) -> str:
    endings = [fold(suffix) for suffix in DIMENSIONS.get(dimension, {}).get("suffixes", ())]
    fitting = [ending for ending in endings if _ends_with(chunk, ending) and len(ending) < len(chunk)]
    return max(fitting, key=len, default="")


def _ends_with(chunk: str, ending: str) -> bool:
    return (
        chunk.endswith(f" {ending}") if ending[0].isascii() and not is_cjk(chunk) else chunk.endswith(ending)
    )
