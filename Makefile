# Every target makes an editable .venv first if it is missing or older than pyproject.toml.
# PYTHON names the interpreter that .venv is made with: `make test PYTHON=python3.12`.

PYTHON ?= python3
BIN := .venv/bin
MADE := .venv/.made

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-all check kernels browser bench pages docs wheel clean

help: ## print these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(MADE) ## read a few texts and train a small reader, offline, in under a minute
	$(BIN)/readhead demo

test: $(MADE) ## run the tests: no network, no GPU
	$(BIN)/python -m pytest -m "not slow and not kernels" -n auto --maxprocesses 4

test-all: $(MADE) ## run every test, the slow ones and those that need a GPU if there is one
	$(BIN)/python -m pytest

check: $(MADE) ## check format, lint, types, and the kernels' own tests under sanitizers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/native

kernels: ## build the kernels again, after a change in native/
	cmake -S native -B build/native
	cmake --build build/native --parallel 2 --target kernels
	cmake --install build/native --prefix .

browser: $(MADE) ## install Debian's chromium, which tests of HTML pages drive
	@if ! command -v chromium >/dev/null; then \
	    command -v apt-get >/dev/null || { \
	        echo "make browser: no apt-get here; install Chromium so that 'chromium' is on the PATH" >&2; exit 1; }; \
	    root=; [ "$$(id -u)" = 0 ] || root="sudo -n"; \
	    $$root apt-get update -qq && \
	    $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium || { \
	        echo "make browser: apt-get could not install chromium (it needs root, or sudo without a password)" >&2; \
	        exit 1; }; \
	fi
	@chromium --version

bench: $(MADE) ## time the readers against the matrix products they are made of
	$(BIN)/readhead bench

pages: $(MADE) ## build the pages into docs/_build/html; a warning is an error
	$(BIN)/sphinx-build -E -W --keep-going -n -q docs docs/_build/html
	@echo "built: docs/_build/html/index.html"

docs: pages ## build the pages, and run what README and they show
	$(BIN)/python -m pytest -m "not slow" tests/docs

wheel: $(MADE) ## build the wheel into dist/
	$(BIN)/python -m build --wheel

clean: ## delete build outputs and caches; .venv and runs/ stay
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

$(MADE): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { \
	    echo "make: no '$(PYTHON)' here; readhead needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "make: readhead needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) -V 2>&1):" \
	         "make PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "make: $(PYTHON) comes without venv; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@echo "making .venv with PyTorch in it: some minutes the first time"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-input --no-compile --disable-pip-version-check --editable '.[dev]'
	@touch $@
