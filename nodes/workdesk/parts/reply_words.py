"""The sentences of the builtin reply writer, in the language of the question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

import yaml

from mindatlas.nodes.workdesk.parts.desk_request import Period
from mindatlas.nodes.workdesk.parts.desk_tables import Number, percent


@cache
def _sentences() -> dict[str, dict[str, str]]:
    text = files(__package__ or "").joinpath("reply_words.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


class ReplyWords:
    """Sentences in `zh` or `en`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._said = _sentences()[language]

    def say(self, key: str, **values: Any) -> str:
        """Return the sentence `key`; an error's text is put on one line."""
        return (
            Template(self._said[key])
            .substitute({name: " ".join(str(value).split()) for name, value in values.items()})
            .strip()
        )

    @property
    def count(self) -> str:
        """What a column of figures is called."""
        return self._said["count"]

    @property
    def unnamed(self) -> str:
        """What the group of those is called that have nothing there."""
        return self._said["unnamed"]

    @property
    def share(self) -> str:
        """What a column of shares is called."""
        return self._said["share"]

    @property
    def change(self) -> str:
        """What a column of differences is called."""
        return self._said["change"]

    @property
    def change_percent(self) -> str:
        """What a column of relative differences is called."""
        return self._said["change_percent"]

    @property
    def together(self) -> str:
        """What a sum over several names is called."""
        return self._said["together"]

    def period(self, period: Period | None) -> str:
        """Return the user's words for some days and the days themselves."""
        if period is None:
            return ""
        days = period.days
        dates = f"{days.start}" if days.start == days.end else f"{days.start} {self._said['to']} {days.end}"
        if not period.text or period.text == dates:
            return dates
        return f"{period.text}（{dates}）" if self.language == "zh" else f"{period.text} ({dates})"

    def by_clock(self, clock: str) -> str:
        """Return which time was counted by."""
        return self.say("by_clock", clock=clock)

    def column(self, period: Period | None, chosen: Sequence[str], clock: str, default: str) -> str:
        """Return a column's title: what tells it from the others."""
        parts = [self.period(period), *chosen, self.by_clock(clock) if clock else ""]
        return " · ".join(part for part in parts if part) or default

    def total(self, period: Period | None, chosen: Sequence[str], clock: str, figure: Number) -> str:
        """Return one total with all that it stands for."""
        parts = [self.period(period), *chosen, self.by_clock(clock) if clock else ""]
        joined = ("，" if self.language == "zh" else ", ").join(part for part in parts if part)
        return self.say("total", what=joined or self._said["all"], figure=figure)

    def unsaid_clock(self, clocks: Sequence[str]) -> str:
        """Return what was done as the question names no clock: all were counted, or the usual one alone."""
        return self._said["both_clocks"] if len(clocks) > 1 else self.say("one_clock", clock=clocks[0])

    def chart_title(self, dimension: str) -> str:
        """Return the title of a chart of groups."""
        return self.say("chart_title", dimension=dimension)

    def extreme(self, names: Sequence[str], figure: Number, *, least: bool, label: str) -> str:
        """Return which groups have most, or least; several where they share the place."""
        joined = ("、" if self.language == "zh" else ", ").join(names)
        sentence = self.say("least" if least else "most", names=joined, figure=figure)
        return (
            sentence if label == self.count else f"{label}{'：' if self.language == 'zh' else ': '}{sentence}"
        )

    def difference(self, new: str, old: str, clock: str, figure: Number, before: Number) -> str:
        """Return how much two totals differ, as a number and as a share of the older one."""
        by = figure - before
        key = "more" if by > 0 else "fewer" if by < 0 else "same"
        rate = percent(by, before)
        sentence = self.say(
            key,
            new=new,
            old=old,
            by=abs(by),
            rate=rate if rate.startswith("-") else f"+{rate}",
            figure=figure,
        )
        mark = "：" if self.language == "zh" else ": "
        return f"{self.by_clock(clock)}{mark}{sentence}" if clock else sentence
