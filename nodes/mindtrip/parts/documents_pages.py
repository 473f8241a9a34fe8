"""Pages: plain text and HTML, one document a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, ParserRejectedMarkup, Tag
from bs4.dammit import EncodingDetector
from bs4.element import NavigableString, PageElement

from mindatlas.nodes.mindtrip.parts.documents_bytes import decode, read_bytes, read_text, unreadable
from mindatlas.nodes.mindtrip.parts.documents_records import Record

SHORT_TITLE = 60  # characters; a longer first line is a sentence, not a title

_UNSEEN = {
    *(
        "script",
        "style",
        "nav",
        "footer",
        "noscript",
        "template",
        "iframe",
        "svg",
        "button",
        "select",
        "title",
    ),
}
_BLOCKS = {
    *("address", "article", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "figcaption", "figure"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "option", "p", "pre"),
    *("section", "summary", "details", "table", "tr", "ul"),
}
_CELLS = {"td", "th"}
_SPACES = re.compile(r"\s+")
_META = ("description", "keywords")
_PROLOG = re.compile(r"^\s*<\?xml[^>]*\?>", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z!/]")


def first_line_title(path: Path, text: str) -> str:
    """Return the first line of `text` when it is short enough for a title, else the file's stem."""
    first = text.strip().split("\n", 1)[0].strip()
    return first if 0 < len(first) <= SHORT_TITLE else path.stem


def read_txt(path: Path) -> Iterator[Record]:
    """Yield the text of the file, titled by its first line when that is short, else by the file's stem."""
    text = read_text(path)
    yield Record(place="", title=first_line_title(path, text), text=text)


def read_html(path: Path) -> Iterator[Record]:
    """Yield what a reader of the page sees, without navigation and controls, one line a block.

    The title is `<title>`, else the first `<h1>`, else the file's stem; the meta tags `description` and
    `keywords` become fields.

    Raises:
        FileReadError: no HTML, or no text on the page.
    """
    data = read_bytes(path)
    declared = EncodingDetector.find_declared_encoding(data, is_html=True)
    markup = _PROLOG.sub("", decode(path, data, declared=declared))
    if not _TAG.search(markup):
        raise unreadable(path, "it has no HTML tag", "name it .txt if it is plain text")
    try:
        soup = BeautifulSoup(markup, "html.parser")
    except ParserRejectedMarkup as error:
        raise unreadable(path, f"it is no valid HTML ({error})", "save the page again") from error
    title = _line(soup.title) or _line(soup.h1) or path.stem
    fields = {name: content for name in _META if (content := _meta(soup, name))}
    text = _visible_text(soup)
    if not text:
        remedy = "save the page as the browser shows it, with its scripts run"
        raise unreadable(path, "it shows no text outside navigation and scripts", remedy)
    yield Record(place="", title=title, fields=fields, text=text)


def _line(tag: Tag | None) -> str:
    return " ".join(tag.get_text().split()) if tag else ""


def _meta(soup: BeautifulSoup, name: str) -> str:
    tag = soup.find("meta", attrs={"name": re.compile(f"^{name}$", re.IGNORECASE)})
    return str(tag.get("content") or "").strip() if tag else ""


def _visible_text(soup: BeautifulSoup) -> str:
    lines = (line.strip() for line in "".join(_pieces(soup)).split("\n"))
    return "\n".join(line for line in lines if line)


def _pieces(soup: BeautifulSoup) -> Iterator[str]:
    """Yield the text of the page in order, with line breaks around blocks and spaces after cells."""
    pending: list[tuple[PageElement, bool]] = [(soup, False)]
    while pending:
        node, verbatim = pending.pop()
        if isinstance(node, Tag):
            if node.name not in _UNSEEN:
                edge = "\n" if node.name in _BLOCKS else ""
                verbatim = verbatim or node.name == "pre"
                yield edge
                pending.append((NavigableString(" " if node.name in _CELLS else edge), True))
                pending.extend((child, verbatim) for child in reversed(node.contents))
        elif type(node) is NavigableString:  # not a comment or a doctype
            yield node if verbatim else _SPACES.sub(" ", node)
