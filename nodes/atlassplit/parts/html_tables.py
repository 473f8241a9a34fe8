"""Tables of an HTML page, which many systems hand out under the name .xls."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from mindatlas.nodes.atlassplit.parts.csv_text import decode_text

MAX_SPANNED_CELLS = 1_000_000  # in one table; spans beyond are not followed
MAX_ROW_CELLS = 16_384  # columns of an Excel sheet


@dataclass(kw_only=True)
class HtmlTable:
    """Rows of equal length and the merged ranges as (first row, first column, last row, last column)."""

    rows: list[list[str]] = field(default_factory=list)
    merges: list[tuple[int, int, int, int]] = field(default_factory=list)


def read_html_tables(data: bytes, name: str) -> list[HtmlTable]:
    """Return the tables that hold no other table, in order; a spanned cell has its text at the top left.

    Raises:
        FileReadError: The text is neither UTF-8, UTF-16 with a byte order mark, nor GB 18030.
    """
    reader = _Reader()
    reader.feed(decode_text(data, name)[0])
    reader.close()
    return [table for table in map(_close, reader.tables) if any(map(any, table.rows))]


def _close(grid: _Grid) -> HtmlTable:
    grid.end_cell()
    width = max(map(len, grid.rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in grid.rows]
    return HtmlTable(rows=rows, merges=grid.merges)


class _Grid:
    """One table while it is read; end tags of cells and rows may be missing, as HTML allows."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.merges: list[tuple[int, int, int, int]] = []
        self._text: list[str] | None = None
        self._spanned: set[tuple[int, int]] = set()

    def start_row(self) -> None:
        self.end_cell()
        self.rows.append([])

    def start_cell(self, height: int, width: int) -> None:
        self.end_cell()
        if not self.rows:
            self.start_row()
        at, row = len(self.rows) - 1, self.rows[-1]
        while (at, len(row)) in self._spanned:
            row.append("")
        if len(row) + width > MAX_ROW_CELLS:
            return
        if 1 < height * width <= MAX_SPANNED_CELLS - len(self._spanned):
            first = len(row)
            self.merges.append((at, first, at + height - 1, first + width - 1))
            self._spanned.update((r, c) for r in range(at, at + height) for c in range(first, first + width))
        self._text = []

    def write(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def end_cell(self) -> None:
        if self._text is not None:
            lines = (" ".join(line.split()) for line in "".join(self._text).split("\v"))
            self.rows[-1].append("\n".join(lines).strip())
        self._text = None


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[_Grid] = []
        self._open: list[_Grid] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            if self._open and self._open[-1] in self.tables:
                self.tables.remove(self._open[-1])  # a layout table: what counts is inside
            self._open.append(_Grid())
            self.tables.append(self._open[-1])
        elif self._open and tag == "tr":
            self._open[-1].start_row()
        elif self._open and tag in ("td", "th"):
            spans = {key: value or "" for key, value in attrs}
            self._open[-1].start_cell(_span(spans.get("rowspan", "")), _span(spans.get("colspan", "")))
        elif self._open and tag == "br":
            self._open[-1].write("\v")  # a line break of the page, unlike those of its source

    def handle_endtag(self, tag: str) -> None:
        if not self._open:
            return
        if tag == "table":
            self._open.pop().end_cell()
        elif tag in ("td", "th", "tr"):
            self._open[-1].end_cell()

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1].write(data)


def _span(text: str) -> int:
    return max(int(text), 1) if text.strip().isdecimal() and len(text) < 8 else 1
