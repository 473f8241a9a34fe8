"""The time range of a call: the question's own, from the clock; asked for when the user gave none; never left open."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from mindatlas.nodes.workdesk.parts.asked_times import (
    AskedTime,
    Days,
    asked_times,
    continued_time,
    earlier_times,
    fits,
    same_but_year,
    suggested_times,
    vague,
)
from mindatlas.nodes.workdesk.parts.calls import RepairKind
from mindatlas.nodes.workdesk.parts.evidence import Evidence
from mindatlas.nodes.workdesk.parts.given_range import days_between, in_form, read_ends
from mindatlas.nodes.workdesk.parts.parameters import Parameter
from mindatlas.nodes.workdesk.parts.time_values import (
    time_form,
    write_time,
)
from mindatlas.nodes.workdesk.parts.validation import Draft, ValidationContext, scope_of

_OPEN = date.min  # stands for an end that is not given
_EARLIEST = date(1990, 1, 1)  # no work order book on a computer is older


def limit_time(draft: Draft, evidence: Evidence, context: ValidationContext) -> None:
    """Check the time range of a call, fill it in where the question has it, or ask for it."""
    start, end = draft.by_role("range_start"), draft.by_role("range_end")
    if start and end:
        _Range(draft, start, end, evidence, context).run()


class _Range:
    """The range of one call: its two parameters, and what was asked for."""

    def __init__(
        self, draft: Draft, start: str, end: str, evidence: Evidence, context: ValidationContext
    ) -> None:
        self.draft, self.names, self.evidence, self.context = draft, (start, end), evidence, context
        self.parameters: tuple[Parameter, Parameter] = (draft.parameters[start], draft.parameters[end])
        self.asked = asked_times(context.question, context.today)
        overlay = draft.card.overlay
        self.needed = any(parameter.required for parameter in self.parameters) or bool(
            set(self.names) & set(overlay.required_any)
        )

    def run(self) -> None:
        given = self._given()
        if given is None:
            return
        if self.chosen is not None:
            self._put(self.chosen, "fill_time_range", "The user said which days are meant")
        elif given == ():
            self._missing()
        else:
            self._judge(given)

    @property
    def chosen(self) -> AskedTime | None:
        """The days that the user gave when asked in this turn."""
        value = self.context.choices.get(self._key())
        parts = str(value).split("/") if value is not None else []
        try:
            days = [date.fromisoformat(part) for part in parts]
        except ValueError:
            return None
        return AskedTime(days=(days[0], days[1]), surface=str(value), grain="day") if len(days) == 2 else None

    def _key(self) -> str:
        return f"time_range:{scope_of(self.context)}"

    def _given(self) -> Any:
        """Return the given days, `()` when neither end is given, None after a fault."""
        values = [self.draft.args.get(name) for name in self.names]
        if all(value in (None, "") for value in values):
            return ()
        first, last = read_ends(values, self.parameters, self.context.today)
        for name, value, moment in zip(self.names, values, (first, last), strict=True):
            if value not in (None, "") and moment is None and not self._one():
                self.draft.fault("time_range", name, f"{name} {value!r} is no time; {self._expected()}")
                return None
        if first is None or last is None:
            return self._half(first, last)
        asked = {one.days for one in [*self.asked, *earlier_times(self.context)]}
        return days_between(first, last, values[1], asked)

    def _half(self, first: datetime | None, last: datetime | None) -> Any:
        one = self._one()
        if one is not None:
            return (_OPEN, _OPEN)  # neither end is trusted: the question's own range is put in
        if first is not None and first.date() <= self.context.today:
            return (first.date(), self.context.today)
        return (_OPEN, last.date()) if last is not None else ()

    def _one(self) -> AskedTime | None:
        """Return the one stretch that the question asks for, None when it asks for none or several."""
        one = self.asked[0] if len(self.asked) == 1 else None
        return one if one and not one.open and not one.part else None

    def _judge(self, given: Days) -> None:
        match = self._match(given) if given[0] <= given[1] else None
        if match is not None:
            self._keep(given, match)
        elif (one := self._one()) is not None:
            self._correct(given, one)
        elif self.asked:
            self._fault(f"{_written(given)} is not what the question asks for: {self._expected()}")
        else:
            self._unasked(given)

    def _match(self, given: Days) -> AskedTime | None:
        """Return the time that the days stand for: the question's own; without one, one of the conversation.

        3月 in a talk about last year is that of last year, whatever the clock says.
        """
        question, today = self.context.question, self.context.today
        if match := fits(given, self.asked, question, today, several=self.draft.siblings > 0):
            return match
        earlier = fits(given, earlier_times(self.context), question, today, several=True)
        other_year = any(same_but_year(given, one.days) for one in self.asked)
        return earlier if not self.asked or other_year else None

    def _correct(self, given: Days, one: AskedTime) -> None:
        if not self.context.enabled("correct_time_range"):
            return
        reason = f"The question says {one.surface!r}: {one.written()}"
        self._put(one, "correct_time_range" if given[0] != _OPEN else "fill_time_range", reason)

    def _unasked(self, given: Days) -> None:
        """The model chose days, and the question names none that the clock can resolve."""
        fault = self._impossible(given)
        if self._brought(given) or (vague(self.context.question) and not fault):
            self._keep(given, None)
        elif (one := continued_time(self.context, self.evidence)) is not None:
            self._correct(given, one)
        elif fault and not self.needed:
            self._fault(fault)
        elif self.context.enabled("strip_unsupported"):
            for name in self.names:
                if name in self.draft.args:
                    self.draft.strip("strip_unsupported", name, "Nothing asks for these days")
            if self.needed:
                self._missing()

    def _impossible(self, given: Days) -> str:
        if given[0] > given[1]:
            return f"The range ends before it starts: {_written(given)}"
        if given[0] > self.context.today:
            return f"The range {_written(given)} lies in the future; today is {self.context.today}"
        if given[1] < self._earliest():
            return f"The range {_written(given)} lies before the data begin ({self._earliest()})"
        return ""

    def _earliest(self) -> date:
        days = self.draft.card.overlay.history_days
        return max(_EARLIEST, self.context.today - timedelta(days=days)) if days else _EARLIEST

    def _brought(self, given: Days) -> bool:
        """Return whether a result speaks of the range's first or last day."""
        return any(
            cell.startswith(str(day))
            for cell in self.evidence.cells
            for day in given
            if day != self.context.today
        )

    def _missing(self) -> None:
        one = self._one() or (continued_time(self.context, self.evidence) if not self.asked else None)
        if one is not None and self.needed and self.context.enabled("fill_time_range"):
            self._put(
                one, "fill_time_range", f"The call had no time range; {one.surface!r} is {one.written()}"
            )
        elif not self.needed:
            return
        elif len(self.asked) > 1:
            self._fault(f"The time range is missing; {self._expected()}")
        elif self.context.enabled("ask_user"):
            self._ask()

    def _ask(self) -> None:
        asks = next((parameter.asks for parameter in self.parameters if parameter.asks), "")
        message = asks or self.context.say("要统计哪段时间的？", "Which days do you mean?")
        self.draft.ask("time_range", self._key(), message, suggested_times(self.context))

    def _put(self, one: AskedTime, kind: RepairKind, reason: str) -> None:
        wanted = [
            write_time(day, time_form(parameter), last=bool(last))
            for last, (day, parameter) in enumerate(zip(one.days, self.parameters, strict=True))
        ]
        before = {name: self.draft.args[name] for name in self.names if name in self.draft.args}
        after = dict(zip(self.names, wanted, strict=True))
        for name in self.names:
            self.draft.faults.pop(name, None)
        if before != after:
            self.draft.args.update(after)
            self.draft.repair(kind, before, after, reason)
        self._state(one)

    def _keep(self, given: Days, match: AskedTime | None) -> None:
        """Leave the days as they are, in the parameter's own form."""
        for last, (name, parameter, day) in enumerate(zip(self.names, self.parameters, given, strict=True)):
            value, question, today = self.draft.args.get(name), self.context.question, self.context.today
            wanted = in_form(value, parameter, day, last=bool(last), question=question, today=today)
            if wanted != value and day != _OPEN and self.context.enabled("coerce_argument"):
                self.draft.faults.pop(name, None)
                self.draft.set("coerce_argument", name, wanted, f"Times are written like {wanted!r}")
        surface = self.context.say("模型选的时间", "chosen by the model")
        if match is not None:
            surface = match.surface if given[0] == match.days[0] and len(self.asked) <= 1 else str(given[0])
        self._state(AskedTime(days=given, surface=surface, grain="day"))

    def _state(self, one: AskedTime) -> None:
        if one.days[0] == _OPEN:
            self.draft.stated.append(
                self.context.say(f"时间范围：截至 {one.days[1]}", f"Time range: up to {one.days[1]}")
            )
            return
        start = self.context.say("时间范围：", "Time range: ")
        self.draft.stated.append(f"{start}{one.written(self.context.say('至', 'to'))}")
        if one.days[1] < self._earliest():
            self.draft.stated.append(
                self.context.say(f"数据从 {self._earliest()} 才开始", f"The data begin on {self._earliest()}")
            )

    def _fault(self, message: str) -> None:
        self.draft.fault("time_range", self.names[0], message)

    def _expected(self) -> str:
        if not self.asked:
            return f"today is {self.context.today}; write it like {write_time(self.context.today, time_form(self.parameters[0]), last=False)!r}"
        return "the question says " + ", ".join(
            f"{one.surface!r}: {one.days[0]} to {one.days[1]}" for one in self.asked
        )


def _written(days: Days) -> str:
    return f"{days[0]} to {days[1]}"
