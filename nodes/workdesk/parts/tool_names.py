"""Names under which the tools of several servers stay apart, and which every provider of models takes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from mindatlas.nodes.workdesk.parts.overlay_model import ParameterOverlay, ToolOverlay
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard

_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")  # in a function's name, OpenAI's and most providers' interfaces
_LONGEST = 64


def native_name(tool: ServerTool) -> str:
    """Return what the tool's own server calls it."""
    return tool.native or tool.name


def with_own_names(cards: Iterable[ToolCard]) -> tuple[dict[str, ToolCard], list[str]]:
    """Return the cards by a name that each has alone, and a notice for each tool that is called otherwise now.

    The first tool of a name keeps it; a later one gets its server's name in front. What the overlays say of other
    tools of the same server follows. A server's second tool of one name cannot be reached by any name: it is left
    out, and said so.
    """
    taken: dict[str, ToolCard] = {}
    notices: list[str] = []
    renamed: dict[str, dict[str, str]] = {}
    seen: set[tuple[str, str]] = set()
    for card in cards:
        server, native = card.tool.server, native_name(card.tool)
        if (server, native) in seen:
            notices.append(f"The server {server!r} lists {native!r} twice; the second is left out")
            continue
        seen.add((server, native))
        name = _free_name(server, native, taken)
        if name != native:
            notices.append(f"The tool {native!r} of the server {server!r} is called {name!r} here")
            renamed.setdefault(server, {})[native] = name
        taken[name] = (
            replace(card, tool=replace(card.tool, name=name, native=native)) if name != native else card
        )
    followed = {name: _following(card, renamed.get(card.tool.server, {})) for name, card in taken.items()}
    return followed, list(dict.fromkeys(notices))


def _free_name(server: str, native: str, taken: Collection[str]) -> str:
    plain = _plain(native)
    candidates: Sequence[str] = (plain, _plain(f"{server}__{native}"))
    for name in candidates:
        if name not in taken:
            return name
    number = 2
    while (name := f"{candidates[-1][: _LONGEST - 4]}_{number}") in taken:
        number += 1
    return name


def _plain(name: str) -> str:
    return _NOT_ALLOWED.sub("_", name)[:_LONGEST] or "tool"


def _following(card: ToolCard, renamed: Mapping[str, str]) -> ToolCard:
    """Return the card whose overlay names the tools of its own server as they are called here."""
    if not renamed:
        return card
    overlay = card.overlay
    parameters = {name: _looked_up(one, renamed) for name, one in overlay.parameters.items()}
    needed = tuple(renamed.get(name, name) for name in overlay.depends_on)
    fitted: ToolOverlay = overlay.model_copy(update={"parameters": parameters, "depends_on": needed})
    return replace(card, overlay=fitted)


def _looked_up(overlay: ParameterOverlay, renamed: Mapping[str, str]) -> ParameterOverlay:
    source = overlay.names_from
    if source is None or source.tool not in renamed:
        return overlay
    return overlay.model_copy(update={"names_from": source.model_copy(update={"tool": renamed[source.tool]})})
