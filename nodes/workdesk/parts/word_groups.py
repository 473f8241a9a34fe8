"""Words that mean the same condition: a status that is 完成 is also one that is “done”."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

import yaml

from mindatlas.nodes.text import fold, is_cjk


@lru_cache(maxsize=1)
def word_groups() -> tuple[frozenset[str], ...]:
    """Return the groups, each word folded."""
    text = files(__package__ or "").joinpath("word_groups.yaml").read_text(encoding="utf-8")
    return tuple(frozenset(fold(str(word)) for word in group) for group in yaml.safe_load(text))


@lru_cache(maxsize=512)
def same_meaning(words: tuple[str, ...]) -> frozenset[str]:
    """Return all words that mean what any of `words` means, these included."""
    folded = {fold(word).replace("_", " ") for word in words if word}
    return frozenset(folded).union(
        *(group for group in word_groups() if any(_in(word, group) for word in folded))
    )


def _in(word: str, group: Iterable[str]) -> bool:
    """Return whether a word is one of the group, or says one of its Chinese words with 已 or 的 around it."""
    stripped = word.removeprefix("已").removesuffix("的").removesuffix("状态")
    return any(
        word == other or stripped == other or (is_cjk(other) and len(other) > 1 and stripped == f"{other}中")
        for other in group
    )
