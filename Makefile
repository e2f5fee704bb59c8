# What can be done here: `make help`. Python 3.11 or later, pip and make are all it needs.

# Found once, when it is first needed.
PYTHON ?= $(eval PYTHON := $(or $(shell .ci/python),python3))$(PYTHON)
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
# The system's pip installs into the environment, which so needs neither ensurepip nor a pip of its own.
INSTALL = $(PYTHON) -m pip --disable-pip-version-check --python $(BIN)/python install --quiet --require-hashes --no-deps

.PHONY: help install demo wheel test nightly database check mutants bench messages lock system

help: ## say what can be done
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

# The site's own user may not write here, and would compile every module at each start.
install: $(VENV)/runtime ## create .venv with all that the site needs
	@$(BIN)/python -m compileall -q -x '/(\.venv|tests|bench)/' .

demo: $(VENV)/runtime ## play a season to its last published evening, and serve it on PORT (8000)
	@ROOMS=yes $(BIN)/python manage.py demo --port $(PORT)

wheel: $(VENV)/tools ## build what people install, in dist/
	@rm -f dist/*.whl
	$(BIN)/python -m hatchling build --target wheel

# Tests start many processes: each would compile the site anew where bytecode is not kept.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest
SPREAD := -n auto --dist loadfile --no-loadscope-reorder

test: $(VENV)/tools system ## run the tests of each change, in eight minutes; or all tests of files and folders: make test ARGS=tests/scoring
	$(PYTEST) $(SPREAD) $(or $(ARGS),--lane quick --budget --ignore tests/law)

# A compiler for the libraries that move a clock and note what is synced, and LibreOffice, which opens the files.
nightly: ALSO = gcc soffice
nightly: $(VENV)/tools system ## run the other tests, and the faults: servers that freeze, end, lose everything; files in LibreOffice
	failed=; \
	$(PYTEST) $(SPREAD) --lane nightly --ignore tests/faults || failed=tests; \
	$(PYTEST) -o test_seconds=0 -o faulthandler_timeout=0 tests/faults || failed="$$failed faults"; \
	[ -z "$$failed" ] || { echo "Failed: $$failed" >&2; exit 1; }

database: $(VENV)/tools ## keep a PostgreSQL for the small loop, until Ctrl-C: a test of one file then starts sooner
	@$(BIN)/python -m tests.services.kept

check: $(VENV)/tools system ## style, types, migrations, translations, and the law of the house
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/djangofmt --check templates
	$(BIN)/mypy
	tsc --project jsconfig.json
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(PYTEST) $(SPREAD) tests/law

mutants: $(VENV)/tools ## break FILE, or the files of a folder, in a copy, and say what no test near it notices: make mutants FILE=scoring/ties.py
	@$(BIN)/python -m tests.mutants $(FILE) $(TESTS)

bench: $(VENV)/tools ## measure speed, as ratios
	@missed=; \
	for file in $(wildcard bench/*.py); do $(BIN)/python -m bench.$$(basename $$file .py) || missed="$$missed $$file"; done; \
	[ -z "$$missed" ] || { echo "Missed:$$missed" >&2; exit 1; }

messages: $(VENV)/tools system ## collect what is to be translated, and compile the catalogue
	$(BIN)/python manage.py makemessages -l fr --ignore tests --no-location --no-obsolete --no-wrap
	$(BIN)/python manage.py compilemessages --ignore $(VENV)

lock: ## pin every dependency with its hashes (needs uv); RAISE="django psycopg" raises these pins, RAISE=all every one
	@command -v uv >/dev/null || { echo "Missing: uv. Install it first: python3 -m pip install uv" >&2; exit 1; }
	uv pip compile --quiet $(LOCK) $(RAISED) -o requirements.txt
	uv pip compile --quiet $(LOCK) $(RAISED) --extra dev -c requirements.txt -o requirements-dev.txt

# uv keeps the pins of the file that it writes, except these.
RAISED = $(if $(filter all,$(RAISE)),--upgrade,$(addprefix --upgrade-package ,$(RAISE)))
LOCK := --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header pyproject.toml

$(VENV)/runtime: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Topage needs Python 3.11 or later; PYTHON=... names one" >&2; exit 1; }
	$(PYTHON) -m venv --without-pip $(VENV)
	$(INSTALL) -r requirements.txt
	@touch $@

$(VENV)/tools: requirements-dev.txt $(VENV)/runtime
	$(INSTALL) -r requirements-dev.txt
	@touch $@

# What no wheel carries: a browser, gettext, and TypeScript, which reads the types of the table's screen.
# The browser without windows spares much of what the pages cost; where it cannot be had, the other does as well.
system:
	@missing=; \
	command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		{ timeout 60 apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -qq -y --no-install-recommends chromium-headless-shell; } >/dev/null 2>&1; \
	fi; \
	command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || missing=chromium; \
	command -v xgettext >/dev/null || missing="$$missing gettext"; \
	command -v tsc >/dev/null || missing="$$missing node-typescript"; \
	for tool in $(ALSO); do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	case "$$missing" in *soffice*) missing="$${missing% soffice} libreoffice-calc-nogui";; esac; \
	case "$$missing" in *gcc*) missing="$$missing libc6-dev";; esac; \
	[ -z "$$missing" ] && exit; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing; \
	else \
		echo "Missing: $$missing. Install them first (on Debian, as root: apt-get install $$missing)." >&2; exit 1; \
	fi
