"""The data in an MCP reply, whichever way a server sends it: structured, as JSON text, in a fence, in many blocks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from mcp.types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n?```", re.DOTALL | re.IGNORECASE)
_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


def block_texts(reply: CallToolResult) -> list[str]:
    """Return each block of the reply as text; what is no text is named in brackets."""
    texts: list[str] = []
    for block in reply.content:
        if isinstance(block, TextContent):
            texts.append(block.text)
        elif isinstance(block, EmbeddedResource) and isinstance(block.resource, TextResourceContents):
            texts.append(block.resource.text)
        else:
            texts.append(
                f"[{block.type}: {block.uri}]" if isinstance(block, ResourceLink) else f"[{block.type}]"
            )
    return texts


def read_data(reply: CallToolResult, texts: Sequence[str]) -> Any:
    """Return the reply's data, None where it is plain text.

    Structured content goes first; it stands in a `result` of its own where a server wraps lists so. Of several
    blocks, those that are JSON count: one alone is the data, more are records of one list.
    """
    if reply.structuredContent:
        content = reply.structuredContent
        return content["result"] if set(content) == {"result"} else content
    whole = _json("\n".join(texts))
    if whole is not None:
        return whole
    blocks = [data for text in texts if isinstance(data := _json(text), dict | list)]
    if len(blocks) == 1:
        return blocks[0]
    records = [one for data in blocks for one in (data if isinstance(data, list) else [data])]
    return records or None


def _json(text: str) -> Any:
    """Return the value of a JSON text, or of the only fenced block in a text; None where there is none.

    What JSON does not know, NaN and Infinity, is null; half a surrogate pair, which no encoding takes, is replaced.
    """
    data = _loaded(text)
    if data is None:
        fenced = _FENCED.findall(text)
        data = _loaded(fenced[0]) if len(fenced) == 1 else None
    if data is not None and _SURROGATE.search(text):
        clean = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
        return json.loads(clean)
    return data


def _loaded(text: str) -> Any:
    try:
        return json.loads(text.lstrip("\ufeff"), parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
