from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

ROOT = Path(__file__).parents[2]
STARTED_WITHIN = 120  # seconds; it takes 1 to 4, and a busy machine longer
LANGGRAPH = shutil.which("langgraph", path=str(Path(sys.executable).parent))
SURF = {"question": "万宁除了日月湾还有什么冲浪的地方？"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(LANGGRAPH is None, reason="the studio extra is not installed"),
]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the server answers; fail with its log when it ends or takes too long."""
    pause = threading.Event()
    deadline = monotonic() + STARTED_WITHIN
    while not answers(f"{url}/ok"):
        assert process.poll() is None, f"the server ended:\n{log.read_text()}"
        assert monotonic() < deadline, f"the server did not answer:\n{log.read_text()}"
        pause.wait(0.2)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and what it started: the process group that it leads."""
    for step in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, step)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=15)
            return


@pytest.fixture(scope="module")
def server(_bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `langgraph dev`, started on loopback without key or tracing."""
    folder = tmp_path_factory.mktemp("studio")
    config = (ROOT / "langgraph.json").read_text(encoding="utf-8")
    (folder / "langgraph.json").write_text(config.replace('"."', f'"{ROOT}"'), encoding="utf-8")
    port, log = free_port(), folder / "log.txt"
    keys = {"LANGSMITH_API_KEY", "LANGCHAIN_API_KEY", "OPENAI_API_KEY"}
    env = {name: value for name, value in os.environ.items() if name not in keys}
    env |= {"MINDATLAS_HOME": str(_bundled), "LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
    arguments = ["dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(LANGGRAPH), *arguments],
            cwd=folder,
            env=env,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        wait_until_ready(f"http://127.0.0.1:{port}", process, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(process)


@pytest.fixture
def client(server: str) -> Iterator[SyncLangGraphClient]:
    with get_sync_client(url=server) as client:
        yield client


@pytest.fixture
def assistant(client: SyncLangGraphClient) -> str:
    (found,) = client.assistants.search(graph_id="mindtrip")
    return found["assistant_id"]


def test_the_graph_is_listed(client: SyncLangGraphClient) -> None:
    assert "mindtrip" in {found["graph_id"] for found in client.assistants.search()}


def test_the_schemas_are_there(client: SyncLangGraphClient, assistant: str) -> None:
    schemas: dict[str, Any] = dict(client.assistants.get_schemas(assistant))
    for name in ("input_schema", "output_schema", "state_schema", "context_schema"):
        assert schemas[name], name
    assert "question" in schemas["input_schema"]["properties"]
    assert {"answer", "citations", "stop_reason", "path"} <= set(schemas["output_schema"]["properties"])
    assert {"kb", "model", "reranker"} <= set(schemas["context_schema"]["properties"])


def test_the_drawing_is_that_of_the_graph(client: SyncLangGraphClient, assistant: str) -> None:
    from mindatlas.graphs.mindtrip import graph

    drawn = client.assistants.get_graph(assistant)
    assert {str(node["id"]) for node in drawn["nodes"]} == set(graph.get_graph().nodes)


def test_a_run_answers(client: SyncLangGraphClient, assistant: str) -> None:
    thread = client.threads.create()
    output: Any = client.runs.wait(thread["thread_id"], assistant, input=SURF)
    assert output["stop_reason"] == "answered"
    assert output["exclude_entities"] == ["日月湾"]
    follow: Any = client.runs.wait(thread["thread_id"], assistant, input={"question": "还有别的吗"})
    shown = {passage["entity"] for passage in output["passages"]}
    assert not shown & {passage["entity"] for passage in follow["passages"]}
    state: Any = client.threads.get_state(thread["thread_id"])
    assert state["values"]["turn"]["exclude_entities"] == ["日月湾"]


def test_settings_come_as_context(client: SyncLangGraphClient, assistant: str) -> None:
    output: Any = client.runs.wait(None, assistant, input=SURF, context={"passages": 1, "model": "faulty:1"})
    assert output["model"] == "faulty:1"
    assert len(output["passages"]) == 1


def test_a_run_streams_its_steps(client: SyncLangGraphClient, assistant: str) -> None:
    steps = [
        name
        for part in client.runs.stream(None, assistant, input=SURF, stream_mode="updates")
        if part.event == "updates"
        for name in part.data
    ]
    assert steps[0] == "resolve_followup"
    assert steps[-1] == "verify_answer"


def test_a_bad_question_is_an_error_of_the_run(client: SyncLangGraphClient, assistant: str) -> None:
    output: Any = client.runs.wait(None, assistant, input={"question": ""}, raise_error=False)
    assert "UsageError" in str(output)
