from __future__ import annotations

import errno
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from mindatlas.evals.release import bundle, make_release, publication, records_of
from mindatlas.evals.release.checks import business_terms, literal_findings, seen_terms, term_findings
from mindatlas.evals.release.vocabulary import kept
from mindatlas.graphs.cli import app
from mindatlas.nodes.errors import FileReadError, SetupError, UsageError
from tests.evals.audits import audit_line, error, run_of, write_log


def failing(run: str, **changes: Any) -> list[dict[str, Any]]:
    told = error("KeyError", "'x'")
    lines = run_of(run, ["E1", None], code="result = df['x'].sum()", **changes)
    lines[0]["error"] = told
    return lines


@pytest.fixture
def log(tmp_path: Path, home: Path) -> Path:
    return write_log(tmp_path / "a.jsonl", [line for n in range(130) for line in failing(f"run{n}")])


def test_the_folder_holds_records_schema_card_licence_sample_and_checksums(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    outcome = make_release([log], folder)
    assert (outcome.counts.records, outcome.sampled, outcome.blocked) == (130, 100, 0)
    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    records = [
        json.loads(line) for line in (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert all(Draft202012Validator(schema).is_valid(record) for record in records)
    assert len({record["task_id"] for record in records}) == 130
    sample = (folder / "review" / "sample.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(sample) == len(set(sample)) == 100
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| E1 | 130 | 130/130 = 100.0 % (97.1–100.0) |" in card
    assert "simulated faults, not a language model" in card
    assert "$" not in card
    assert (folder / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    lines = [line.split("  ") for line in (folder / "SHA256SUMS").read_text().splitlines()]
    sums = {name: checksum for checksum, name in lines}
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert set(sums) == found - {"SHA256SUMS"}
    for name, checksum in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == checksum


def test_the_same_key_gives_the_same_release_and_another_one_other_ids(log: Path, tmp_path: Path) -> None:
    keys = [tmp_path / "k1", tmp_path / "k2"]
    for n, key in enumerate(keys):
        key.write_text(str(n) * 32)
    for folder, key in (("a", keys[0]), ("b", keys[0]), ("c", keys[1])):
        make_release([log], tmp_path / folder, key=key)
    files = [(tmp_path / folder / "SHA256SUMS").read_text() for folder in "abc"]
    assert files[0] == files[1] != files[2]


def test_the_key_stays_outside_and_private(log: Path, tmp_path: Path, home: Path) -> None:
    make_release([log], tmp_path / "out")
    key = home / "release.key"
    assert key.stat().st_mode & 0o077 == 0
    for path in (tmp_path / "out").rglob("*"):
        assert not path.is_file() or key.read_text() not in path.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="lies in the release"):
        make_release([log], tmp_path / "new", key=tmp_path / "new" / "key")


def test_a_short_or_missing_key_is_refused(log: Path, tmp_path: Path) -> None:
    (tmp_path / "k").write_text("short")
    with pytest.raises(UsageError, match="5 bytes"):
        make_release([log], tmp_path / "out", key=tmp_path / "k")
    with pytest.raises(FileReadError, match="cannot read the key"):
        make_release([log], tmp_path / "out", key=tmp_path / "none")
    assert not (tmp_path / "out").exists()


def test_a_term_of_the_user_blocks_and_nothing_is_written(log: Path, tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("# ours\n\nSUM\n")
    before = sorted(tmp_path.iterdir())
    done = CliRunner().invoke(app, ["release", str(log), "-o", str(tmp_path / "out"), "--terms", str(terms)])
    assert done.exit_code == 1
    assert "blocked by 130 findings, nothing was written" in done.output
    assert "business_term: 'SUM' in code_snippet" in done.output
    assert sorted({*tmp_path.iterdir()} - {tmp_path / "home"}) == [
        path for path in before if path.name != "home"
    ]


def test_what_the_rewriting_missed_blocks(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks do not lean on the rewriting: a fault planted in it is found."""
    made = records_of

    def leaking(*args: Any) -> list[Any]:
        return [{**record, "code_snippet": "result = df['x'].sum() + 7  # 机密"} for record in made(*args)]  # type: ignore[dict-item]

    monkeypatch.setattr(publication, "records_of", leaking)
    outcome = make_release([write_log(tmp_path / "one.jsonl", failing("a"))], tmp_path / "out")
    assert outcome.folder is None
    assert {finding.text for finding in outcome.findings} >= {"'x'", "7", "#", "机", "密"}
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("result = df['金额']", "金"),
        ("result = 5", "5"),
        ("qz = NUM", "qz"),
        ("df['COL0x']", "COL0x"),
        ("f'qz{V1}'", "qz"),
        ("result = V1.qz", "qz"),
        ("STR1 = NUM", "STR1"),
        ("df['sum']", "'sum'"),
        ("df['sum'", "'sum'"),
        ("result = b'sum'", "b'sum'"),
        ("V1 = NUM  # sum", "#"),
    ],
)
def test_literals_left_are_found(code: str, left: str) -> None:
    record = {"task_id": "t", "code_snippet": code, "error_description": "KeyError on line 12: 'COL1'"}
    assert left in {finding.text for finding in literal_findings(record)}


def test_the_kind_of_an_error_is_searched_too_and_its_lines_are_not() -> None:
    record = {
        "task_id": "t",
        "code_snippet": "V1",
        "error_description": "AcmeError on line 12: index is invalid",
    }
    assert {finding.text for finding in literal_findings(record)} == {"AcmeError"}


def test_terms_are_found_whatever_their_case_and_only_as_words() -> None:
    record = {"task_id": "t", "code_snippet": "result = Acme Corp.客户表(subtotal)", "error_description": "x"}
    found = {
        finding.text
        for finding in term_findings(record, ["acme corp", "客户", "total", "x"], "business_term")
    }
    assert found == {"acme corp", "客户", "x"}


def test_seen_terms_leave_out_what_a_release_may_hold() -> None:
    assert seen_terms(["index", " 金额 ", "a", "", "groupby sum", ", ", "col1", "qz 1"]) == {"金额", "qz 1"}


def test_business_terms_are_many_and_none_is_a_word_of_python_or_pandas() -> None:
    terms = business_terms()
    assert len(terms) == len(set(terms)) >= 60
    assert not {term.casefold() for term in terms} & {word.casefold() for word in kept()}


def test_a_folder_that_holds_something_is_left_alone(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    make_release([log], folder)
    before = (folder / "SHA256SUMS").read_text()
    with pytest.raises(UsageError, match="is there already"):
        make_release([log], folder)
    assert (folder / "SHA256SUMS").read_text() == before


def test_a_target_that_cannot_be_written_is_told(log: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(SetupError, match="cannot write the release"):
        make_release([log], tmp_path / "file" / "deep" / "out")
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("step", ["_write", "_move", "_to_disk"])
def test_a_full_disk_leaves_nothing_behind(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(bundle, step, full)
    before = sorted(path for path in tmp_path.iterdir() if path.name != "home")
    with pytest.raises(SetupError, match="No space left on device"):
        make_release([log], tmp_path / "out")
    assert sorted(path for path in tmp_path.iterdir() if path.name != "home") == before


def test_broken_and_foreign_lines_are_told_and_the_rest_is_released(tmp_path: Path, home: Path) -> None:
    foreign = json.dumps({"id": "x", "question": "q"})
    log = write_log(tmp_path / "a.jsonl", ["{cut", *failing("a"), foreign])
    done = CliRunner().invoke(app, ["release", str(log), "-o", str(tmp_path / "out"), "--json"])
    told = json.loads(done.stdout)
    assert (done.exit_code, told["counts"]["records"], told["broken"]["count"]) == (0, 1, 2)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "no audit line"),
        (["{"], "1 of 1 lines are broken"),
        (run_of("a", [None]), "none of 1 runs has a failed round"),
        ([audit_line(code=None)], "1 set aside: the audit holds no program"),
    ],
)
def test_nothing_to_release_is_told(lines: list[Any], message: str, tmp_path: Path, home: Path) -> None:
    with pytest.raises(UsageError, match=message):
        make_release([write_log(tmp_path / "a.jsonl", lines)], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_interleaved_and_cut_runs_are_told_whole(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = failing("a"), failing("b")
    log = write_log(
        tmp_path / "a.jsonl", [one[0], two[0], one[1], audit_line("c", error=error("KeyError", "'x'"))]
    )
    outcome = make_release([log], tmp_path / "out")
    lines = (tmp_path / "out" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    paths = [json.loads(line)["repair_path"] for line in lines]
    assert paths == [["E1", "repair", "pass"], ["E1", "unfinished"], ["E1", "unfinished"]]
    assert outcome.counts.runs == 3
