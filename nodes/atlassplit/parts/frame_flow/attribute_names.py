"""The attribute names of pandas objects: they win over columns of the same name in `df.name`."""

from __future__ import annotations

from functools import cache

# Attributes of older pandas: a program that uses one is out of date, it does not mean a column.
_REMOVED = frozenset(
    {
        "append", "applymap", "as_matrix", "blocks", "convert_objects", "first", "first_valid_index",
        "from_items", "get_value", "iteritems", "ix", "last", "lookup", "mad", "pad", "backfill",
        "select", "set_value", "slice_shift", "swapaxes", "tshift",
    }
)  # fmt: skip


@cache
def frame_attributes() -> frozenset[str]:
    """Return the attributes of a DataFrame, those that pandas has removed included."""
    import pandas as pd

    return frozenset(dir(pd.DataFrame)) | _REMOVED


@cache
def series_attributes() -> frozenset[str]:
    """Return the attributes of a Series and of an `itertuples` row."""
    import pandas as pd

    return frozenset(dir(pd.Series)) | _REMOVED | {"Index", "count", "index"}


@cache
def group_attributes() -> frozenset[str]:
    """Return the attributes of a groupby object, resampler or window."""
    from pandas.api.typing import DataFrameGroupBy, Resampler, Rolling

    return frozenset(dir(DataFrameGroupBy)) | frozenset(dir(Resampler)) | frozenset(dir(Rolling)) | _REMOVED
