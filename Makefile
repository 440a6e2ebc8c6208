# Each target sets up what it needs. Python 3.11 or newer; PYTHON=/path/to/python picks one.
.POSIX:
.SUFFIXES:
.PHONY: help run test check bench demo train test-browser setup-run setup-develop

P = .venv/bin/python

help:
	@echo 'make run           start everything (PORT, KORELY_HOST, KORELY_DATA_DIR); Ctrl-C stops it'
	@echo 'make demo          a sample conversation through the API, then its facts and contexts'
	@echo 'make test          every test but those in a browser'
	@echo 'make test-browser  the tests in a browser (needs Chromium)'
	@echo 'make check         lint, types, import rules, migrations, settings, API document'
	@echo 'make bench         measurements, one JSON object a line'
	@echo 'make train         teach the model that finds facts (PyTorch; about an hour on two cores)'

run: setup-run
	@exec $(P) -m korely.embedded

demo: setup-run
	@exec $(P) -m korely.embedded.demo

test: setup-develop
	@exec $(P) -m pytest tests -m 'not browser'

test-browser: setup-develop
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  { echo 'make test-browser needs Chromium (Debian: apt-get install chromium)' >&2; exit 1; }
	@exec $(P) -m pytest tests -m browser

bench: setup-develop
	@exec $(P) -m benchmarks

# PyTorch stays in an environment of its own.
train:
	@VENV=.venv-train ./deploy/environment.sh '$(PYTHON)' requirements.txt requirements-train.txt
	@exec .venv-train/bin/python -m facts.extraction.training.fit

# Settings need values, the checks no servers: throw-away secrets and addresses nobody listens on.
check: setup-develop
	@set -eu; \
	SECRET_KEY=$$($(P) -c 'import secrets; print(secrets.token_hex(32))'); \
	KORELY_PEPPERS=1:$$($(P) -c 'import secrets; print(secrets.token_hex(32))'); \
	DATABASE_URL=postgres://check:check@127.0.0.1:1/check; \
	BROKER_URL=redis://127.0.0.1:1/0; \
	CACHE_URL=redis://127.0.0.1:1/1; \
	export SECRET_KEY KORELY_PEPPERS DATABASE_URL BROKER_URL CACHE_URL; \
	document=$$(mktemp); \
	trap 'rm -f "$$document"' EXIT; \
	set -x; \
	$(P) -m ruff check .; \
	$(P) -m ruff format --check .; \
	$(P) -m mypy; \
	$(P) -c 'from importlinter.cli import lint_imports_command as run; run()'; \
	$(P) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run; \
	$(P) manage.py check --deploy --fail-level WARNING; \
	$(P) manage.py spectacular --validate --fail-on-warn --file "$$document"

# The virtual environment is made anew when its Python is gone, and filled when a file of pins
# changed; otherwise nothing is done and no network is needed.
setup-run:
	@./deploy/environment.sh '$(PYTHON)' requirements.txt

setup-develop:
	@./deploy/environment.sh '$(PYTHON)' requirements.txt requirements-dev.txt
