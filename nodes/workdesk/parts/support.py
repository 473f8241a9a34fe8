"""Conditions that a model added: neither the question, the history, a choice nor a result supports them.

A value is judged only where its wording can be: by the words of its code, as an identifier, as a number, or as text
in the question's own language. What cannot be judged is left as it is, because a condition that the user asked for
must never be lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from mindatlas.nodes.numbers import parse_number
from mindatlas.nodes.text import fold, is_cjk, language_of
from mindatlas.nodes.workdesk.parts.evidence import Evidence, occurrences
from mindatlas.nodes.workdesk.parts.parameters import Parameter
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext
from mindatlas.nodes.workdesk.parts.word_groups import same_meaning

_CONDITIONS = frozenset({"filter", "keyword"})
IDENTIFIER = re.compile(r"(?=.*\d)[A-Za-z0-9]+(?:[-_./:][A-Za-z0-9]+)*")
"""What a code of a system looks like, in whatever language the conversation is."""
_DIGITS_ZH = "零一二三四五六七八九"
_BARE = {  # a word of one character says its code only beside what it grades
    "高": r"高(?=优先|级|等|的|工单|单|$)|优先级?(?:是|为|=|:)?高",
    "低": r"低(?=优先|级|等|的|工单|单|$)|优先级?(?:是|为|=|:)?低",
    "中": r"中(?=优先|级|等|的)|优先级?(?:是|为|=|:)?中",
    "急": r"(?<![应])急(?![诊救])",
    "新": r"新(?=的?(?:工单|单|建|增|来))",
}


def strip_unsupported(draft: Draft, evidence: Evidence, context: ValidationContext) -> None:
    """Take the conditions out of a call that nothing supports; names of a directory are judged apart.

    Only optional conditions: what a tool needs stays, and identifiers that a tool needs are faults when nothing
    ever named them.
    """
    for name, parameter in draft.parameters.items():
        if name not in draft.args or parameter.names_from or parameter.hidden:
            continue
        value = draft.args[name]
        if parameter.role == "id" and not _known_id(value, evidence):
            draft.fault("unknown_name", name, _unknown_id(draft, name, value))
        if not (
            parameter.role in _CONDITIONS and draft.optional(name) and context.enabled("strip_unsupported")
        ):
            continue
        if name in draft.faults and _any_code_said(parameter, evidence):
            continue  # a condition was asked for, and this is no code for it: the model must say it again
        if not supported(value, parameter, evidence):
            draft.strip(
                "strip_unsupported", name, "Nothing in the question, the conversation or a result asks for it"
            )


def supported(value: Any, parameter: Parameter, evidence: Evidence) -> bool:
    """Return whether a condition was asked for, or cannot be judged.

    Of a list, every part must be unsupported for the list to be; a part that nothing supports beside others that
    are may be the model's reading of one word (未完成 for three codes).
    """
    if isinstance(value, list):
        return not value or any(supported(item, parameter, evidence) for item in value)
    if isinstance(value, dict):
        return True
    code = str(value).lower() if isinstance(value, bool) else str(value)
    if parameter.values:
        return _code_supported(code, parameter, evidence)
    if isinstance(value, bool):
        return not value or _flag_supported(parameter, evidence)
    if isinstance(value, int | float):
        return value == 0 or _number_supported(value, evidence)
    return text_supported(str(value), evidence)


def text_supported(text: str, evidence: Evidence) -> bool:
    """Return whether a text was said or brought, wholly or in part, or is in another language than the question."""
    if evidence.says(text) or evidence.brought(text):
        return True
    if IDENTIFIER.fullmatch(text):
        return False
    meaning = same_meaning((text,))
    if any(occurrences(word, said) for word in meaning if len(word) > 1 for said in evidence.texts):
        return True
    if _share(fold(text), evidence.texts):
        return True
    if (number := parse_number(text)) is not None:
        return number in evidence.numbers()
    return _foreign(text, evidence) and bool(evidence.unexplained())


def _known_id(value: Any, evidence: Evidence) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(
        evidence.says(item) or evidence.brought(item) or fold(str(item)) in evidence.directory_cells
        for item in items
    )


def _unknown_id(draft: Draft, name: str, value: Any) -> str:
    needs = ", ".join(draft.card.overlay.depends_on)
    first = (
        f"; call {needs} first and take it from the result" if needs else "; look it up, never make one up"
    )
    return f"{name} {value!r} stands in neither the question nor a result{first}"


def _code_supported(code: str, parameter: Parameter, evidence: Evidence) -> bool:
    words = code_words(code, parameter)
    said = _said(words, evidence)
    if True in said:
        return True
    if False in said:  # 未完成 does not ask for 完成
        return False
    others = (other for other in parameter.values if other != code)
    if any(False in _said(code_words(other, parameter), evidence) for other in others):
        return True  # 未完成 asks for the other codes
    if _code_named(code, parameter, evidence) or _brought_code(code, parameter, evidence):
        return True
    return all(_foreign(word, evidence) for word in words) and bool(words) and bool(evidence.unexplained())


def _any_code_said(parameter: Parameter, evidence: Evidence) -> bool:
    return any(_said(code_words(code, parameter), evidence) for code in parameter.values)


def code_words(code: str, parameter: Parameter) -> tuple[str, ...]:
    """Return the words that ask for a code: the overlay's, or the code itself where it is a word, and their like."""
    own = parameter.values.get(code) or ((code,) if re.search(r"[^\W\d_]{2}", code) else ())
    if code in {"1", "true"} and len(parameter.values) <= 2:
        own = (*own, *_name_words(parameter))
    return tuple(sorted(same_meaning(tuple(own))))


