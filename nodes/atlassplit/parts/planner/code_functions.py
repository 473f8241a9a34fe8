"""Functions that generated programs take along, as source text; each stands alone beside pandas."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pandas as pd


def to_number(values: pd.Series) -> pd.Series:
    """Return the numbers that texts such as 1,234.50, ￥1,200, (300), 12.5% and 1.2万 say; other cells are missing."""
    texts = values.astype("string").str.normalize("NFKC").str.strip()
    parts = texts.str.extract(
        r"^(?P<open>\()?(?P<sign>[-+−])?(?:[¥$€£]|RMB|CNY|USD)?\s*(?P<sign2>[-+−])?"
        r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+)(?P<exponent>[eE][-+]?\d{1,3})?"
        r"\s*(?P<percent>%)?(?P<unit>[万亿]?元|[万亿])?(?P<close>\))?$"
    )
    digits = parts["digits"].str.replace(",", "", regex=False) + parts["exponent"].fillna("")
    numbers = pd.to_numeric(digits, errors="coerce").astype("float64")
    numbers = numbers.where(parts["percent"].isna(), numbers / 100)
    for unit, factor in (("万", 10_000), ("亿", 100_000_000)):
        numbers = numbers.where(~parts["unit"].str.contains(unit, na=False), numbers * factor)
    minus = parts["sign"].fillna("") + parts["sign2"].fillna("") + parts["open"].fillna("")
    numbers = numbers.where(~minus.str.contains("[-−(]"), -numbers)
    return numbers.where(
        (parts["open"].isna() == parts["close"].isna()) & (parts["sign"].isna() | parts["sign2"].isna())
    )


def to_date(values: pd.Series) -> pd.Series:
    """Return the days that texts such as 2024-01-05, 2024年1月5日, 2024.1.5, 20240105 and 2024-01 say."""
    texts = values.astype("string").str.normalize("NFKC").str.strip()
    parts = texts.str.extract(
        r"^(\d{4})[-/.年](\d{1,2})(?:[-/.月](\d{1,2})[日号]?|月)?(?:[ T]\d{1,2}:\d{2}.*)?$"
    )
    plain = texts.str.extract(r"^(\d{4})(\d{2})(\d{2})(?:[ T]\d{1,2}:\d{2}.*)?$")
    parts = parts.where(parts[0].notna(), plain)
    days = pd.DataFrame({"year": parts[0], "month": parts[1], "day": parts[2].fillna("1")})
    dates: pd.Series = pd.to_datetime(days.apply(pd.to_numeric).astype("float64"), errors="coerce")
    return dates


def folded(values: pd.Series) -> pd.Series:
    """Return texts without differences of case, width and outer spaces, for comparing."""
    return values.astype("string").str.normalize("NFKC").str.strip().str.casefold()


def one_spelling(values: pd.Series) -> pd.Series:
    """Return texts with the first spelling of those that differ in case, width and outer spaces only."""
    return values.groupby(folded(values), dropna=False).transform("first")


def report_unread(values: pd.Series, read: pd.Series, name: str) -> None:
    """Print how many filled cells could not be read."""
    filled = values.astype("string").str.strip().fillna("") != ""
    count = int((filled & read.isna()).sum())
    if count:
        print(f"{count} cells of {name!r} could not be read and count as missing")  # noqa: T201 (for the user)


def report_missing(dates: pd.Series, name: str) -> None:
    """Print how many rows have no date."""
    count = int(dates.isna().sum())
    if count:
        print(f"{count} rows have no date in {name!r}")  # noqa: T201 (for the user)


def report_empty(values: pd.Series, name: str) -> None:
    """Print how many rows a formula leaves empty: a value in it is missing, or it divides by zero."""
    count = int(values.isna().sum())
    if count:
        print(f"{count} rows have no {name!r}: a value is missing, or divided by zero")  # noqa: T201 (for the user)


_FUNCTIONS: tuple[Callable[..., object], ...] = (
    to_number,
    to_date,
    folded,
    one_spelling,
    report_unread,
    report_missing,
    report_empty,
)


def sources_for(code: str) -> str:
    """Return the definitions of the functions that `code` calls, with what those need, in a fixed order."""
    wanted = {function.__name__ for function in _FUNCTIONS if f"{function.__name__}(" in code}
    if "one_spelling" in wanted:
        wanted.add("folded")
    chosen = [function for function in _FUNCTIONS if function.__name__ in wanted]
    sources = (
        inspect.getsource(function).replace("  # noqa: T201 (for the user)", "") for function in chosen
    )
    return "".join(f"{source}\n\n" for source in sources)
