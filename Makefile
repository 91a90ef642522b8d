# `make` lists what there is. Everything runs from .venv, which `make setup` makes.
BIN := .venv/bin
TARGET ?= paddle
DEMO := build/demo/$(TARGET)

.DEFAULT_GOAL := help
.PHONY: help setup env-paddle env-oneflow demo test lint format clean

help: ## list the goals
	@awk -F ':.*## ' '/^[a-z][a-z -]*:.*## / {printf "  make %-24s %s\n", $$1, $$2}' Makefile

setup: .venv/.setup ## make .venv: this project, its tools, torch

.venv/.setup: pyproject.toml scripts/setup
	scripts/setup
	@touch $@

env-paddle env-oneflow: env-%: setup ## build the interpreter of a target
	$(BIN)/migrate env $*

lint: setup ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: setup ## format, and mend what ruff can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# pytest comes last, so that its summary is the last line.
test: lint env-paddle env-oneflow ## style, types and tests
	$(BIN)/pytest -n 2

clean: ## remove .venv and whatever was made here; the interpreters in the user's cache stay
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
