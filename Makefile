PYTHON ?= python3
JOBS ?= auto
BIN := .venv/bin
STAMP := .venv/.stamp

.DEFAULT_GOAL := help
.PHONY: help venv verify test lint format bench clean
.DELETE_ON_ERROR:

help: ## list these targets
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' Makefile | expand -t 10

venv: $(STAMP) ## build .venv, or update it when pyproject.toml or constraints.txt changed

verify: $(STAMP) ## derive, test and judge every claim (quick profile)
	$(BIN)/lemmata verify --profile quick --jobs 2

test: $(STAMP) ## run the tests, JOBS=auto at a time
	@# One thread a worker: torch would otherwise start as many as there are cores in each.
	OMP_NUM_THREADS=1 $(BIN)/pytest -n $(JOBS) --maxprocesses 8 --dist loadgroup

lint: $(STAMP) ## check style, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

format: $(STAMP) ## format the sources and apply safe fixes
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(STAMP) ## run every benchmark
	@for script in $(sort $(wildcard benchmarks/*.py)); do \
		echo "== $$script"; $(BIN)/python "$$script" || exit 1; \
	done

clean: ## remove .venv, caches, build output and the runs folder
	rm -rf .venv build dist lemmata.egg-info runs .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is removed first and written last, so an interrupted build is taken up again.
# A broken or half-built environment is cleared; a working one is only updated.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
		f"lemmata needs Python 3.11 or newer; $(PYTHON) is {sys.version.split()[0]}. " \
		"Name another one: make PYTHON=python3.12 ...")'
	@rm -f $@
	@echo "Setting up .venv (the first time takes a few minutes) ..."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check \
		--constraint constraints.txt --editable '.[test,cluster]'
	@touch $@
