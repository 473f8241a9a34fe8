"""The words that may stay in a released program: Python, its plain modules, pandas, numpy, and AtlasSplit's own names."""

from __future__ import annotations

import builtins
import inspect
import keyword
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, Final

from mindatlas.nodes.atlassplit.parts.frame_flow.attribute_names import (
    frame_attributes,
    group_attributes,
    series_attributes,
)
from mindatlas.nodes.atlassplit.parts.lint import ALLOWED_MODULES

KEYWORDS: Final = frozenset(keyword.kwlist)
BUILTINS: Final = frozenset(name for name in dir(builtins) if not name.startswith("_")) | {"__name__"}
GIVEN: Final = frozenset({"df", "sheets", "books", "result", "chart", "pd", "np"})
# Libraries whose import says how a program fails, beside the standard library.
_LIBRARIES: Final = frozenset(
    {"dateutil", "matplotlib", "numpy", "openpyxl", "pandas", "polars", "pyarrow", "pytz", "requests", "scipy",
     "seaborn", "sklearn", "statsmodels", "tqdm", "xlrd", "xlsxwriter"}
)  # fmt: skip
_LIMIT_KINDS: Final = frozenset(
    {"bad_result", "cpu", "killed", "memory", "no_result", "result_too_big", "timeout", "too_many_files"}
)
_ARROW_KINDS: Final = frozenset({"ArrowInvalid", "ArrowNotImplementedError", "ArrowTypeError"})


@cache
def modules() -> frozenset[str]:
    """Return the names of modules that may be named."""
    return frozenset(sys.stdlib_module_names) | _LIBRARIES


@cache
def attributes() -> frozenset[str]:
    """Return the names of what modules and objects of Python, pandas and numpy have."""
    names = {name for owner in _owners() for name in dir(owner)}
    names |= frame_attributes() | series_attributes() | group_attributes()
    return frozenset(name for name in names if not name.startswith("_") or name.startswith("__"))


@cache
def parameters() -> frozenset[str]:
    """Return the names of the parameters of pandas', numpy's and Python's functions."""
    names = {"axis", "default", "end", "file", "key", "reverse", "sep", "start", "strict"}
    for function in _functions():
        try:
            names.update(inspect.signature(function).parameters)
        except (TypeError, ValueError):  # written in C, without a signature
            continue
    return frozenset(name for name in names if not name.startswith("_"))


@cache
def classes() -> frozenset[str]:
    """Return the type names that an error may tell, as its kind or in its text."""
    kinds = {name for owner in _owners() for name, value in _members(owner) if isinstance(value, type)}
    return frozenset(kinds) | _LIMIT_KINDS | _ARROW_KINDS | {"NoneType", "function", "method", "module"}


@cache
def kept() -> frozenset[str]:
    """Return all words that may stand in a released program beside placeholders."""
    return KEYWORDS | BUILTINS | GIVEN | modules() | attributes() | parameters() | classes()


def _owners() -> Iterator[Any]:
    import numpy as np
    import pandas as pd

    plain = [import_module(name) for name in sorted(ALLOWED_MODULES)]
    yield from (builtins, *plain, pd.errors, np.random, np.linalg, np.ndarray, np.float64, np.dtype)
    yield from (
        str,
        bytes,
        int,
        float,
        complex,
        bool,
        list,
        tuple,
        dict,
        set,
        frozenset,
        BaseException,
        slice,
    )
    frames = (pd.DataFrame, pd.Series, pd.Index, pd.MultiIndex, pd.DatetimeIndex, pd.Timestamp, pd.Timedelta)
    yield from (*frames, pd.Period, pd.Categorical, pd.Interval, pd.api.types, pd.ExcelWriter)
    series: Any = pd.Series  # its accessors are no attributes of the class to a type checker
    yield from (series.str, series.dt, series.cat, pd.DatetimeIndex, pd.TimedeltaIndex, pd.PeriodIndex)
    from collections import Counter, OrderedDict, defaultdict, deque
    from datetime import date, datetime, time, timedelta
    from decimal import Decimal
    from re import Match, Pattern

    yield from (Counter, OrderedDict, defaultdict, deque, date, datetime, time, timedelta, Decimal)
    yield from (Match, Pattern)


def _functions() -> Iterator[Any]:
    import numpy as np
    import pandas as pd
    from pandas.api.typing import DataFrameGroupBy, Rolling, SeriesGroupBy

    series: Any = pd.Series  # its accessors are no attributes of the class to a type checker
    owners = (
        pd,
        np,
        pd.DataFrame,
        series,
        pd.Index,
        DataFrameGroupBy,
        SeriesGroupBy,
        Rolling,
        series.str,
        series.dt,
    )
    for owner in (*owners, str, builtins, import_module("datetime")):
        yield from (value for _, value in _members(owner) if callable(value))


def _members(owner: Any) -> Iterable[tuple[str, Any]]:
    for name in dir(owner):
        if not name.startswith("_"):
            value = getattr(owner, name, None)
            if value is not None:
                yield name, value
