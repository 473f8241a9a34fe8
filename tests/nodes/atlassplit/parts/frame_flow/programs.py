"""Programs for the precheck: right ones, wrong ones, and wrong ones made from right ones."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from tests.nodes.atlassplit.parts.frame_flow.frames import columns, namespace

_HERE = Path(__file__).parent
_WORD = re.compile(r"`[^`]+`|[A-Za-z_\u4e00-\u9fff][\w\u4e00-\u9fff]*")
GIVEN_NAMES = {name for names in columns().values() for name in names}


@dataclass(frozen=True, kw_only=True)
class WrongProgram:
    """A program that needs a column that is not there, and the column that was meant, None for none."""

    code: str
    missing: str
    meant: str | None


def right_programs() -> list[str]:
    """Return the right programs: one a line, or one a cell that begins with `# %%`."""
    forms = (_HERE / "right_forms.txt").read_text(encoding="utf-8").splitlines()
    return [*forms, *(code for _, code in _cells("right_programs.txt"))]


def wrong_programs() -> list[WrongProgram]:
    """Return the wrong programs, each headed by `missing -> meant`."""
    lines = (_HERE / "wrong_forms.txt").read_text(encoding="utf-8").splitlines()
    headed = [line.split(" | ", 1) for line in lines]
    return [_wrong(head, code) for head, code in (*headed, *_cells("wrong_programs.txt"))]


def _cells(file: str) -> Iterator[tuple[str, str]]:
    for cell in (_HERE / file).read_text(encoding="utf-8").split("# %%")[1:]:
        head, _, code = cell.partition("\n")
        yield head.strip(), code


def _wrong(head: str, code: str) -> WrongProgram:
    missing, _, meant = head.partition(" -> ")
    return WrongProgram(code=code, missing=missing.strip(), meant=meant or None)


def run(code: str) -> Exception | None:
    """Run a program on fresh frames with pandas, and return what stopped it."""
    names = {"pd": pd, "np": np, **namespace()}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "program", "exec"), names)
    except Exception as error:
        return error
    return None


def misspelt(code: str) -> Iterator[tuple[str, str]]:
    """Return the program with one use of a given column misspelt, and the wrong name, for each such use."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for text, wrong in _misspelt_texts(node.value):
                yield _changed(tree, node, "value", text), wrong
        elif isinstance(node, ast.Attribute) and node.attr in GIVEN_NAMES:
            yield _changed(tree, node, "attr", f"{node.attr}zz"), f"{node.attr}zz"


def _misspelt_texts(text: str) -> Iterator[tuple[str, str]]:
    if text in GIVEN_NAMES:
        yield f"{text}zz", f"{text}zz"
    elif any(sign in text for sign in "<>=/*"):
        for match in _WORD.finditer(text):
            name = match[0].strip("`")
            if name in GIVEN_NAMES and text[match.start() - 1 : match.start()] not in {"@", "."}:
                wrong = match[0].replace(name, f"{name}zz")
                yield text[: match.start()] + wrong + text[match.end() :], f"{name}zz"


def _changed(tree: ast.Module, node: ast.AST, field: str, value: str) -> str:
    old = getattr(node, field)
    setattr(node, field, value)
    code = ast.unparse(tree)
    setattr(node, field, old)
    return code
