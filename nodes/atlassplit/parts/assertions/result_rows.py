"""The data rows of a result: a total row that the request asked for is no data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.evidence import Evidence, column_of, has_column
from mindatlas.nodes.atlassplit.parts.total_rows import LABEL_COLUMNS, is_total_label
from mindatlas.nodes.text import fold


def data_rows(frame: pd.DataFrame, evidence: Evidence, by: Sequence[str] = ()) -> tuple[pd.DataFrame, int]:
    """Return a result table without its total rows (合计, Total), and how many were left out.

    A row is one when a cell of the group columns, or without any of the first six columns, reads as the label
    of a total and no cell of the inputs does: a shop that is really called 汇总 stays.
    """
    columns = _label_columns(frame, by)
    labels = {text for column in columns for text in _texts(column) if is_total_label(text)}
    if labels:
        labels -= _input_texts(evidence, {fold(label): label for label in labels})
    if not labels:
        return frame, 0
    is_total = pd.Series(False, index=range(len(frame)))
    for column in columns:
        is_total |= pd.Series([isinstance(cell, str) and cell in labels for cell in column.tolist()])
    return frame[~is_total.to_numpy()], int(is_total.sum())


def _label_columns(frame: pd.DataFrame, by: Sequence[str]) -> list[pd.Series]:
    named = [column_of(frame, name) for name in by if has_column(frame, name)]
    return named or [frame.iloc[:, at] for at in range(min(LABEL_COLUMNS, frame.shape[1]))]


def _texts(column: pd.Series) -> Iterator[str]:
    if column.dtype.kind in "OUT" or isinstance(column.dtype, pd.StringDtype | pd.CategoricalDtype):
        yield from (value for value in column.unique().tolist() if isinstance(value, str))


def _input_texts(evidence: Evidence, asked: dict[str, str]) -> set[str]:
    """Return those of the `asked` labels, by their folded form, that stand in a cell of some input."""
    found = set()
    for frame in evidence.inputs.values():
        for at in range(frame.shape[1]):
            found |= {asked[folded] for text in _texts(frame.iloc[:, at]) if (folded := fold(text)) in asked}
    return found
