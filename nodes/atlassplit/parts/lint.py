"""Findings about a program that need no frames: syntax, imports, forbidden calls, no result, slow loops, old pandas."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mindatlas.nodes.atlassplit.parts.error_types import ErrorType
from mindatlas.nodes.atlassplit.parts.lint_finding import LintFinding, Severity
from mindatlas.nodes.atlassplit.parts.old_pandas import old_pandas_findings

ALLOWED_MODULES = frozenset(
    {
        "__future__", "calendar", "collections", "contextlib", "dataclasses", "datetime", "decimal", "functools",
        "itertools", "json", "math", "numpy", "operator", "pandas", "random", "re", "statistics", "string", "textwrap",
        "typing", "unicodedata",
    }
)  # fmt: skip
# Modules that reach outside the program; a sandboxed program never needs them.
_FORBIDDEN_MODULES = frozenset(
    {
        "asyncio", "builtins", "ctypes", "ftplib", "gc", "glob", "http", "importlib", "inspect", "io", "mmap",
        "multiprocessing", "os", "pathlib", "pickle", "pty", "requests", "resource", "runpy", "shelve", "shutil",
        "signal", "smtplib", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "urllib", "webbrowser",
    }
)  # fmt: skip
_FORBIDDEN_BUILTINS = frozenset({"__import__", "breakpoint", "compile", "eval", "exec", "input"})
_FORBIDDEN_METHODS = frozenset(
    {"read_pickle", "to_pickle", "to_sql", "read_sql", "to_clipboard", "read_clipboard"}
)
_ROW_LOOPS = frozenset({"iterrows", "itertuples"})


def lint(code: str, *, convention: bool = False) -> tuple[LintFinding, ...]:
    """Return the findings about a program, in the order of its lines.

    Args:
        code: The program.
        convention: Hold it to AtlasSplit's convention, under which it runs in a sandbox and leaves `result`:
            an import outside ALLOWED_MODULES, `open` and a missing `result` are then errors, not warnings.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = (error.lineno or 1) if isinstance(error, SyntaxError) else 1
        return (_finding("syntax-error", line, f"the program is no valid Python: {error}", "error", "E0"),)
    nodes = list(ast.walk(tree))
    found = [
        *_import_findings(nodes, convention),
        *_call_findings(nodes, convention),
        *_loop_findings(nodes),
        *old_pandas_findings(nodes),
        *_result_findings(nodes, convention),
    ]
    return tuple(sorted(found, key=lambda finding: finding.line))


def _finding(
    code: str, line: int, message: str, severity: Severity, error_type: ErrorType | None = None
) -> LintFinding:
    return LintFinding(code=code, line=line, message=message, severity=severity, error_type=error_type)


def _import_findings(nodes: Sequence[ast.AST], convention: bool) -> Iterator[LintFinding]:
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in imports:
        from_module = [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        for name in from_module or [alias.name for alias in node.names]:
            top = name.split(".")[0] or name
            if top not in ALLOWED_MODULES:
                yield _forbidden_import(top, node.lineno, convention or top in _FORBIDDEN_MODULES)


def _forbidden_import(name: str, line: int, forbidden: bool) -> LintFinding:
    message = (
        f"import of {name!r} is not allowed (E6): use numpy, pandas and the standard library's plain modules"
    )
    return _finding("import-not-allowed", line, message, "error" if forbidden else "warning", "E6")


def _call_findings(nodes: Sequence[ast.AST], convention: bool) -> Iterator[LintFinding]:
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = _forbidden_name(node.func)
        if name is not None:
            severity: Severity = "warning" if name == "open" and not convention else "error"
            message = (
                f"call of {name!r} is not allowed (E6): work on the frames that are given, leave `result`"
            )
            yield _finding("forbidden-call", node.lineno, message, severity, "E6")


def _forbidden_name(function: ast.expr) -> str | None:
    if isinstance(function, ast.Name):
        return function.id if function.id in _FORBIDDEN_BUILTINS | {"open"} else None
    if not isinstance(function, ast.Attribute):
        return None
    root: ast.expr = function
    while isinstance(root, ast.Attribute):
        root = root.value
    if function.attr in _FORBIDDEN_METHODS:
        return function.attr
    if isinstance(root, ast.Name) and root.id in {"os", "subprocess", "socket", "shutil", "ctypes"}:
        return ast.unparse(function)
    return None


def _result_findings(nodes: Sequence[ast.AST], convention: bool) -> Iterator[LintFinding]:
    if any(_binds_result(node) for node in nodes):
        return
    last = max((node.lineno for node in nodes if isinstance(node, ast.stmt)), default=1)
    message = "the program leaves no `result`: assign the frame, dict of frames or value that was asked for"
    yield _finding("no-result", last, message, "error" if convention else "warning", "E5")


def _binds_result(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="result", ctx=ast.Store()) | ast.alias(asname="result"):
            return True
        case ast.MatchAs(name="result") | ast.FunctionDef(name="result"):
            return True
        case ast.Call(func=ast.Name(id="globals" | "exec" | "locals" | "vars")):
            return True  # they may bind any name
    return False


def _loop_findings(nodes: Sequence[ast.AST]) -> Iterator[LintFinding]:
    for loop in nodes:
        frame = _looped_frame(loop) if isinstance(loop, ast.For) else None
        if frame is None or not isinstance(loop, ast.For):
            continue
        for node in (inner for statement in loop.body for inner in ast.walk(statement)):
            if _changes(node, frame):
                message = f"{frame!r} is changed inside a loop over its own rows: use whole columns instead"
                yield _finding(
                    "frame-mutated-in-loop", getattr(node, "lineno", loop.lineno), message, "warning"
                )
                break


def _looped_frame(loop: ast.For) -> str | None:
    """Return the variable whose rows the loop goes through, None when it goes through something else."""
    match loop.iter:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _ROW_LOOPS:
            return name
        case ast.Attribute(value=ast.Name(id=name), attr="index"):
            return name
        case ast.Call(
            func=ast.Name(id="range"), args=[*_, ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])]
        ):
            return name
    return None


def _changes(node: ast.AST, frame: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name)), ctx=ast.Store()):
            return name == frame
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
            return name == frame
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
            return name == frame and any(
                isinstance(part, ast.Name) and part.id == frame for part in ast.walk(call)
            )
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="drop" | "append" | "insert")):
            return name == frame
    return False
