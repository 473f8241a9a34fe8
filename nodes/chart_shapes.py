"""The common shapes of a chart as JSON: where its labels and its series stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_CHART_TYPES = frozenset(
    {
        "bar", "line", "pie", "doughnut", "donut", "scatter", "area", "radar", "column", "histogram", "bubble",
        "funnel", "gauge", "heatmap", "stacked_bar", "horizontal_bar", "barh",
    }
)  # fmt: skip
_LABEL_KEYS = ("labels", "categories", "x")
VALUE_KEYS = ("data", "values", "value", "y")
"""Keys of a series under which its values may stand."""

_NESTED_KEYS = ("data", "option", "options", "chart", "config")


class Series(NamedTuple):
    """A series: its name, and the very list of values that stands in the chart."""

    name: str
    values: list[Any]


def is_chart(value: Any) -> bool:
    """Return whether a JSON value is a chart: it has series, and labels or a chart type."""
    if not isinstance(value, Mapping):
        return False
    inner = inner_chart(value)
    kind = str(value.get("type", value.get("chart_type", ""))).lower()
    series = list(series_of(inner))
    return bool(series) and (labels_of(inner) is not None or kind in _CHART_TYPES or _is_pie(inner))


def inner_chart(chart: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the object that holds labels and series: the chart, or what it wraps."""
    for key in _NESTED_KEYS:
        inner = chart.get(key)
        if isinstance(inner, Mapping) and any(
            name in inner for name in ("series", "datasets", "labels", "xAxis")
        ):
            return inner_chart(inner)
    return chart


def labels_of(chart: Mapping[str, Any]) -> list[Any] | None:
    """Return the very list of labels that stands in a chart, None where it has none."""
    for key in _LABEL_KEYS:
        if isinstance(chart.get(key), list):
            return chart[key]  # type: ignore[no-any-return]  # a list, as asked
    for key in ("xAxis", "yAxis", "x_axis"):
        axis = chart.get(key)
        axis = axis[0] if isinstance(axis, list) and axis and isinstance(axis[0], Mapping) else axis
        data = axis.get("data", axis.get("categories")) if isinstance(axis, Mapping) else axis
        if isinstance(data, list):
            return data
    return None


def series_of(chart: Mapping[str, Any]) -> Iterator[Series]:
    """Yield the series of a chart, as the lists that stand in it."""
    found = chart.get("series", chart.get("datasets"))
    if isinstance(found, Mapping) and not any(isinstance(found.get(key), list) for key in VALUE_KEYS):
        yield from (Series(str(name), data) for name, data in found.items() if isinstance(data, list))
        return
    items = [found] if isinstance(found, Mapping) else found
    if isinstance(items, list):
        yield from _listed(items)
        return
    for key in ("y", "values", "data"):
        value = chart.get(key)
        if isinstance(value, Mapping):
            yield from (Series(str(name), data) for name, data in value.items() if isinstance(data, list))
        elif isinstance(value, list):
            nested = value and all(isinstance(item, list) for item in value)
            yield from (
                (Series(f"{key}{number}", item) for number, item in enumerate(value, start=1))
                if nested
                else [Series(key, value)]
            )
        else:
            continue
        return


def _listed(items: list[Any]) -> Iterator[Series]:
    if items and not any(isinstance(item, Mapping | list) for item in items):
        yield Series("series", items)
        return
    for number, item in enumerate(items, start=1):
        if isinstance(item, list):
            yield Series(f"series{number}", item)
        elif isinstance(item, Mapping):
            name = str(item.get("name", item.get("label", f"series{number}")))
            data = next((item[key] for key in VALUE_KEYS if isinstance(item.get(key), list)), None)
            if data is not None:
                yield Series(name, data)


def _is_pie(chart: Mapping[str, Any]) -> bool:
    return any(
        isinstance(point, Mapping) and "value" in point
        for series in series_of(chart)
        for point in series.values
    )
