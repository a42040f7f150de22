# What people and CI both call. `make run` starts the product, `make test` checks it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help env env-dev run test lint verify bench upgrade-check chaos load bundle check-bundle screenshots

# A chosen interpreter, or else the first of the usual names that fits.
PYTHON ?=
# What is handed to pip to install torch: a version, a wheel, an index of another build. Empty: what was chosen before,
# or else the version that .ci/env names.
TORCH ?=
PORT ?= 8000
DATA ?= data
export PYTHON TORCH

BIN := .venv/bin
SANDBOX_AND_GRADERS := graders worker.sandbox
GATED := tests/graders tests/worker
PYTEST := $(BIN)/pytest -n 2 --dist loadscope -m "not verify"

help:
	@echo "make run      start the product; PORT and DATA (folder) can be set"
	@echo "make test     lint, types, import rules and all tests"
	@echo "make lint     the quick part of it"
	@echo "make verify   what takes longer than make test may"
	@echo "make bench    how fast it is, as ratios; and each page with a class of 1,100 students"
	@echo "make chaos    hand in to the whole product while its parts are killed"
	@echo "make load     a class of 1,000 hands in within a minute"
	@echo "make upgrade-check TORCH=…   what another build of torch would change"
	@echo "make bundle   build scripts and styles from quizsite/frontend (needs Node)"
	@echo "make screenshots   pictures of every page, into SHOTS"
	@echo "make env      only make .venv; TORCH chooses the build of torch, PYTHON the interpreter"

env:
	@.ci/env run

env-dev:
	@.ci/env dev

run: env
	@PORT="$(PORT)" DATA="$(DATA)" exec $(BIN)/python manage.py up --stop-with-parent

lint: env-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Lines are counted where a gate needs it alone: counting makes Python half as slow again.
# The sandbox aims at 100 too; some branches of its loops are met by timing alone, and not in every run.
# What only PostgreSQL does otherwise (locks, SKIP LOCKED, dumps) is tested on it as well.
test: lint
	@.ci/packages
	.ci/with-postgres $(BIN)/pytest -n 2 tests/exercises/test_*.py tests/quizsite/test_backup.py tests/quizsite/test_released.py
	$(PYTEST) $(GATED) $(SANDBOX_AND_GRADERS:%=--cov=%) --cov-report=
	@$(BIN)/coverage report --include='graders/*' --skip-covered --fail-under=100
	@$(BIN)/coverage report --include='worker/sandbox/*' --skip-covered --fail-under=96
	$(PYTEST) tests $(GATED:%=--ignore=%)

verify: env-dev
	$(BIN)/pytest -m verify --timeout 3600
	SCHEMA_EXAMPLES=100 $(BIN)/pytest -n 2 --timeout 3600 tests/exercises/api/test_whole_schema.py
	ALL_LOOKS=1 $(BIN)/pytest tests/browser -k no_fault

bench: env-dev
	$(BIN)/python -m tests.bench
	.ci/with-postgres $(BIN)/python -m tests.bench.pages

# On the embedded default, then on PostgreSQL. Bounded, and on the loopback alone.
chaos: env-dev
	@.ci/packages
	.ci/with-postgres $(BIN)/python -m tests.chaos

# TORCH as for `make env`; it goes into an environment of its own. COURSES (in place of those that ship), ACCEPT and
# REPORT (a file for JSON) can be set.
UPGRADE_ENV := build/upgrade-env
upgrade-check:
	@[[ -n "$(TORCH)" ]] || { echo 'Name the build to try: make upgrade-check TORCH="torch==2.14.0"' >&2; exit 2; }
	@TORCH= .ci/env dev
	@VENV=$(UPGRADE_ENV) .ci/env run
	$(BIN)/python -m tests.upgrade --other $(UPGRADE_ENV)/bin/python $(COURSES:%=--courses %) $(ACCEPT:%=--accept %) $(REPORT:%=--json %)

# On PostgreSQL. Bounded, and on the loopback alone.
load: env-dev
	@.ci/packages
	.ci/with-postgres $(BIN)/python -m tests.load

bundle:
	cd quizsite/frontend && npm ci --no-audit --no-fund && npm run build

check-bundle:
	cd quizsite/frontend && npm ci --no-audit --no-fund --ignore-scripts && npm run check

# Every page, wide, narrow and dark, into SHOTS.
SHOTS ?= build/screenshots
screenshots: env-dev
	@mkdir -p $(SHOTS)
	SCREENSHOTS=$(abspath $(SHOTS)) $(BIN)/pytest -n 2 tests/browser/test_pages.py tests/browser/test_authoring_pages.py tests/browser/test_teaching_pages.py tests/browser/test_question_pages.py
