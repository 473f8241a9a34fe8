"""Markdown: front matter, title, and one document a section where sections are long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from mindatlas.nodes.mindtrip.parts.documents_bytes import read_text, unreadable
from mindatlas.nodes.mindtrip.parts.documents_pages import first_line_title
from mindatlas.nodes.mindtrip.parts.documents_records import Record, recognised, stays_text
from mindatlas.nodes.mindtrip.parts.documents_values import as_text, flatten, parse_number
from mindatlas.nodes.text import fold

LONG_SECTION = 200
"""Mean characters of the sections of a file from which each becomes a document of its own."""

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.+?)[ \t#]*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{2,})[ \t]*$")
_NO_PARAGRAPH = re.compile(r"^\s*$|^ {0,3}(?:[#>|+*-]|\d+[.)] )|^(?: {4}|\t)")
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.、)）](?!\d)|[一二三四五六七八九十]+、)\s*")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"\*\*|__|`")


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A heading: the line it starts on (from 0), its level 1 to 6, and its words without markup."""

    line: int
    level: int
    words: str


def read_markdown(path: Path) -> Iterator[Record]:
    """Yield the file as one record, or one a section.

    YAML front matter gives the fields; the title is the one it names, else the first heading, else a short
    first line, else the file's stem. A file with several level 1 or 2 headings, whose sections have
    `LONG_SECTION` characters on average, is cut at them: a page about ten places becomes ten documents.
    Headings stay in the text.

    A section is about its heading when its text names the heading and not the file's title (日月湾 in a guide
    to Wanning); otherwise it is about what the file is about (getting there, on a page about 日月湾), and
    then the file's title stands in front of its own.

    Raises:
        FileReadError: the front matter is no valid YAML, or names a field twice.
    """
    fields, body = _split_front_matter(path, read_text(path).replace("\r\n", "\n"))
    lines = body.split("\n")
    headings = list(_headings(lines))
    first = headings[0].words if headings else first_line_title(path, body)
    cuts = _cuts(headings, lines)
    if not body.strip():
        yield Record(place="", fields=fields, title=path.stem)
    elif not cuts:
        yield Record(place="", fields=fields, title=first, text=body)
    else:
        yield from _sections(fields, lines, cuts, first)


def _cuts(headings: Sequence[Heading], lines: Sequence[str]) -> list[Heading]:
    """Return the headings to cut the file at; none when it stays whole."""
    tops = [heading for heading in headings if heading.level <= 2]
    ones = [heading for heading in tops if heading.level == 1]
    if len(ones) == 1 and ones[0] is headings[0]:
        tops.remove(ones[0])  # the title of the file
    size = sum(len(line) for line in lines)
    return tops if len(tops) > 1 and size >= LONG_SECTION * len(tops) else []


def _sections(
    fields: Mapping[str, object], lines: Sequence[str], cuts: Sequence[Heading], first: str
) -> Iterator[Record]:
    """Yield what stands before the first cut (when it is more than a heading), then each section."""
    file_title = _given("title", fields) or first
    if any(line.strip() and not _HEADING.match(line) for line in lines[: cuts[0].line]):
        yield Record(place="line 1", fields=fields, title=first, text="\n".join(lines[: cuts[0].line]))
    ends = [heading.line for heading in cuts[1:]] + [len(lines)]
    for number, (heading, end) in enumerate(zip(cuts, ends, strict=True), start=1):
        text = "\n".join(lines[heading.line : end])
        own = _is_about(heading, text, file_title)
        yield Record(
            place=f"section {heading.words!r}",
            fields=_section_fields(fields, number, own),
            title=heading.words if own else f"{file_title} · {heading.words}",
            entity=heading.words if own else file_title,
            text=text,
        )


def _section_fields(fields: Mapping[str, object], number: int, own: bool) -> dict[str, object]:
    """Return the file's fields for one section: its own id, no title, aliases only of its own subject."""
    foreign = ["id", "title", *(["aliases"] if own and not _given("entity", fields) else [])]
    dropped = {name for kind in foreign for name in recognised(kind, fields)}
    kept = {name: value for name, value in fields.items() if name not in dropped}
    given_id = _given("id", fields)
    return kept | ({"id": f"{given_id}:{number}"} if given_id else {})


def _given(kind: str, fields: Mapping[str, object]) -> str:
    values = (as_text(flatten(fields[name])) for name in recognised(kind, fields))
    return next(filter(None, values), "")


def _is_about(heading: Heading, text: str, file_title: str) -> bool:
    body = fold(text.partition("\n")[2])
    return heading.words == file_title or (fold(heading.words) in body and fold(file_title) not in body)


def _headings(lines: Sequence[str]) -> Iterator[Heading]:
    """Yield the headings outside fenced code: `# words`, and words underlined with = or -."""
    fence = ""
    for number, line in enumerate(lines):
        if match := _FENCE.match(line):
            mark = match[1]
            fence = mark if not fence else "" if mark.startswith(fence) else fence
        elif fence:
            continue
        elif (match := _HEADING.match(line)) and (words := _plain(match[2])):
            yield Heading(line=number, level=len(match[1]), words=words)
        elif number + 1 < len(lines) and (under := _UNDERLINE.match(lines[number + 1])):
            alone = number == 0 or not lines[number - 1].strip()
            if alone and not _NO_PARAGRAPH.match(line) and (words := _plain(line)):
                yield Heading(line=number, level=1 if under[1][0] == "=" else 2, words=words)


def _plain(words: str) -> str:
    """Return the words of a heading without numbering, links and emphasis."""
    return _NUMBERING.sub("", _EMPHASIS.sub("", _LINK.sub(r"\1", words)).strip()).strip()


def _split_front_matter(path: Path, text: str) -> tuple[dict[str, object], str]:
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    try:
        loaded = _load_yaml(match[1])
    except (yaml.YAMLError, ValueError) as error:
        reason = f"its front matter is no valid YAML ({' '.join(str(error).split())})"
        raise unreadable(path, reason, "correct the lines between the --- marks", place="line 2") from error
    return ({}, text) if loaded is None else (loaded, text[match.end() :])


def _load_yaml(source: str) -> dict[str, object] | None:
    """Return the mapping in `source`, or None when it is another thing: then --- was but a rule.

    Scalars are read as written (YAML 1.1 takes 09:30 for a number in base 60, and 007 for 7), and then
    numbers and true, false, null by the rules for cells. References are refused: they can grow without bound.
    """
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=yaml.BaseLoader)):
        raise ValueError("references (*name) are not supported")
    node = yaml.compose(source, Loader=yaml.BaseLoader)
    if not isinstance(node, yaml.MappingNode):
        return None
    keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise ValueError(f"the field {twice[0]!r} stands twice")
    loaded = yaml.load(source, Loader=yaml.BaseLoader)
    return {str(name): _scalar(str(name), value) for name, value in loaded.items()}


def _scalar(name: str, value: object) -> object:
    if not isinstance(value, str) or stays_text(name):
        return value
    words: dict[str, object] = {"true": True, "false": False, "null": None, "~": None}
    return words[value.lower()] if value.lower() in words else parse_number(value)
