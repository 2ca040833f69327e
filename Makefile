# `make` lists the targets. Everything is installed into .venv, nothing elsewhere.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
JOBS   ?= $(shell nproc)
export PATH := $(CURDIR)/$(BIN):$(PATH)

CPP_FILES := git ls-files '*.cpp' '*.h' '*.c'

.DEFAULT_GOAL := help
.PHONY: help venv build demo test test-lit test-python lint format fuzz docs wheel bench new-pass clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | \
	  awk -F'\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

venv: $(VENV)/.installed ## create .venv and install the pinned requirements

$(VENV)/.installed: requirements-dev.txt tools/check_machine.sh tools/link_checkout.py
	@PYTHON="$(PYTHON)" tools/check_machine.sh
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@$(BIN)/python tools/link_checkout.py
	@touch $@

build: venv build/build.ninja ## compile linnet-opt and the Python package
	@ninja -C build -j $(JOBS) --quiet

# Ninja knows what changed and runs CMake again by itself.
build/build.ninja: $(VENV)/.installed
	@mkdir -p build
	@cmake -S . -B build -G Ninja -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python" \
	  > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@touch $@

demo: build ## the main job: compile a GPT-2, load it, let it write
	@$(BIN)/python examples/gpt2/demo.py

test: test-lit test-python ## every test

test-lit: build ## the tests of dialect and passes
	@lit -q test

test-python: build ## the tests of the Python rooms and of the whole
	@$(BIN)/python -m pytest -n $(JOBS) --maxprocesses 4 --dist loadfile

lint: build ## formatting, types and our own checks; changes nothing
	@ruff check .
	@ruff format --check .
	@pyright
	@clang-format --dry-run -Werror $$($(CPP_FILES))
	@$(BIN)/python tools/lint_checks.py
	@$(BIN)/python -m linnet fmt --check --diff python/linnet/std examples
	@$(BIN)/python tools/build_docs.py --check

format: venv ## rewrite Python, C++ and Linnet in the project's format
	@ruff check --fix-only --quiet .
	@ruff format .
	@clang-format -i $$($(CPP_FILES))
	@$(BIN)/python -m linnet fmt python/linnet/std examples

fuzz: build ## run generated programs on every target: make fuzz MINUTES=60 SEED=1
	@$(BIN)/python test/python/generate/fuzz.py --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1) \
	  --log build/fuzz.jsonl

docs: build ## write docs/generated/ from the code, and the pages of models into build/pages/
	@$(BIN)/python tools/build_docs.py
	@$(BIN)/python tools/build_pages.py

wheel: venv ## build dist/linnet_mlir-*.whl
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation -w dist .

bench: build ## time whole processes beside their budgets
	@$(BIN)/python bench/startup.py

new-pass: ## scaffold a pass: make new-pass ROOM=Lower NAME=CancelTransposes
	@$(PYTHON) tools/new_pass.py "$(ROOM)" "$(NAME)"

clean: ## remove what was built (not .venv)
	@rm -rf build dist python/linnet/mlir python/linnet/bin
