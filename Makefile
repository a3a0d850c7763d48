# Syncpoint. `make` alone lists the commands. Windows and conda: the same steps stand in README.md.
#
# The environment is .venv. Each stamp .venv/.ready-EXTRA is newer than pyproject.toml once that extra is
# installed, so a second call installs nothing.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
LAB    ?= 01_tensors_and_devices
# for example --no-browser on another machine, --allow-root in a container:
JUPYTER_FLAGS ?=

# torch starts a thread per core in every process; with several test processes that only makes them queue.
WORKERS ?= 2
PYTEST  := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help setup lab demo test test-slow lint notebooks types unit release html bench colab-check torch213-check clean

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-16s%s\n", $$1, $$2}' Makefile

setup: $(VENV)/.ready-test  ## install everything into .venv

lab: $(VENV)/.ready-lab  ## open JupyterLab on lab 01 (another one: make lab LAB=02_the_work_queue)
	@test -f release/$(LAB)/$(LAB).ipynb || { echo "release/ holds no lab $(LAB); there are:" `ls release` >&2; exit 1; }
	$(BIN)/jupyter lab --ServerApp.root_dir=. $(JUPYTER_FLAGS) release/$(LAB)/$(LAB).ipynb

demo: $(VENV)/.ready-grade  ## grade a small bundled class, from hand-in to feedback
	$(BIN)/autograder demo

test: lint notebooks types unit  ## everything that must be green before a change goes in

test-slow: $(VENV)/.ready-test  ## the tests that take minutes: a whole epoch of MNIST
	$(PYTEST) -m slow

lint: $(VENV)/.ready-test
	$(BIN)/ruff check

notebooks: $(VENV)/.ready-test
ifneq ($(wildcard autograder/notebooks.py),)
	$(BIN)/python -m autograder.notebooks --check source release
endif
ifneq ($(wildcard source/*/*.ipynb),)
	$(PYTEST) --nbmake --nbmake-timeout=300 source
endif

types: $(VENV)/.ready-test
	$(BIN)/mypy

unit: $(VENV)/.ready-test
	$(PYTEST)

release: $(VENV)/.ready-grade  ## make the learners' notebooks (release/) from the instructor's (source/)
	$(BIN)/python tests/addresses.py --fix
	$(BIN)/autograder release
	$(BIN)/python tests/addresses.py --fix

html: $(VENV)/.ready-lab  ## write the labs as web pages, with figures and without solutions, into build/html/
	$(BIN)/python course/html_pages.py

# calibrate.py is not among them: it needs an NVIDIA GPU.
bench: $(VENV)/.ready-test  ## measure, side by side; each prints one table
	set -e; for each in $(filter-out %/calibrate.py,$(wildcard benchmarks/*.py)); do echo "== $$each"; $(BIN)/python "$$each"; done

colab-check:  ## the core with Colab's versions (Python 3.13, torch 2.11); about 6 GB in .venv-colab
	$(PYTHON) tests/versions/check.py colab

torch213-check:  ## the core with torch 2.13.0
	$(PYTHON) tests/versions/check.py torch213

clean:  ## remove .venv and what the tools left behind
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist

# ---------------------------------------------------------------------------------------------- environment

$(VENV)/.ready-%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -e ".[$*]"
	touch $@

# [test] holds [lab] and [grade] as well.
$(VENV)/.ready-test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -e ".[test]"
	touch $(VENV)/.ready-lab $(VENV)/.ready-grade $@

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not on this machine: install Python 3.11 or newer \
	(Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python; or https://www.python.org), \
	or name yours: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Syncpoint needs Python 3.11 or newer, \
	and $(PYTHON) is `$(PYTHON) -V 2>&1`: name a newer one, for example make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make environments: \
	install the package python3-venv (Debian, Ubuntu: apt install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