def _said(words: Sequence[str], evidence: Evidence) -> set[bool]:
    """Return how the question says the words, and where it does not, how the conversation does."""
    here = _said_in(words, evidence.question)
    return here or {affirmed for text in evidence.texts[1:] for affirmed in _said_in(words, text)}


def _said_in(words: Sequence[str], text: str) -> set[bool]:
    found: set[bool] = set()
    for word in words:
        if word in _BARE:
            found |= {True} if re.search(_BARE[word], text) else set()
        elif len(word) > 1 or not is_cjk(word):
            found |= set(occurrences(word, text))
    return found


def _code_named(code: str, parameter: Parameter, evidence: Evidence) -> bool:
    """Return whether the code itself is named: 状态3, status = 3, P1, 一级, or a code that is no small number."""
    if not re.fullmatch(r"-?\d{1,3}", code):
        return evidence.says(code)
    label = "|".join(re.escape(word) for word in _labels(parameter))
    digits = f"(?:{code}|{_DIGITS_ZH[int(code)]})" if 0 <= int(code) <= 9 else code
    near = re.compile(
        rf"(?:{label})\s*(?:码|代码|code|值|编号)?\s*(?:为|是|等于|[=:]{{1,2}}|is|of)?\s*{digits}(?!\d)"
        rf"|{digits}\s*(?:级|号?(?:{label}))|(?<![a-z])[a-z]{digits}(?!\w)"
    )
    return any(near.search(text) for text in evidence.texts)


def _labels(parameter: Parameter) -> list[str]:
    names = {
        "status": ("状态",), "priority": ("优先级", "级别", "等级"), "level": ("级别", "等级"), "type": ("类型", "种类"),
        "state": ("状态",), "severity": ("严重", "级别"), "category": ("类别", "分类"),
    }  # fmt: skip
    words = re.split(r"[_\s]+", parameter.name.casefold())
    return [parameter.name.casefold(), *words, *(zh for word in words for zh in names.get(word, ()))]


def _brought_code(code: str, parameter: Parameter, evidence: Evidence) -> bool:
    """Return whether a result's row holds the code; small numbers prove nothing, they stand in every row."""
    return not re.fullmatch(r"-?\d{1,3}", code) and fold(code) in evidence.cells


def _flag_supported(parameter: Parameter, evidence: Evidence) -> bool:
    known = len(same_meaning(_name_words(parameter))) > len(_name_words(parameter))
    return flag_named(parameter, evidence) or (not known and bool(evidence.unexplained()))


def flag_named(parameter: Parameter, evidence: Evidence) -> bool:
    """Return whether the texts say what a switch is called, in any known wording."""
    words = same_meaning(_name_words(parameter))
    return any(occurrences(word, text) for word in words for text in evidence.texts)


def _name_words(parameter: Parameter) -> tuple[str, ...]:
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", parameter.name).casefold()
    words = [
        word
        for word in snake.split("_")
        if len(word) > 2 and word not in {"only", "has", "with", "include", "flag"}
    ]
    return (" ".join(words), *words)


def _number_supported(value: float, evidence: Evidence) -> bool:
    return value in evidence.numbers() or fold(str(value)) in evidence.cells or evidence.says(value)


def _share(text: str, texts: Sequence[str]) -> bool:
    """Return whether any text holds two Chinese characters of `text` in a row, or one of its longer words."""
    pairs = {
        text[index : index + 2]
        for index in range(len(text) - 1)
        if is_cjk(text[index]) and is_cjk(text[index + 1])
    }
    words = re.findall(r"[a-z]{4,}", text)
    return any(pair in said for said in texts for pair in pairs) or any(
        re.search(rf"(?<![a-z]){word[: max(4, len(word) - 2)]}", said) for said in texts for word in words
    )


def _foreign(text: str, evidence: Evidence) -> bool:
    """Return whether a text is in another language than the question, so that its words cannot be compared."""
    return bool(text) and is_cjk(text) != (language_of(evidence.question) == "zh")
