"""The review queue as text, and going through it draft by draft in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from mindatlas.evals.learning.review import QueuedDraft, accept, reject
from mindatlas.evals.learning.store import FeedbackStore
from mindatlas.graphs.console import print_text, say
from mindatlas.nodes.errors import UsageError

_ASK = "[a]ccept, [r]eject, [s]kip, [q]uit? "


def queue_text(drafts: Sequence[QueuedDraft]) -> str:
    """Return the drafts as text, under a line for each question kind."""
    if not drafts:
        return "No draft here. Bad answers become drafts by: mindatlas feedback draft"
    lines: list[str] = []
    kind = None
    for draft in drafts:
        if draft.kind != kind:
            kind = draft.kind
            cases = f"{draft.kind_cases} existing cases" if draft.kind_cases else "NEW: no existing case"
            lines.append(f"{kind} ({cases})")
        lines += [f"  {line}" for line in _draft_lines(draft)]
    return "\n".join(lines)


def _draft_lines(draft: QueuedDraft) -> Iterator[str]:
    times = f", asked {draft.count} times" if draft.count > 1 else ""
    yield f"{draft.id}  [{draft.state}] {draft.failure}{times}"
    yield f"    {draft.case.get('query', draft.case.get('request'))}"
    yield f"    why: {draft.reason} ({draft.reader})"
    for name in ("expected_entities", "expected_context", "forbidden_entities"):
        if draft.case.get(name):
            yield f"    {name}: {', '.join(draft.case[name])}"
    if draft.like_case:
        yield f"    asks the same as the existing case {draft.like_case}"
    for taken in draft.decisions:
        reason = f": {taken['reason']}" if taken["reason"] else ""
        yield f"    {taken['action']} by {taken['who']} at {taken['at']}{reason}"


def go_through(
    store: FeedbackStore, drafts: Iterable[QueuedDraft], *, who: str, ask: Callable[[str], str] = input
) -> int:
    """Show each draft and take the user's decision; a refused one is said and asked again. Returns 0."""
    for draft in drafts:
        print_text(queue_text([draft]))
        if not _taken(store, draft, who=who, ask=ask):
            break
    return 0


def _taken(store: FeedbackStore, draft: QueuedDraft, *, who: str, ask: Callable[[str], str]) -> bool:
    """Take one decision and return whether to go on."""
    while True:
        try:
            reply = ask(_ASK).strip().lower()[:1]
        except EOFError:
            return False
        try:
            if reply == "a":
                accept(store, draft.id, who=who)
            elif reply == "r":
                reject(store, draft.id, reason=ask("Why? "), who=who)
            elif reply not in {"s", "q"}:
                continue
        except UsageError as error:
            say(str(error))
            continue
        return reply != "q"
