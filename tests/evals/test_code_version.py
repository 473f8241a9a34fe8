from __future__ import annotations

from pathlib import Path

from mindatlas.evals.code_version import code_version, hash_folders


def test_names_and_contents_count_and_other_graphs_do_not(tmp_path: Path) -> None:
    room = tmp_path / "nodes"
    (room / "mindtrip").mkdir(parents=True)
    (room / "atlassplit").mkdir()
    for name in ("models.py", "mindtrip/rerank.py", "atlassplit/repair.py", "atlassplit.py", "note.txt"):
        (room / name).write_text(name)

    def version() -> str:
        return hash_folders([room], without={"atlassplit"})

    first = version()
    for name in ("atlassplit/repair.py", "atlassplit.py", "note.txt"):
        (room / name).write_text("other")
    assert version() == first
    (room / "mindtrip" / "rerank.py").write_text("other")
    changed = version()
    (room / "mindtrip" / "rerank.py").rename(room / "mindtrip" / "order.py")
    assert len({first, changed, version()}) == 3


def test_each_graph_has_a_version_of_its_own() -> None:
    assert code_version("mindtrip") != code_version("atlassplit")
    assert len(code_version("mindtrip")) == 64
