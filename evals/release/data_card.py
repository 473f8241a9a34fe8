"""The data card: what a release holds, how it was made, and what is not in it."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from string import Template

from mindatlas.evals.release.counts import Counts
from mindatlas.evals.statistics import wilson


def data_card(counts: Counts, *, sampled: int, terms: int, seen: int) -> str:
    """Return the card as Markdown.

    Args:
        counts: Of the records.
        sampled: Records in the review sample.
        terms: Business terms that were looked for.
        seen: Names and cells that were looked for.
    """
    template = Template(files("mindatlas.evals.release").joinpath("data_card.md").read_text(encoding="utf-8"))
    return template.substitute(
        records=counts.records,
        runs=counts.failed_runs,
        sampled=sampled,
        terms=terms,
        seen=seen,
        types=_types(counts),
        patterns=_table("error pattern", counts.patterns, counts.records),
        strategies=_table("strategy", counts.strategies, counts.records),
        versions=_table("pandas", counts.pandas, counts.records),
        writers=_table("written by", counts.writers, counts.records),
        limits="\n".join(f"- {limit}" for limit in _limits(counts)),
    )


def _types(counts: Counts) -> str:
    rows = [
        f"| {kind} | {number} | {_share(number, counts.records)} | {_share(counts.mended[kind], counts.ended[kind])} |"
        for kind, number in sorted(counts.by_type.items())
    ]
    return "\n".join(["| error type | records | share | passed |", "|---|---|---|---|", *rows])


def _table(title: str, numbers: Counter[str], of: int) -> str:
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    rows = [f"| {name} | {number} | {_share(number, of)} |" for name, number in ordered]
    return "\n".join([f"| {title} | records | share |", "|---|---|---|", *rows])


def _share(number: int, of: int) -> str:
    if not of:
        return "not defined: none has an end"
    low, high = wilson(number, of)
    return f"{number}/{of} = {100 * number / of:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def _limits(counts: Counts) -> list[str]:
    limits = [
        f"{number} failed rounds were set aside: {reason}." for reason, number in counts.set_aside.items()
    ]
    if counts.unread:
        limits.append(
            f"The workbooks of {counts.unread} of {counts.failed_runs} runs could not be read again: their shape and types are"
            " unknown, and their cells could not be looked for."
        )
    return [
        *limits,
        "A column that has the name of something in Python or pandas, such as `index`, stays readable where it is"
        " written like that thing.",
        "The order of tokens follows the order of names, and the structure of a program stays: who wrote it may"
        " recognise it.",
        "Runs are no random sample of spreadsheet work; shares hold for these runs.",
    ]
