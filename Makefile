# `make` lists what there is. Everything runs from .venv, which `make setup` makes.
BIN := .venv/bin
TARGET ?= paddle
DEMO := build/demo/$(TARGET)

.DEFAULT_GOAL := help
TARGETS := paddle oneflow jax
# Weights are carried to these, code is not.
WEIGHTS_ONLY := mlx keras mindspore
# What `migrate export` needs, `check --backend`, and `serve`.
EXPORTS := paddle2onnx onnxruntime openvino triton
ENVS := $(TARGETS:%=env-%) $(WEIGHTS_ONLY:%=env-%) $(EXPORTS:%=env-%)

.PHONY: help setup $(ENVS) demo story product prove docs test quick lint format clean

help: ## list the goals
	@awk -F ':.*## ' '/^[a-z][a-z -]*:.*## / {printf "  make %-24s %s\n", $$1, $$2}' Makefile

setup: .venv/.setup ## make .venv: this project, its tools, torch

.venv/.setup: pyproject.toml scripts/setup
	scripts/setup
	@touch $@

$(ENVS): env-%: setup ## build the interpreter of a target: env-paddle, env-jax, ...
	$(BIN)/migrate env $*

# Each command is shown before it runs, to be typed again by hand. --force: an earlier demo is written over.
demo: setup ## both fixture projects to TARGET=paddle, oneflow or jax: convert, carry the weights, compare, train
	$(BIN)/migrate env $(TARGET)
	@printf '\n=== ResNet: train it in torch, convert it, carry its weights, compare, train what came out\n'
	$(BIN)/python fixtures/resnet/train.py --steps 20 --val-images 40 --out $(DEMO)/torch/resnet
	$(BIN)/migrate convert fixtures/resnet --to $(TARGET) -o $(DEMO)/resnet --force
	$(BIN)/migrate weights $(DEMO)/torch/resnet/last.pt --to $(TARGET) --project fixtures/resnet --model models.resnet:resnet18 --force
	$(BIN)/migrate check fixtures/resnet $(DEMO)/resnet --to $(TARGET) --entry models.resnet:resnet18 --input 'float32[4,3,32,32]' --weights $(DEMO)/torch/resnet/last.pt --train 20
	$$($(BIN)/migrate env $(TARGET) --path) -W ignore $(DEMO)/resnet/train.py --steps 10 --val-images 40 --out $(DEMO)/trained/resnet
	@printf '\n=== GPT: the same\n'
	$(BIN)/python fixtures/gpt/train.py --steps 20 --out $(DEMO)/torch/gpt
	$(BIN)/migrate convert fixtures/gpt --to $(TARGET) -o $(DEMO)/gpt --force
	$(BIN)/migrate weights $(DEMO)/torch/gpt/gpt.pt --to $(TARGET) --project fixtures/gpt --model model:gpt_tiny --force
	$(BIN)/migrate check fixtures/gpt $(DEMO)/gpt --to $(TARGET) --entry model:gpt_tiny --input 'int64[4,32]<96' --weights $(DEMO)/torch/gpt/gpt.pt --train 20
	$$($(BIN)/migrate env $(TARGET) --path) -W ignore $(DEMO)/gpt/train.py --steps 20 --out $(DEMO)/trained/gpt

# OneFlow unless TARGET is given.
story: STORY := $(if $(filter file,$(origin TARGET)),oneflow,$(TARGET))
story: setup ## ResNet-101 to a static graph of TARGET (oneflow, paddle): parity, training, saved and loaded, how fast
	$(BIN)/migrate env $(STORY)
	scripts/story $(STORY)

product: setup $(EXPORTS:%=env-%) env-$(TARGET) ## ResNet-50 and GPT from torch checkpoints to Triton (TARGET=paddle, oneflow): every step beside torch, what each gives
	scripts/product $(TARGET)

# Its samples are kept in the user's cache; making all of them takes some minutes, once.
prove: env-$(TARGET) ## run TARGET's rules, or RULE=torch.max, on PyTorch's own samples; writes proof.json and same.json
	$(BIN)/python -m migrate.proof $(TARGET) $(RULE)

docs: setup ## the pages of docs/rules, from the rules and the records
	$(BIN)/python -m migrate.proof.docs

lint: setup ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup ## format, and mend what ruff can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

quick: setup ## the tests that need no framework, without those that start the command several times
	$(BIN)/pytest -q -n 2 -m "not framework"

# pytest comes last, so that its summary is the last line.
test: lint $(ENVS) ## style, types and tests
	$(BIN)/pytest -n 2

clean: ## remove .venv and whatever was made here; the interpreters in the user's cache stay
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
