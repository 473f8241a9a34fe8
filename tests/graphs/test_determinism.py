from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.graphs.command import run_process

QUESTIONS: list[dict[str, Any]] = [
    {"question": "万宁除了日月湾还有什么冲浪的地方？", "thread": "trip"},
    {"question": "还有别的吗", "thread": "trip"},
    {"question": "那三亚呢？", "thread": "trip"},
    {"question": "它怎么去？", "thread": "trip"},
    {"question": "Where can I go diving besides Wuzhizhou Island?"},
    {"question": "推荐三亚免费、适合带孩子的海湾"},
    {"question": "亚龙湾和海棠湾哪个更适合情侣？"},
    {"question": "海南有什么特产和小吃？", "filters": {"city": ["海口", "三亚"]}},
    {"question": "从三亚到陵水怎么走？"},
    {"question": "三亚100元以内的公园推荐"},
    {"question": "哪里有滑雪场？"},
    {"question": "湾", "filters": {"weather": "sunny"}},
    {"question": "🏄"},
]


@pytest.mark.slow
def test_two_processes_give_the_same_bytes(bundled_home: Path, tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    lines = [json.dumps({"id": number, **line}, ensure_ascii=False) for number, line in enumerate(QUESTIONS)]
    questions.write_text("\n".join(lines), encoding="utf-8")
    outputs = []
    for seed in ("1", "2"):
        env = {"MINDATLAS_HOME": str(tmp_path / f"home-{seed}"), "PYTHONHASHSEED": seed}
        kb = bundled_home / "kb" / "hainan"
        done = run_process("ask", "--batch", questions, "--kb", kb, "--model", "faulty:3", env=env)
        assert done.code == 1, done.err
        outputs.append([json.dumps(_told(line), ensure_ascii=False) for line in done.lines])
    one, two = outputs
    assert len(one) == len(QUESTIONS)
    assert one == two


def _told(line: dict[str, Any]) -> dict[str, Any]:
    """Return a result without what differs from run to run."""
    return {name: value for name, value in line.items() if name not in {"run_id", "timings_ms"}}


@pytest.mark.slow
def test_a_knowledge_base_built_twice_answers_alike(tmp_path: Path) -> None:
    """Ingesting is as repeatable as asking: rankings do not depend on who built the index."""
    source = tmp_path / "spots.jsonl"
    records = [
        {
            "id": f"s{n}",
            "title": f"海滩{n}",
            "text": f"这里是第{n % 4}类海滩，可以冲浪。",
            "city": ["三亚", "万宁"][n % 2],
        }
        for n in range(12)
    ]
    source.write_text(
        "\n".join(json.dumps(record, ensure_ascii=False) for record in records), encoding="utf-8"
    )
    answers = []
    for seed in ("3", "4"):
        env = {"MINDATLAS_HOME": str(tmp_path / f"home-{seed}"), "PYTHONHASHSEED": seed}
        assert run_process("ingest", source, "--kb", "spots", "--embedding", "builtin", env=env).code == 0
        done = run_process("ask", "三亚第2类海滩在哪里？", "--kb", "spots", "--json", env=env)
        answers.append(json.dumps(_told(done.json), ensure_ascii=False))
    assert answers[0] == answers[1]
