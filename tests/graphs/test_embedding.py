from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase

HOST = {
    "nodes/__init__.py": 'OWNER = "host"',
    "nodes/answering.py": """
        from mindatlas.nodes.mindtrip.parts.answers import Claim

        class FirstSentence:
            \"\"\"The host's own answerer: the first sentence of the first passage.\"\"\"

            def answer(self, request):
                passage = request.passages[0]
                sentence = passage["text"].split("。")[0]
                return [Claim(text=f"{sentence}。", passage_id=passage["id"], quote=sentence)]
        """,
    "graphs/__init__.py": """
        from dataclasses import replace

        from langgraph.checkpoint.memory import InMemorySaver
        from mindatlas.graphs import build_mindtrip
        from mindatlas.graphs.mindtrip import MindTripSettings, open_parts
        from nodes.answering import FirstSentence

        def build(kb):
            parts = replace(open_parts(MindTripSettings(kb=kb)), answerer=lambda base: FirstSentence())
            return build_mindtrip(parts).compile(checkpointer=InMemorySaver())
        """,
    "app.py": """
        import json
        import sys

        import graphs
        import mindatlas.graphs
        import mindatlas.nodes
        import nodes

        graph = graphs.build(sys.argv[1])
        thread = {"configurable": {"thread_id": "visitor-1"}}
        first = graph.invoke({"question": "万宁除了日月湾还有什么冲浪的地方？"}, thread)
        second = graph.invoke({"question": "那三亚呢？"}, thread)
        print(json.dumps({
            "owner": nodes.OWNER,
            "packages": [nodes.__file__, graphs.__file__],
            "first": [first["answer"], first["exclude_entities"], first["stop_reason"]],
            "second": [passage["entity"] for passage in second["passages"]],
        }))
        """,
}


@pytest.mark.slow
def test_a_host_with_packages_of_the_same_names_runs_the_graph_with_a_part_of_its_own(
    tmp_path: Path, places: KnowledgeBase
) -> None:
    host = tmp_path / "host"
    for name, content in HOST.items():
        (host / name).parent.mkdir(parents=True, exist_ok=True)
        (host / name).write_text(dedent(content).lstrip(), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "app.py", str(places.folder)],
        cwd=host,
        env={**os.environ, "MINDATLAS_HOME": str(tmp_path / "home"), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["owner"] == "host"
    assert all(Path(path).is_relative_to(host) for path in said["packages"])
    answer, excluded, stop_reason = said["first"]
    assert answer.startswith("石梅湾沙滩细白，浪小的时候有人教冲浪。 [shimei]")
    assert (excluded, stop_reason) == (["日月湾"], "answered")
    assert said["second"] == ["后海"]
    assert not (tmp_path / "home").exists(), "nothing is written that the host did not ask for"
