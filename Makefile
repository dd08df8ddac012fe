# Everything runs in a virtual environment that make makes; nothing needs to be installed but Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
PYTEST_FLAGS ?=
WORKERS ?= 6
LOWEST := $(RUN)/uv pip install --quiet --python $(VENV)-lowest
# of a fresh clone too: what mypy knows goes by content
export MYPY_CACHE_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/outbox-kit/mypy
# every command that a test starts would compile all its modules
unexport PYTHONDONTWRITEBYTECODE

.PHONY: packages large-packages demo test tests quick quick-tests lowest coverage check lint types bench golden docs site pictures lock audit clean

demo: $(VENV)/ready
	rm -rf outbox-kit-demo
	$(RUN)/outbox-kit demo outbox-kit-demo

# types are checked beside the tests: alone, mypy would keep one core busy for a minute
test: lint
	$(MAKE) --no-print-directory --jobs 2 types tests

# compiles the modules of the tests once, while mypy has the other core: each process would
$(VENV)/compiled: $(VENV)/ready
	$(RUN)/pytest --collect-only --quiet > /dev/null || true
	touch $@

tests: $(VENV)/compiled
	$(RUN)/pytest --numprocesses $(WORKERS) --no-loadscope-reorder --durations=30 $(PYTEST_FLAGS)

# what needs no server, JVM or compiler, and draws nothing at random: for every change, before `make test`
quick: lint
	$(MAKE) --no-print-directory --jobs 2 types quick-tests

quick-tests: $(VENV)/ready
	$(RUN)/pytest tests/house tests/unit tests/golden -m "not random" --numprocesses 2 --no-loadscope-reorder \
		--quiet $(PYTEST_FLAGS)

# the unit tests with the lowest releases that pyproject.toml allows, in an environment of their own
lowest: $(VENV)/ready
	$(RUN)/pip install --quiet 'uv>=0.5,<1'
	$(RUN)/uv venv --quiet --clear $(VENV)-lowest
	$(LOWEST) --resolution lowest-direct --editable '.[stack,registry,sqlserver,oracle,mongodb,rabbitmq,tracing,lsp]'
	$(RUN)/uv pip freeze --quiet --exclude-editable --python $(VENV)-lowest > $(VENV)-lowest/versions.txt
	$(LOWEST) --group dev --constraint $(VENV)-lowest/versions.txt
	$(VENV)-lowest/bin/pytest tests/unit -m "not random" --numprocesses 2 --quiet $(PYTEST_FLAGS)

# what no test runs; measuring takes all of them longer, and the conformance tests, which count nothing, twice as long
coverage: $(VENV)/ready
	$(RUN)/pytest -p pytest_cov --cov --cov-report=term --ignore=tests/conformance $(PYTEST_FLAGS)

check: lint types

lint: $(VENV)/ready
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .

types: $(VENV)/ready
	$(RUN)/mypy

bench: $(VENV)/ready
	$(RUN)/python -m tests.bench.startup
	$(RUN)/python -m tests.bench.check
	$(RUN)/python -m tests.bench.router
	$(RUN)/python -m tests.bench.latency
	$(RUN)/python -m tests.bench.throughput
	$(RUN)/python -m tests.bench.relay
	$(RUN)/python -m tests.bench.relay_table
	$(RUN)/python -m tests.bench.relay_table_mysql
	$(RUN)/python -m tests.bench.verify
	$(RUN)/python -m tests.bench.scale
	$(RUN)/python -m tests.bench.table
	$(RUN)/python -m tests.bench.cleanup
	$(RUN)/python -m tests.bench.inbox
	$(RUN)/python -m tests.bench.coordinator

golden docs: $(VENV)/ready
	$(RUN)/pytest tests/golden --update-golden

# the documentation as a site with search, in build/site; a link that leads nowhere fails it
site: $(VENV)/site-ready
	rm -rf build/site
	$(RUN)/sphinx-build --fail-on-warning --keep-going --quiet --jobs 2 --doctree-dir build/doctrees docs build/site
	@echo 'the site is in build/site/index.html'

# of README and the documentation: a real run of the demonstration, and its report if Chromium is installed
pictures: $(VENV)/ready
	$(RUN)/python docs/pictures/draw.py

lock: $(VENV)/ready
	$(RUN)/python -m outbox_kit.stack.lock

audit: $(VENV)/ready
	$(RUN)/pip install --quiet 'pip-audit>=2.7,<3'
	$(RUN)/pip-audit --skip-editable

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN)/pip install --quiet --no-compile --upgrade 'pip>=25.1'
	@$(MAKE) --no-print-directory --jobs 2 packages large-packages
	touch $@

packages:
	$(RUN)/pip install --quiet --no-compile --editable '.[stack,registry,sqlserver,oracle,mongodb,rabbitmq,tracing,lsp]' --group dev

large-packages:
	$(RUN)/pip install --quiet --no-compile --no-deps --group large

$(VENV)/site-ready: $(VENV)/ready
	$(RUN)/pip install --quiet --group docs
	touch $@

clean:
	rm -rf $(VENV) build dist .coverage .mypy_cache .pytest_cache .ruff_cache outbox-kit-demo
