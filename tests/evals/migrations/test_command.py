from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mindatlas.evals.cli import app
from mindatlas.evals.migrations.against import spread
from mindatlas.evals.migrations.command import migrations, report_migrations
from mindatlas.evals.migrations.heat_map import heat_map
from mindatlas.evals.migrations.text_report import to_page
from mindatlas.nodes.errors import MindatlasError
from tests.evals.audits import run_of, write_log


@pytest.fixture
def log(tmp_path: Path) -> Path:
    runs = [run_of("a", ["E1", "E2", None]), run_of("b", ["E3", "E1"], model="<script>alert(1)</script>")]
    return write_log(tmp_path / "a.jsonl", [line for run in runs for line in run])


def test_text_tells_both_denominators_and_that_faults_are_simulated(log: Path) -> None:
    done = CliRunner().invoke(app, ["migrations", str(log)])
    assert done.exit_code == 0
    assert "introduced errors, of all repairs: 2/3 = 66.7 % (20.8–93.9)" in done.output
    assert "simulated faults" in done.output
    assert re.search(r"E1->E2 +1 +1/2 = 50\.0 % .* 1/3 = 33\.3 %", done.output)


def test_json_is_one_object_with_the_comparison(log: Path) -> None:
    done = CliRunner().invoke(app, ["migrations", str(log), "--against", str(log), "--json"])
    report = json.loads(done.stdout)
    assert report["comparison"]["overall"]["p"] == 1
    assert report["comparison"]["against"]["lines"] == report["lines"] == 5


def test_against_takes_all_logs_that_follow(log: Path, tmp_path: Path) -> None:
    other = write_log(tmp_path / "b.jsonl", run_of("c", ["E1", None]))
    done = CliRunner().invoke(app, ["migrations", str(log), "--against", str(log), str(other), "--json"])
    report = json.loads(done.stdout)
    assert (report["lines"], report["comparison"]["against"]["lines"]) == (5, 7)


@pytest.mark.parametrize(
    ("given", "spread_out"),
    [
        (["a", "--against", "b", "c", "--json", "d"], "a --against b --against c --json d"),
        (["a", "--against=b", "c"], "a --against=b c"),
        (["a", "--against"], "a --against"),
        (["--against", "b", "--against", "c"], "--against b --against c"),
    ],
)
def test_the_option_is_repeated_before_each_of_its_values(given: list[str], spread_out: str) -> None:
    assert list(spread(given)) == spread_out.split()


def test_names_that_no_terminal_takes_are_shown_all_the_same(tmp_path: Path) -> None:
    text = "".join(
        json.dumps(line) + "\n" for line in run_of("a", ["E1", "E2"], model="m\ud800", prompt_hash="p")
    )
    log = tmp_path / "a.jsonl"
    log.write_text(text, encoding="ascii")
    done = CliRunner().invoke(app, ["migrations", str(log), "--json"])
    assert json.loads(done.stdout)["models"][0]["model"] == "m?"


def test_page_holds_everything_and_reaches_for_nothing(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "new" / "m.html"
    assert migrations([log], [log], page, as_json=True) == 0
    text = page.read_text(encoding="utf-8")
    assert "<svg" in text
    assert "before the repair" in text  # text of the drawing stays text
    assert "<script" not in text
    assert not re.findall(r"(?:src|href)=\"(?!data:|#)", text.replace("xlink:href", "href"))


def test_the_same_counts_give_the_same_page(log: Path) -> None:
    assert to_page(report_migrations([log])) == to_page(report_migrations([log]))


def test_a_heat_map_of_nothing_is_drawn() -> None:
    assert heat_map([[None, 0], [0, None]], ["E0", "E1"]).startswith("<svg")


def test_a_page_that_cannot_be_written_is_told(log: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MindatlasError, match="file"):
        migrations([log], [], tmp_path / "file" / "m.html", as_json=True)
