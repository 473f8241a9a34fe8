"""Publishing a result: a new workbook or CSV file, or one file for each table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.atlassplit.parts.publishing.charts import plan_chart
from mindatlas.nodes.atlassplit.parts.publishing.csv_writer import write_csv
from mindatlas.nodes.atlassplit.parts.publishing.normaliser import NormalTable, normalise
from mindatlas.nodes.atlassplit.parts.publishing.output_files import refuse_inputs, replacing
from mindatlas.nodes.atlassplit.parts.publishing.sheet_names import legal_file_names
from mindatlas.nodes.atlassplit.parts.publishing.templates import Template
from mindatlas.nodes.atlassplit.parts.publishing.workbook_writer import plan_sheets, write_workbook
from mindatlas.nodes.errors import UsageError

Suffix = Literal[".xlsx", ".csv"]
SUFFIXES: Final[tuple[Suffix, ...]] = get_args(Suffix)
DEFAULT_NAME: Final = "Result"


@dataclass(frozen=True, kw_only=True)
class Published:
    """What was written.

    Attributes:
        paths: The files, at least one.
        sheet_name_map: The name of each table as asked, and the one its sheet (or file) got.
        notices: What could not be written as it was, for people.
    """

    paths: tuple[Path, ...]
    sheet_name_map: dict[str, str]
    notices: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file, or the first of several."""
        return self.paths[0]


def publish(
    result: Result,
    *,
    out: Path,
    chart: Mapping[str, Any] | None = None,
    template: Template | None = None,
    inputs: Sequence[Path] = (),
    name: str = DEFAULT_NAME,
) -> Published:
    """Write the result to `out`, always a new file in place of an old one, and return what was written.

    A workbook has a sheet for each table; a CSV file holds one table, so several go to files beside `out`, named
    `<out>-<table>.csv`. What cells and sheets cannot hold is changed and told; see `normalise`.

    Args:
        result: What the code left; not None.
        out: A path ending in .xlsx or .csv; the old file stays until the new one is complete.
        chart: What the code left in `chart`; see `plan_chart`.
        template: The looks of the sources.
        inputs: Files that must not be written to.
        name: What a result without a name of its own is called.

    Raises:
        UsageError: There is no result, `out` is an input, of another kind, or cannot be written.
    """
    suffix = _suffix(out)
    tables = normalise(result, name=name)
    refuse_inputs(out, inputs)
    if suffix == ".csv":
        stems = [out.stem] if len(tables) == 1 else [f"{out.stem}-{stem}" for stem in _file_stems(tables)]
        return _publish_csv(tables, [out.with_name(f"{stem}.csv") for stem in stems], chart, inputs)
    return _publish_workbook(tables, out, chart, template or Template())


def publish_files(
    result: Result,
    *,
    folder: Path,
    suffix: Suffix = ".xlsx",
    template: Template | None = None,
    inputs: Sequence[Path] = (),
    name: str = DEFAULT_NAME,
) -> Published:
    """Write each table of the result to a file of its own in `folder`, named after it.

    Raises:
        UsageError: There is no result, a file is an input, or cannot be written.
    """
    tables = normalise(result, name=name)
    paths = [folder / f"{stem}{suffix}" for stem in _file_stems(tables)]
    if suffix == ".csv":
        return _publish_csv(tables, paths, None, inputs)
    for path in paths:
        refuse_inputs(path, inputs)
    written = [
        _publish_workbook([table], path, None, template or Template())
        for table, path in zip(tables, paths, strict=True)
    ]
    return Published(
        paths=tuple(paths),
        sheet_name_map={table.name: path.name for table, path in zip(tables, paths, strict=True)},
        notices=tuple(notice for each in written for notice in each.notices),
    )


def _suffix(out: Path) -> Suffix:
    for suffix in SUFFIXES:
        if out.suffix.lower() == suffix:
            return suffix
    raise UsageError(f"{str(out)!r} is no kind of file that can be written; end its name in .xlsx or .csv")


def _file_stems(tables: Sequence[NormalTable]) -> list[str]:
    return legal_file_names([table.name for table in tables])


def _publish_workbook(
    tables: Sequence[NormalTable], out: Path, chart: Mapping[str, Any] | None, template: Template
) -> Published:
    sheets = plan_sheets(tables)
    plan, told = plan_chart(
        chart, [sheet.table for sheet in sheets], rows=[sheet.end - sheet.start for sheet in sheets]
    )
    notices = _replaced([out]) + _notices(tables)
    with replacing(out) as file:
        write_workbook(file, sheets, template=template, chart=plan)
    notices += [
        f"{sheet.asked!r} is on the sheet {sheet.name!r}" for sheet in sheets if sheet.name != sheet.asked
    ]
    if len(sheets) > len(tables):
        notices.append("a sheet holds 1,048,576 rows; longer tables go on in sheets called (2), (3), …")
    return Published(
        paths=(out,),
        sheet_name_map={sheet.asked: sheet.name for sheet in sheets},
        notices=(*notices, *told),
    )


def _publish_csv(
    tables: Sequence[NormalTable],
    paths: Sequence[Path],
    chart: Mapping[str, Any] | None,
    inputs: Sequence[Path],
) -> Published:
    for path in paths:
        refuse_inputs(path, inputs)
    notices = _replaced(paths) + _notices(tables)
    for table, path in zip(tables, paths, strict=True):
        with replacing(path) as file:
            notices += write_csv(file, table)
    if len(paths) > 1:
        notices.append(f"a CSV file holds one table; there are {len(paths)} files: {_listed(paths)}")
    if chart is not None:
        notices.append("a CSV file holds no chart; let the output be an .xlsx file")
    return Published(
        paths=tuple(paths),
        sheet_name_map={table.name: path.name for table, path in zip(tables, paths, strict=True)},
        notices=tuple(notices),
    )


def _replaced(paths: Sequence[Path]) -> list[str]:
    return [f"The existing {str(path)!r} was replaced." for path in paths if path.exists()]


def _notices(tables: Sequence[NormalTable]) -> list[str]:
    several = len(tables) > 1
    return [f"{table.name!r}: {text}" if several else text for table in tables for text in table.notices]


def _listed(paths: Sequence[Path]) -> str:
    names = [path.name for path in paths]
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
