"""What the words around a call say: that it is meant, that it is explained, or that it is done."""

from __future__ import annotations

import re

from mindatlas.nodes.workdesk.parts.check_patterns import any_of

_ANNOUNCES = any_of("announces")
_EXPLAINS = any_of("explains")
_STRONG_EXPLAINS = any_of("explains_clearly")
_REPORTS = any_of("reports")
_ASKS = any_of("asks")
_WORD = re.compile(r"\w")


def announces(words: str) -> bool:
    """Return whether `words` say that a call is about to be made."""
    return bool(_ANNOUNCES.search(words))


def asks(words: str) -> bool:
    """Return whether `words` ask the user something."""
    return bool(_ASKS.search(words))


def explains(words: str) -> bool:
    """Return whether `words` explain or mention a call, or ask about it, rather than make it.

    Words that announce a call outweigh weak signs of explaining, not strong ones such as 例如 or “you can”.
    """
    if _STRONG_EXPLAINS.search(words):
        return True
    if announces(words):
        return asks(words)
    return bool(_EXPLAINS.search(words)) or asks(words)


def is_meant(words: str, *, called: bool) -> bool:
    """Return whether a call with `words` around it stands for a call that should be made.

    After a tool result a reply may repeat the call that brought it: only one with nothing else to say, or one
    that announces the call, is meant then.
    """
    if explains(words):
        return False
    if not called:
        return True
    return not _REPORTS.search(words) and (announces(words) or not bare_words(words))


def bare_words(words: str) -> str:
    """Return the letters and digits of `words`, without marks and space."""
    return "".join(_WORD.findall(words))
