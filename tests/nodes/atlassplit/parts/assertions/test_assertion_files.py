"""Assertions from files, plans and proposals, and what a writer is told of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.assertions import (
    KINDS,
    Assertion,
    Checked,
    Tolerance,
    assertion_dicts,
    check,
    feedback,
    from_dicts,
    from_proposal,
    read_assertion_file,
)
from mindatlas.nodes.errors import UsageError


def write(folder: Path, text: str) -> Path:
    path = folder / "checks.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_in_full(tmp_path: Path) -> None:
    text = """
    - {kind: total_sum_match, column: 销售额, tolerance: 0.5}
    - kind: value_in_range
      columns: [日期, 2024]
      expected: [2024-01-01, 2024-12-31]
      tolerance: {relative: 0.1}
      table: 明细
      description: all in the year
    - {kind: growth_rate_check, columns: [v, r], by: 店, lag: 12}
    - {kind: no_nulls, columns: [a, b]}
    """
    first, second, third, fourth = read_assertion_file(write(tmp_path, text))
    assert first == Assertion(
        kind="total_sum_match",
        columns=("销售额",),
        tolerance=Tolerance(absolute=0.5),
        description="total sum match of '销售额'",
    )
    assert second.columns == ("日期", "2024")
    assert second.expected == ["2024-01-01", "2024-12-31"]
    assert second.tolerance == Tolerance(absolute=0.01, relative=0.1)
    assert (second.table, second.description) == ("明细", "all in the year")
    assert (third.by, third.lag, third.source) == (("店",), 12, "user")
    assert fourth.columns == ("a", "b")


def test_one_item_on_several_sums_is_one_assertion_each(tmp_path: Path) -> None:
    text = "- {kind: total_sum_match, columns: [a, b], input_columns: [x, y]}"
    found = read_assertion_file(write(tmp_path, text))
    assert [(each.columns, each.input_columns) for each in found] == [(("a",), ("x",)), (("b",), ("y",))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "- {kind: row_count}\n- {kind: row_cont}",
            "assertion 2: unknown kind 'row_cont' (did you mean 'row_count'?)",
        ),
        ("- {kind: row_count, expcted: 3}", "unknown key 'expcted' (did you mean 'expected'?)"),
        ("- {kind: row_count, expected: many}", "assertion 1: expected: 'many'"),
        ("- {kind: row_count, tolerance: -1}", "tolerance"),
        ("- {column: a}", "assertion 1: has no 'kind'"),
        ("- just text", "assertion 1: is a str"),
        ("- {kind: total_sum_match}", "needs a column"),
        ("- {kind: total_sum_match, columns: [a, b], expected: 3}", "takes one column"),
        ("- {kind: no_nulls, column: a, columns: [b]}", "both forms"),
        ("- {kind: total_sum_match, column: a, input_columns: [x, y]}", "1 columns, but 2 input columns"),
        ("- {kind: min_ratio_satisfied, column: a}", "'expected' is a required property"),
        ("- {kind: group_sums_match_total, column: a}", "'by' is a required property"),
        ("- {kind: monotonic, column: a, expected: up}", "'up'"),
        ("kind: row_count", "holds a dict"),
        ("", "holds a NoneType"),
        ("- {kind: row_count, expected: .nan}", "no number to compare with"),
        ("- [", "no valid YAML"),
        ("- !!python/object/apply:os.getcwd []", "no valid YAML"),
        ("- &a [*a]", "no valid YAML"),
        ("- {kind: \x00}", "no valid YAML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_the_item(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=r"checks\.yaml") as caught:
        read_assertion_file(write(tmp_path, text))
    assert message in str(caught.value)


def test_a_missing_or_undecodable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be opened"):
        read_assertion_file(tmp_path / "none.yaml")
    (tmp_path / "gbk.yaml").write_bytes("- {kind: row_count, description: 行数}".encode("gb18030"))
    with pytest.raises(UsageError, match=r"gbk\.yaml"):
        read_assertion_file(tmp_path / "gbk.yaml")


def test_a_proposal_loses_what_is_wrong_with_a_reason() -> None:
    proposal = from_proposal(
        [{"kind": "row_count"}, {"kind": "magic"}, "text", {"kind": "no_nulls", "sql": "x"}]
    )
    assert [(each.kind, each.source) for each in proposal.assertions] == [("row_count", "writer")]
    assert len(proposal.dropped) == 3
    assert "proposed assertion 2: unknown kind 'magic'" in proposal.dropped[0]


def test_conservation_rules_are_never_dropped_silently() -> None:
    assert from_dicts([{"kind": "row_count"}], "conservation")[0].source == "conservation"
    with pytest.raises(UsageError, match="assertion 1"):
        from_dicts([{"kind": "magic"}], "conservation")


def test_the_schema_knows_the_same_kinds_and_keys() -> None:
    schema = json.loads(assertion_dicts._SCHEMA.read_text(encoding="utf-8"))
    assert tuple(schema["properties"]["kind"]["enum"]) == KINDS


def checked(**changes: Any) -> Checked:
    facts: dict[str, Any] = {
        "kind": "total_sum_match",
        "source": "user",
        "description": "total of '额' is kept",
        "expected": 1200.5,
        "actual": 1100,
        "difference": -100.5,
        "tolerance": Tolerance(),
        "passed": False,
    }
    return Checked(**(facts | changes))


def test_feedback_tells_failures_first_with_all_figures() -> None:
    told = feedback([checked(passed=True, difference=0.0), checked(reason="2 of 3 groups differ")])
    assert told.splitlines() == [
        "✗ total_sum_match: total of '额' is kept: expected 1200.5, actual 1100, difference -100.5. "
        "2 of 3 groups differ",
        "✓ total_sum_match: total of '额' is kept: expected 1200.5, actual 1100, difference 0",
    ]
    assert "difference +3 (allowed 0.5)" in feedback(
        [checked(difference=3.0, tolerance=Tolerance(absolute=0.5))]
    )
    assert feedback([]) == ""


def test_private_feedback_shows_patterns_and_the_direction() -> None:
    record = checked(reason="'朝阳店' expected 88, actual 7", quoted=("朝阳店", "88", "7"))
    told = feedback([record], private=True)
    assert told == (
        "✗ total_sum_match: total of '额' is kept: expected ####.#, actual ####. "
        "actual is less than expected; '文文文' expected ##, actual #"
    )
    assert record.to_json(private=True)["difference"] is None
    assert record.to_json()["actual"] == 1100


def test_private_keeps_counts_which_are_no_cell_values() -> None:
    frame = pd.DataFrame({"k": ["张三", "张三"]})
    items: list[dict[str, Any]] = [
        {"kind": "unique_key", "column": "k"},
        {"kind": "sheet_set", "expected": ["王五"]},
    ]
    records = check(from_dicts(items, "user"), inputs={"df": frame}, active="df", result={"李四": frame})
    told = feedback(records, private=True)
    assert "actual 1, difference +1" in told
    assert not {"张三", "李四", "王五"} & {told[at : at + 2] for at in range(len(told))}


def test_records_are_json() -> None:
    record = checked(expected={"a": [1, None]}).to_json()
    assert json.loads(json.dumps(record)) == record
    assert list(record) == [
        *(
            "kind",
            "source",
            "description",
            "expected",
            "actual",
            "difference",
            "tolerance",
            "passed",
            "reason",
        )
    ]


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ("{kind: row_count, expected: three}", "write a whole number from 0"),
        ("{kind: row_count, expected: {min: 9, max: 2}}", "its smallest value 9 above its largest 2"),
        ("{kind: value_in_range, column: x, expected: 5}", r"write \[low, high\]"),
        ("{kind: value_in_range, column: x, expected: [5, 1]}", "its smallest value 5 above its largest 1"),
        ("{kind: group_sums_match_total, column: x, by: y, expected: many}", "a mapping of each group"),
        ("{kind: sheet_set}", "sheet_set needs the expected names"),
        ("{kind: columns_present}", "columns_present needs the expected names"),
        ("{kind: growth_rate_check, column: x}", "growth_rate_check needs the columns"),
    ],
)
def test_what_no_result_could_meet_is_told_with_what_to_write(tmp_path: Path, item: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        read_assertion_file(write(tmp_path, f"- {item}"))
