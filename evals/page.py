"""A page that needs no network: its style stands in it, there is no script, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1d2733}
.headline{font-size:1.15rem;padding:.8rem 1rem;background:#eef4f8;border-radius:.4rem}
.blocked{background:#fdf0ee}
table{border-collapse:collapse;width:100%}td,th{padding:.25rem .6rem;border-bottom:1px solid #e3e8ec;text-align:left}
td{font-variant-numeric:tabular-nums}svg{max-width:100%;height:auto}code{font-size:.9em;overflow-wrap:anywhere}
"""


def html_page(title: str, parts: Iterable[str]) -> str:
    """Return a whole page of `parts`, each of them HTML already."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<link rel="icon" href="data:,"><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1>{''.join(parts)}</body></html>\n"
    )


def html_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; every cell is text and escaped."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_list(title: str, texts: Sequence[str]) -> str:
    """Return a heading and a list; nothing for no text."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<h2>{escape(title)}</h2><ul>{items}</ul>" if texts else ""
