"""Uses of pandas that pandas 2 or 3 removed or changed, each with what to write instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from mindatlas.nodes.atlassplit.parts.lint_finding import LintFinding

_METHODS: Mapping[str, str] = {
    "applymap": "use .map()",
    "as_matrix": "use .to_numpy()",
    "iteritems": "use .items()",
    "ix": "use .loc[] or .iloc[]",
    "lookup": "use .melt() and .loc[], or a merge",
    "mad": "use (x - x.mean()).abs().mean()",
    "slice_shift": "use .shift()",
    "swapaxes": "use .T",
    "tshift": "use .shift(freq=…)",
    "weekday_name": "use .dt.day_name()",
    "weekofyear": "use .dt.isocalendar().week",
}
_PANDAS_NAMES: Mapping[str, str] = {
    "Float64Index": "use pd.Index",
    "Int64Index": "use pd.Index",
    "Panel": "use a frame with a MultiIndex",
    "TimeGrouper": "use pd.Grouper(freq=…)",
    "datetime": "import datetime",
    "np": "import numpy",
    "rolling_mean": "use .rolling().mean()",
    "value_counts": "use Series.value_counts()",
}
_KEYWORDS: Mapping[tuple[str, str], str] = {
    ("concat", "join_axes"): "use .reindex()",
    ("drop_duplicates", "take_last"): "use keep='last'",
    ("fillna", "method"): "use .ffill() or .bfill()",
    ("groupby", "axis"): "transpose with .T first",
    ("read_csv", "error_bad_lines"): "use on_bad_lines='skip'",
    ("read_csv", "infer_datetime_format"): "leave it out",
    ("replace", "method"): "use .ffill() or .bfill()",
    ("resample", "base"): "use offset=…",
    ("resample", "loffset"): "shift the index afterwards",
    ("rolling", "axis"): "transpose with .T first",
    ("set_axis", "inplace"): "assign the result",
    ("sort_values", "columns"): "use by=…",
    ("to_csv", "line_terminator"): "use lineterminator=…",
    ("to_datetime", "infer_datetime_format"): "leave it out",
    ("to_excel", "encoding"): "leave it out",
}
_FREQUENCIES: Mapping[str, str] = {
    "A": "YE", "BA": "BYE", "BM": "BME", "BQ": "BQE", "BY": "BYE", "H": "h", "L": "ms", "M": "ME", "N": "ns",
    "Q": "QE", "S": "s", "SM": "SME", "T": "min", "U": "us", "Y": "YE",
}  # fmt: skip
_FREQUENCY = re.compile(r"(\d*)([A-Z]+)(-[A-Z]{3})?")


def old_pandas_findings(nodes: Sequence[ast.AST]) -> Iterator[LintFinding]:
    """Return a warning for each use, among the nodes of a program, of a part of pandas that is gone."""
    for node in nodes:
        message = _attribute_message(node) or _call_message(node) or _assignment_message(node)
        if message is not None:
            line = getattr(node, "lineno", 1)
            yield LintFinding(
                code="removed-pandas-api", line=line, message=message, severity="warning", error_type="E2"
            )


def _attribute_message(node: ast.AST) -> str | None:
    match node:
        case ast.Attribute(value=ast.Name(id="pd"), attr=name) if name in _PANDAS_NAMES:
            return f"pd.{name} is gone: {_PANDAS_NAMES[name]}"
        case ast.Attribute(value=ast.Attribute(attr="dt"), attr="week"):
            return ".dt.week is gone: use .dt.isocalendar().week"
        case ast.Attribute(attr=name) if name in _METHODS:
            return f".{name} is gone: {_METHODS[name]}"
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(attr="groupby")), slice=ast.Tuple(elts=[_, _, *_])
        ):
            return "a groupby takes a list of columns, [['a', 'b']], not a tuple"
    return None


def _call_message(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    name = node.func.attr
    for keyword in node.keywords:
        if (name, keyword.arg) in _KEYWORDS:
            return f"{name}({keyword.arg}=…) is gone: {_KEYWORDS[name, str(keyword.arg)]}"
    if name == "drop" and len(node.args) > 1:
        return "drop takes its axis by name only: drop(columns=…) or axis=1"
    if name == "append" and any(keyword.arg == "ignore_index" for keyword in node.keywords):
        return ".append of a frame is gone: use pd.concat([…], ignore_index=True)"
    return _frequency_message(node, name)


def _frequency_message(node: ast.Call, name: str) -> str | None:
    values = [keyword.value for keyword in node.keywords if keyword.arg in {"freq", "rule"}]
    if name in {"resample", "asfreq"}:
        values += node.args[:1]
    if name in {"to_period", "period_range", "Period"}:
        return None  # periods keep the short names
    for value in values:
        text = value.value if isinstance(value, ast.Constant) else None
        match = _FREQUENCY.fullmatch(text) if isinstance(text, str) else None
        if match and match[2] in _FREQUENCIES:
            new = f"{match[1]}{_FREQUENCIES[match[2]]}{match[3] or ''}"
            return f"the frequency {text!r} is gone: use {new!r}"
    return None


def _assignment_message(node: ast.AST) -> str | None:
    """Return a message for `frame = frame.append(…)`: what a list's append returns is never assigned."""
    match node:
        case ast.Assign(value=ast.Call(func=ast.Attribute(attr="append"), keywords=keywords)):
            if not any(keyword.arg == "ignore_index" for keyword in keywords):
                return ".append of a frame is gone: use pd.concat([…])"
    return None
