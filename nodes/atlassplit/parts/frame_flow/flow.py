"""Reads a pandas program without running it and follows which columns each frame has.

An abstract interpretation: an expression evaluates to a value of `values`, branches are joined, loops
over known items are unrolled, others repeated until nothing changes, and functions of the program are inlined
where they are called. Everything unforeseen is an unknown value or an open frame, so that a column is called
absent only where pandas would raise.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager

from mindatlas.nodes.atlassplit.parts.frame_flow import expressions, statements
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import ColumnLog
from mindatlas.nodes.atlassplit.parts.frame_flow.state import (
    Exits,
    OutOfStepsError,
    State,
    join_all,
    join_objects,
    join_states,
    join_tables,
    join_values,
    open_reachable,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    NONE,
    UNKNOWN,
    Function,
    HeapObject,
    Ref,
    Table,
    Value,
)

MOST_STEPS = 10_000  # expressions and statements evaluated before the rest is given up as unknown
MOST_PASSES = 3  # a loop's effects settle in two passes unless columns are copied along a chain of variables


class Flow:
    """The interpreter: the state at the point reached so far, and the log of references."""

    def __init__(self) -> None:
        self.state = State()
        self.live = True
        self.log = ColumnLog()
        self.chained: set[int] = set()
        self.scope = 0
        self.exits: list[Exits] = [Exits()]
        self.partials: list[State | None] = []
        self.given: tuple[int, ...] = ()
        self.twins: dict[int, tuple[int, ...]] = {}
        self.homes: dict[tuple[int, str], int] = {}  # scopes of global and nonlocal variables
        self.calls: tuple[ast.AST, ...] = ()
        self.parents: dict[int, int | None] = {0: None}
        self._context: tuple[Hashable, ...] = ()
        self._ids: dict[Hashable, int] = {}
        self._repeating = 0
        self._steps = 0

    def run(self, tree: ast.Module) -> None:
        """Follow the whole program; one nested too deeply, or too large, is followed as far as it goes."""
        try:
            self.execute(tree.body)
        except (OutOfStepsError, RecursionError):
            return

    def tick(self) -> None:
        """Count one step.

        Raises:
            OutOfStepsError: More than MOST_STEPS were taken.
        """
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise OutOfStepsError

    def evaluate(self, node: ast.expr) -> Value:
        """Return what the expression stands for."""
        self.tick()
        evaluator = expressions.EVALUATORS.get(type(node))
        return evaluator(self, node) if evaluator else UNKNOWN  # pyright: ignore[reportArgumentType]

    def execute(self, body: Sequence[ast.stmt]) -> None:
        """Follow the statements as long as they are reached."""
        for statement in body:
            if not self.live:
                return
            self.tick()
            handler = statements.STATEMENTS.get(type(statement))
            if handler:
                handler(self, statement)  # pyright: ignore[reportArgumentType]
            if self.partials and self.live:
                self.partials[:] = [join_states(partial, self.state.copy()) for partial in self.partials]

    def snapshot(self) -> State | None:
        """Return a copy of the state, None when this point is not reached."""
        return self.state.copy() if self.live else None

    def resume(self, state: State | None) -> None:
        """Go on from `state`; from None nothing is reached."""
        self.live = state is not None
        if state is not None:
            self.state = state
        else:
            self.log.left = True

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Follow this block for what it refers to only: it is not run, or not known to be."""
        state, live, exits = self.state.copy(), self.live, self.exits
        self.exits = [Exits() for _ in exits]
        with self.log.guarded():
            yield
        self.state, self.live, self.exits = state, live, exits

    @contextmanager
    def within(self, place: Hashable) -> Iterator[None]:
        """Tell apart the objects made here from those made by the same code at another place."""
        context, self._context = self._context, (*self._context, place)
        yield
        self._context = context

    def branch(self, *ways: Callable[[], Value | None], guard: bool = False) -> Value:
        """Follow each way from the same state, join where they end, and return their joined value."""
        start, ends, values = self.state, [], []
        for way in ways:
            self.resume(start.copy())
            with self.log.guarded(guard), self.log.maybe():
                value = way()
            if self.live:
                ends.append(self.state)
                values.append(value or NONE)
        self.resume(join_all(ends))
        return join_values(values)

    def repeat(self, once: Callable[[], None]) -> None:
        """Follow a loop body that runs an unknown number of times, perhaps never."""
        entry: State | None = self.state.copy()
        self._repeating += 1
        for passes in range(MOST_PASSES):
            with self.log.muted() if passes else self.log.straight():
                after = join_states(entry, self._pass(entry, once)[0])
            if after == entry:
                break
            entry = after
        end, exits = self._pass(entry, once)
        self._repeating -= 1
        self.resume(join_all([entry, end, *exits.breaks]))

    def _pass(self, entry: State | None, once: Callable[[], None]) -> tuple[State | None, Exits]:
        assert entry is not None  # a loop is entered from a reached state, and joins only add to it
        self.resume(entry.copy())
        exits = self.enter_loop()
        once()
        self.exits.pop()
        return join_all([self.snapshot(), *exits.continues]), exits

    def enter_loop(self) -> Exits:
        """Return the exits of a loop that begins here; its end pops them."""
        outer = self.exits[-1]
        self.exits.append(Exits(returns=outer.returns, yields=outer.yields))
        return self.exits[-1]

    def enter_function(self) -> Exits:
        """Return the exits of a function body that begins here; its end pops them."""
        self.exits.append(Exits())
        return self.exits[-1]

    def allocate(self, item: HeapObject, node: ast.AST, slot: Hashable = 0) -> Ref:
        """Return a reference to a new heap object made by `node`.

        Inside a repeated loop the same node makes many objects: one entry stands for all of them.
        """
        key = self._ids.setdefault((self._context, id(node), slot), len(self._ids) + 1)
        old = self.state.heap.get(key)
        self.state.heap[key] = join_objects(old, item) if self._repeating and old is not None else item
        return Ref((key,))

    def table(self, value: Value) -> Table | None:
        """Return the table that `value` refers to, the join of all it may refer to; None if it is none."""
        if not isinstance(value, Ref):
            return None
        tables = [item for key in value.ids if isinstance(item := self.state.heap[key], Table)]
        if len(tables) < len(value.ids):
            return None
        joined = tables[0]
        for other in tables[1:]:
            joined = join_tables(joined, other)
        return joined

    def update(self, value: Ref, change: Callable[[Table], Table]) -> None:
        """Change the table behind `value` in place; where it may be another one, both outcomes stay."""
        for key in value.ids:
            old = self.state.heap[key]
            if isinstance(old, Table):
                new = change(old)
                certain = len(value.ids) == 1 and not self._repeating
                self.state.heap[key] = new if certain else join_tables(new, old)
                self._update_twins(key, new)

    def _update_twins(self, key: int, new: Table) -> None:
        """Let the given frames that may be the same object as this one have its columns too."""
        for twin in self.twins.get(key, ()):
            old = self.state.heap[twin]
            if isinstance(old, Table):
                self.state.heap[twin] = join_tables(old, new)

    def expose(self, values: Sequence[Value]) -> None:
        """Hand values to code that is not seen: it may change them in place."""
        for value in values:
            open_reachable(self.state, value)

    def look_up(self, name: str) -> Value | None:
        """Return the value of a variable as its scope sees it, None when it has none."""
        scope: int | None = self.scope
        while scope is not None:
            value = self.state.names.get((scope, name))
            if value is not None:
                return value
            scope = self.parents[scope]
        return None

    def bind(self, name: str, value: Value) -> None:
        """Give a variable of the current scope a value."""
        self.state.names[self.homes.get((self.scope, name), self.scope), name] = value

    @contextmanager
    def called(self, function: Function, node: ast.AST) -> Iterator[None]:
        """Follow this block in a new scope of `function`, called by `node`."""
        caller, calls = self.scope, self.calls
        self.calls = (*calls, function.node)
        with self.within(id(node)):
            self.scope = self._ids.setdefault((self._context, "scope", id(function.node)), len(self._ids) + 1)
            self.parents[self.scope] = function.scope
            yield
        self.scope, self.calls = caller, calls
