"""The forms of a report: text for a terminal, Markdown for a pull request, one page, JSON."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape

from rich.console import Console
from rich.markup import escape as plain
from rich.table import Table

from mindatlas.evals.experiments.report import Section
from mindatlas.evals.page import html_list, html_page, html_table


def print_sections(headline: str, facts: str, sections: Sequence[Section], console: Console) -> None:
    """Print a report at the terminal."""
    console.print(f"[bold]{plain(headline)}[/bold]")
    console.print(plain(facts))
    for section in sections:
        console.print(f"\n[bold]{plain(section.title)}[/bold]")
        if section.rows:
            table = Table(show_header=any(section.heads))
            for number, head in enumerate(section.heads):
                table.add_column(plain(head), no_wrap=number == 0 and len(section.heads) > 2, overflow="fold")
            for row in section.rows:
                table.add_row(*map(plain, row))
            console.print(table)
        for item in section.items:
            console.print(f"- {plain(item)}")


def to_text(headline: str, facts: str, sections: Sequence[Section]) -> str:
    """Return a report as plain text, as a terminal of 120 columns shows it."""
    page = io.StringIO()
    print_sections(headline, facts, sections, Console(file=page, width=120, color_system=None))
    return page.getvalue()


def to_markdown(title: str, headline: str, facts: str, sections: Sequence[Section]) -> str:
    """Return a report as Markdown."""
    parts = [f"## {title}", f"**{_safe(headline)}**", _safe(facts)]
    for section in sections:
        parts.append(f"### {section.title}")
        if section.rows:
            lines = [section.heads, ["---"] * len(section.heads), *section.rows]
            parts.append("\n".join(f"| {' | '.join(map(_safe, line))} |" for line in lines))
        if section.items:
            parts.append("\n".join(f"- {_safe(item)}" for item in section.items))
    return "\n\n".join(parts) + "\n"


def to_html(
    title: str, headline: str, facts: str, sections: Sequence[Section], plot: str, *, blocked: bool
) -> str:
    """Return a report as one page that fetches nothing."""
    kind = "headline blocked" if blocked else "headline"
    parts = [f'<p class="{kind}">{escape(headline)}</p><p>{escape(facts)}</p>{plot}']
    for section in sections:
        if section.rows:
            parts.append(f"<h2>{escape(section.title)}</h2>{html_table(section.heads, section.rows)}")
            parts.append("".join(f"<p>{escape(item)}</p>" for item in section.items))
        else:
            parts.append(html_list(section.title, section.items))
    return html_page(title, parts)


def _safe(text: str) -> str:
    """Return `text` so that no name of a case or a variant opens a table cell, a tag or a line."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
