from __future__ import annotations

from typing import Any

from rich.cells import cell_len

from mindatlas.graphs.result_text import text_of_result


def table(
    *rows: list[Any], columns: tuple[str, ...] = ("门店", "n"), n_rows: int | None = None
) -> dict[str, Any]:
    return {"columns": list(columns), "rows": list(rows), "n_rows": len(rows) if n_rows is None else n_rows}


def test_columns_are_aligned_by_what_the_terminal_shows() -> None:
    lines = text_of_result({"kind": "table", **table(["朝阳店", 1], ["ab", 2.5])}).splitlines()
    assert lines == ["门店    n", "朝阳店  1", "ab      2.5"]
    assert {cell_len(line[: line.index(last)]) for line, last in zip(lines, "n12", strict=True)} == {8}


def test_long_tables_and_texts_are_cut_and_that_is_said() -> None:
    rows = [[f"r{number}", None] for number in range(30)]
    lines = text_of_result({"kind": "table", **table(*rows, ["x" * 99, 1], n_rows=500)}).splitlines()
    assert lines[-1] == "… 480 more rows"
    assert (
        text_of_result({"kind": "table", **table(["x" * 99, 1])}).splitlines()[1].startswith("x" * 39 + "…")
    )


def test_tables_stand_under_their_names() -> None:
    tables = {f"t{number}": table([1, 2]) for number in range(12)}
    text = text_of_result({"kind": "tables", "tables": tables})
    assert text.startswith("[t0]\n门店  n\n1     2\n\n[t1]")
    assert text.endswith("… 2 more tables")


def test_a_value_is_itself() -> None:
    assert text_of_result({"kind": "scalar", "value": 0.1 + 0.2}) == "0.3"
    assert text_of_result({"kind": "scalar", "value": "a\nb"}) == "a b"
    assert text_of_result(None) == ""


def test_a_table_without_columns_is_empty() -> None:
    assert text_of_result({"kind": "table", "columns": [], "rows": [], "n_rows": 0}) == ""
